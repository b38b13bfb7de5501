// Building blocks that the float32 functions share: bits and signs, powers of two, sums and quotients in two floats.
#pragma once

#include "compiler/math/Value.h"

#include <limits>

namespace flexsn::math {

inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

F magnitude(F x);
/// `x` with the sign of `s` put on; x >= 0.
F withSignOf(F x, F s);
/// The smaller and the larger of x and a limit. NaN passes through: every comparison with it is false.
F atMost(F x, F limit);
F atLeast(F x, F limit);

/// 2^n for -126 <= n <= 127.
F powerOfTwo(I n);
/// x 2^n for -252 <= n <= 254, in two factors, so that results below 2^-126 are rounded once more only.
F scaled(F x, I n);

/// Nearest whole number to a b for |a b| < 2^22, as float and as int.
struct Rounded {
  F value;
  I integer;
};
Rounded roundedProduct(F a, F b);
/// The same of a alone.
Rounded rounded(F a);

/// A number as the unevaluated sum of two floats.
struct Sum {
  F high;
  F low;
};
/// high + low with its rounding error as the new low part, for |high| >= |low| or high = 0 (fast two-sum).
Sum normalised(F high, F low);
/// n / d: a quotient by the reciprocal, then one correction by its remainder.
F quotient(Sum n, Sum d);

/// coefficients[0] x^n + ... + coefficients[n], by Horner and fma.
template <size_t count> F polynomial(F x, const float (&coefficients)[count]) {
  F sum = coefficients[0];
  for (size_t i = 1; i < count; ++i)
    sum = fused(sum, x, coefficients[i]);
  return sum;
}

// ---- Parts that several functions are made of
// ------------------------------------------------------------------------

/// x = n ln 2 + r, exp(r) = 1 + r + rest, |r| < 0.3467.
struct Exponent {
  I n;
  F r;
  F rest; ///< r^2 (1/2 + r/6 + ...) and the rounding error of r
};
/// Of x, and of x + low, for |x| < 2^8 and |low| < 2^-15.
Exponent reduceExponent(F x);
Exponent reduceExponent(F x, F low);

/// 2^(high + low) for |high| <= 252, |low| < 2^-15.
F exp2OfSum(F high, F low);

/// x = 2^k (1 + f) with 2/3 <= 1 + f < 4/3, for x > 0; f is exact.
struct Fraction {
  I k;
  F f;
};
Fraction fraction(F x);

/// log(1 + x) for -1 < x < infinity.
F log1pFinite(F x);

} // namespace flexsn::math
