// One value of the reference interpreter: a number of the language with the distance that a correct kernel may have
// from it.
#pragma once

#include "compiler/frontend/Model.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace flexsn::reference {

// Strict means: each operation is rounded once to Real. x87 arithmetic would round twice.
static_assert(__FLT_EVAL_METHOD__ == 0, "the reference needs float arithmetic without excess precision");

/// `real` holds a float, `integer` an int or a bool (0 or 1). `slack` bounds the distance to what a correct
/// implementation may compute: 0 means that every bit is defined (docs/language.md, Numbers), infinity that nothing is.
/// `node` is the value's place on a tape (Tape.h), 0 where no gradient passes.
template <class Real> struct Scalar {
  Type type = Type::Float;
  Real real = 0;
  int32_t integer = 0;
  double slack = 0;
  uint32_t node = 0;

  static Scalar ofReal(Real value, double slack = 0) { return {Type::Float, value, 0, slack}; }
  static Scalar ofInt(int32_t value) { return {Type::Int, 0, value, 0}; }
  static Scalar ofBool(bool value) { return {Type::Bool, 0, value, 0}; }
  /// The value as a number, for distances.
  double number() const { return type == Type::Float ? static_cast<double>(real) : integer; }
};

/// Equal bits, where any NaN equals any NaN.
template <class Real> bool sameBits(Real a, Real b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

/// The spacing of Real at |x|: one unit in the last place, 2^-149 or 2^-1074 at least.
template <class Real> double ulp(Real x) {
  using Limits = std::numeric_limits<Real>;
  Real size = std::fabs(x);
  if (!(size <= Limits::max()))
    return Limits::infinity();
  if (size < Limits::min())
    return Limits::denorm_min();
  return std::ldexp(1.0, std::ilogb(size) - (Limits::digits - 1));
}

} // namespace flexsn::reference
