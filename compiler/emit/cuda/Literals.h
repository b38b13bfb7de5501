// Constants as C++ spells them.
#pragma once

#include <cstdint>
#include <string>

namespace flexsn::cuda {

/// A C++ expression of exactly these bits: the shortest decimal that reads back ("0.1f", "-2.f", "1e-45f"), or for
/// infinities and NaN a conversion of the bits.
std::string literal(float value);
std::string literal(double value);
/// Of an int; the smallest one has no literal of its own.
std::string literal(int32_t value);
/// "3u"
std::string unsignedLiteral(int32_t value);

} // namespace flexsn::cuda
