// Inputs and comparisons of the tests of functions.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace flexsn::test {

/// A float's bits, with one pattern for all NaN: bit-equal means that any NaN equals any NaN.
inline uint32_t bitsOf(float x) { return std::isnan(x) ? 0x7fc00000u : std::bit_cast<uint32_t>(x); }
inline uint64_t bitsOf(double x) { return std::isnan(x) ? 0x7ff8000000000000u : std::bit_cast<uint64_t>(x); }
inline uint32_t bitsOf(int32_t x) { return static_cast<uint32_t>(x); }
inline uint32_t bitsOf(bool x) { return x; }
inline uint32_t bitsOf(unsigned char x) { return x; }

/// Zeros, ones, halves, ends of the ranges, infinities, NaN, where float32 stops having fractions, and the ends of int;
/// both signs.
template <class T> std::vector<T> specialValues() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {0,
                           T(0.5),
                           1,
                           T(1.5),
                           2,
                           T(2.5),
                           3,
                           T(0.1),
                           T(0.3),
                           7,
                           T(7.5),
                           1000,
                           T(8388607.5),
                           T(8388609),
                           T(16777215),
                           T(16777216),
                           T(0x1p31),
                           T(0x1p31) * (1 - Limits::epsilon()),
                           T(0x1p31) + 1,
                           T(0x1p32),
                           Limits::denorm_min(),
                           Limits::min() / 3,
                           Limits::min(),
                           Limits::max(),
                           Limits::infinity(),
                           Limits::quiet_NaN(),
                           T(1) + Limits::epsilon(),
                           T(1e-20),
                           T(1e20)};
  for (size_t i = 0, count = values.size(); i < count; ++i)
    values.push_back(-values[i]);
  return values;
}
template <> inline std::vector<int32_t> specialValues<int32_t>() {
  return {
      0, 1, -1, 2, -2, 3, -3, 7, -7, 8, 1000, -1000, 46341, -46341, INT32_MAX, INT32_MAX - 1, INT32_MIN, INT32_MIN + 1};
}

/// A hash of i: evenly spread bits, the same in every run.
inline uint64_t hashed(uint64_t i) {
  i = (i ^ i >> 31) * 0x9e3779b97f4a7c15u;
  i = (i ^ i >> 29) * 0xbf58476d1ce4e5b9u;
  return i ^ i >> 32;
}

/// How far `got` is from the exact result, in units of its last place (of a number of `digits` bits whose smallest
/// normal exponent is `minimum`). Infinity for a wrong NaN, infinity, zero or sign.
template <class T, class Wide> double errorInUlp(T got, Wide want) {
  constexpr double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) && std::isnan(got) ? 0 : wrong;
  if (std::signbit(got) != std::signbit(want) || (want == 0 && got != 0) || (std::isinf(want) && Wide(got) != want))
    return wrong;
  if (std::isinf(want) || want == 0)
    return 0;
  // An overflow counts as the power of two behind the largest number.
  using Limits = std::numeric_limits<T>;
  const Wide beyond = std::ldexp(Wide(1), Limits::max_exponent);
  const Wide exact = std::fmin(std::fabs(want), beyond), value = std::fmin(std::fabs(Wide(got)), beyond);
  int exponent = std::min(std::max(std::ilogb(exact), Limits::min_exponent - 1), Limits::max_exponent - 1);
  return static_cast<double>(std::ldexp(std::fabs(value - exact), Limits::digits - 1 - exponent));
}

} // namespace flexsn::test
