// What one operator does to one number, in the words of docs/language.md: no vectors, no cleverness.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace flexsn::reference {

// ---- floats ----

/// torch.floor_divide: the quotient of what fmod leaves, so that it agrees with `remainder` where a / b rounds up.
template <class Real> Real floorDivide(Real a, Real b) {
  if (b == 0)
    return a / b;
  Real rest = std::fmod(a, b);
  Real quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0))
    quotient -= 1;
  if (quotient == 0)
    return std::copysign(Real(0), a / b);
  Real floored = std::floor(quotient);
  return quotient - floored > Real(0.5) ? floored + 1 : floored;
}

/// torch.remainder: the sign of b.
template <class Real> Real remainder(Real a, Real b) {
  Real rest = std::fmod(a, b);
  return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
}

/// a**n for a literal n: (a*a)*a ... from the left, 1 / that for negative n.
template <class Real> Real integerPower(Real a, int64_t n) {
  if (n == 0)
    return 1;
  Real product = a;
  for (int64_t i = 1; i < (n < 0 ? -n : n); ++i)
    product = product * a;
  return n < 0 ? 1 / product : product;
}

/// NaN if either is NaN; -0 before +0.
template <class Real> Real minimum(Real a, Real b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<Real>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

/// NaN if either is NaN; +0 after -0.
template <class Real> Real maximum(Real a, Real b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<Real>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

template <class Real> Real clip(Real x, Real low, Real high) { return minimum(maximum(x, low), high); }

/// -1, 0 or 1; NaN gives 0.
template <class Real> Real sign(Real x) { return Real((x > 0) - (x < 0)); }

/// Nearest whole number, ties to even. Not std::nearbyint: a test may run under any rounding mode of its process.
template <class Real> Real roundToEven(Real x) {
  Real down = std::floor(x), rest = x - down;
  if (!(std::fabs(x) < 1 / std::numeric_limits<Real>::epsilon()))
    return x; // whole already, infinite or NaN
  bool up = rest > Real(0.5) || (rest == Real(0.5) && std::fmod(down, Real(2)) != 0);
  return std::copysign(up ? down + 1 : down, x);
}

/// Towards zero; NaN gives 0, what does not fit the nearest int.
template <class Real> int32_t toInt(Real x) {
  if (std::isnan(x))
    return 0;
  if (x >= Real(2147483648.0))
    return std::numeric_limits<int32_t>::max();
  if (x < Real(-2147483648.0))
    return std::numeric_limits<int32_t>::min();
  return static_cast<int32_t>(x);
}

// ---- ints: 32 bits that wrap ----

inline int32_t wrap(uint32_t bits) { return static_cast<int32_t>(bits); }
inline int32_t addInt(int32_t a, int32_t b) { return wrap(uint32_t(a) + uint32_t(b)); }
inline int32_t subtractInt(int32_t a, int32_t b) { return wrap(uint32_t(a) - uint32_t(b)); }
inline int32_t multiplyInt(int32_t a, int32_t b) { return wrap(uint32_t(a) * uint32_t(b)); }

/// Rounded down; 0 where b is 0. In 64 bits nothing overflows; the smallest int by -1 wraps at the end.
inline int32_t floorDivideInt(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  bool roundedUp = a % b != 0 && (a < 0) != (b < 0);
  return wrap(static_cast<uint32_t>(a / b - roundedUp));
}

/// What floorDivideInt leaves: the sign of b; 0 where b is 0.
inline int32_t remainderInt(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  int64_t rest = a % b;
  return static_cast<int32_t>(rest != 0 && (a < 0) != (b < 0) ? rest + b : rest);
}

inline int32_t integerPowerInt(int32_t a, int64_t n) {
  int32_t product = 1;
  for (int64_t i = 0; i < n; ++i)
    product = multiplyInt(product, a);
  return product;
}

} // namespace flexsn::reference
