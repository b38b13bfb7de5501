// SHA-256, as LLVM has it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace flexsn {

using Sha256 = std::array<uint8_t, 32>;

/// FIPS 180-4 of the bytes.
Sha256 sha256(std::string_view bytes);

/// Two digits, in lower case, for each byte.
std::string hexadecimal(const Sha256 &hash);

} // namespace flexsn
