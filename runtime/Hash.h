// SHA-256, as LLVM has it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace flexsn {

using Sha256 = std::array<uint8_t, 32>;

/// FIPS 180-4 of the bytes.
Sha256 sha256(std::string_view bytes);

} // namespace flexsn
