// Arguments of functions of two that are hard for one of them, made of random words.
#pragma once

#include "tests/numerics/FunctionTable.h"

#include <bit>
#include <cmath>

namespace flexsn::test {

/// The bits of x with another exponent field; its sign is kept or made positive.
inline float withExponent(uint32_t x, uint32_t exponent, uint32_t signMask) {
  return std::bit_cast<float>((x & (0x007fffffu | signMask)) | exponent << 23);
}

/// y such that |y log2 x| is at most about 152: results over the whole range and just beyond.
inline float exponentFor(float x, uint32_t y) {
  return static_cast<float>(static_cast<int32_t>(y) >> 8) * 0x1p-23f * 152.0f / (std::fabs(std::log2(x)) + 1e-9f);
}

inline Pair powPair(uint64_t n, uint32_t a, uint32_t b) {
  if (n % 8 == 1) { // every significand, results near both ends of the range: there the logarithm's error counts most
    float x = withExponent(a, 126 + (a >> 31), 0);
    float ends = (b & 1 ? -120.0f : 120.0f) + static_cast<float>(static_cast<int32_t>(b) >> 8) * 0x1p-20f;
    return {x, ends / (std::log2(x) + 1e-9f)};
  }
  if (n % 4 == 1) { // x in [2^-64, 2^64]
    float x = withExponent(a, 63 + (a >> 24 & 127), 0);
    return {x, exponentFor(x, b)};
  }
  if (n % 4 == 2) { // x within 2^-8 of 1
    float x = std::bit_cast<float>(0x3f800000u + static_cast<uint32_t>(static_cast<int32_t>(a) >> 16));
    return {x, exponentFor(x, b)};
  }
  if (n % 4 == 3) // negative x, integer y
    return {-withExponent(a, 125 + (a >> 30), 0), static_cast<float>(static_cast<int32_t>(b) >> 23)};
  return {std::bit_cast<float>(a), std::bit_cast<float>(b)};
}

inline Pair atan2Pair(uint64_t n, uint32_t a, uint32_t b) {
  constexpr uint32_t sign = 0x80000000u;
  float x = withExponent(b, 126 + (b >> 28 & 1), sign);
  if (n % 4 == 1)
    return {withExponent(a, 120 + (a >> 28 & 7), sign), x};
  if (n % 4 == 2) // near the diagonal
    return {x * std::bit_cast<float>(0x3f800000u + static_cast<uint32_t>(static_cast<int32_t>(a) >> 14)), x};
  if (n % 4 == 3) // tiny quotients
    return {withExponent(a, 82 + (a >> 27 & 15) * 3, sign), x};
  return {std::bit_cast<float>(a), std::bit_cast<float>(b)};
}

/// Quotients near a whole number, small and large, and plain bits.
inline Pair fmodPair(uint64_t n, uint32_t a, uint32_t b) {
  constexpr uint32_t sign = 0x80000000u;
  float y = withExponent(b, 100 + (b >> 24 & 63), sign);
  if (n % 4 == 1) // whole multiples and their neighbours
    return {std::bit_cast<float>(std::bit_cast<uint32_t>(static_cast<float>(a >> 20) * y) + (a & 3)), y};
  if (n % 4 == 2) // x up to 2^127 times y
    return {withExponent(a, 100 + (a >> 23 & 127), sign), y};
  return {std::bit_cast<float>(a), std::bit_cast<float>(b)};
}

/// Equal numbers, equal magnitudes, neighbours, plain bits.
inline Pair nearPair(uint64_t n, uint32_t a, uint32_t b) {
  const uint32_t near[] = {b, a, a ^ 0x80000000u, a + 1};
  return {std::bit_cast<float>(a), std::bit_cast<float>(near[n % 4])};
}

} // namespace flexsn::test
