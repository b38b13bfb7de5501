// What each function of the language is made of. The float32 functions stand here over + - * / sqrt, fma, comparisons,
// selections and int bit operations, so that every target computes the same bits; docs/functions.md has their errors
// and methods. Exact functions take both compute types.
#pragma once

#include "compiler/math/Value.h"

namespace flexsn::math {

// ---- float32 only ---------------------------------------------------------------------------------------------------

F exp(F x);
F expm1(F x);
F exprel(F x); ///< expm1(x) / x
F tanh(F x);
F sigmoid(F x);
F sinh(F x);
F cosh(F x);
F log(F x);
F log1p(F x);
F log2(F x);
F softplus(F x); ///< log(1 + exp(x))
F pow(F x, F y);
F sin(F x);
F cos(F x);
F tan(F x);
F atan(F x);
F atan2(F y, F x);
F asin(F x);
F acos(F x);
F erf(F x);
F erfc(F x);

// ---- Exact, or a fixed formula over correctly rounded operations; float32 and float64
// ------------------------------------

F abs(F x);
F min(F a, F b); ///< IEEE 754-2019 minimum: NaN if either is, -0 before +0
F max(F a, F b);
F clip(F x, F low, F high); ///< min(max(x, low), high)
F relu(F x);
F sign(F x); ///< -1, 0, 1; NaN gives 0
F sqrt(F x);
F rsqrt(F x);
F floor(F x);
F ceil(F x);
F round(F x); ///< ties to even
F trunc(F x);
B isnan(F x);
F fmod(F x, F y);
F floordiv(F x, F y);  ///< torch.floor_divide
F remainder(F x, F y); ///< torch.remainder
F ipow(F x, int exponent);
F spike(F x, bool strict);
F quant(F x, F low, F high);
I toInt(F x); ///< cut towards zero, saturating; NaN gives 0

// ---- int32 ----------------------------------------------------------------------------------------------------------

/// a / d from r = 1 / d, rounded: to the bit the true quotient. d is one value for all lanes; where the refinement
/// cannot serve any numerator, r is NaN.
F divideByInvariant(F a, F d, F r);

namespace ints {
I abs(I x);
I min(I a, I b);
I max(I a, I b);
I clip(I x, I low, I high);
I relu(I x);
I sign(I x);
I floordiv(I x, I y);  ///< rounded down; 0 for y = 0; wraps
I remainder(I x, I y); ///< the sign of y; 0 for y = 0
I ipow(I x, int exponent);
} // namespace ints

// ---- float64: a function of the platform's libm, or composed of some
// ----------------------------------------------------

namespace doubles {
F exprel(F x);
F sigmoid(F x);
F softplus(F x);
} // namespace doubles

/// A call of the function `name` of compiler/math/Platform.def.
F callPlatform(llvm::StringRef name, llvm::ArrayRef<F> arguments);

} // namespace flexsn::math
