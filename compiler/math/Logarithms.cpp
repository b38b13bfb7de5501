// log, log1p, log2, softplus: x = 2^k (1 + f), a polynomial for log1p(f), the sum of the large terms with its error.
#include "compiler/math/Functions.h"
#include "compiler/math/Primitives.h"

namespace flexsn::math {

/// The fraction of a normal x. Subtracting the bits of 2/3 moves the exponent's step there.
static Fraction normalFraction(F x) {
  I b = bits(x) - 0x3f2aaaabu;
  return {shiftedArithmetic(b, 23), fromBits((b & 0x007fffffu) + 0x3f2aaaabu) - 1.0f};
}

Fraction fraction(F x) {
  B subnormal = x < 0x1p-126f;
  Fraction s = normalFraction(select(subnormal, x * 0x1p23f, x));
  I shift = select(subnormal, 23, 0);
  return {s.k - shift, s.f};
}

/// The logarithm's values off its domain and at its ends: 0, negative numbers, infinity, NaN.
static F logOrSpecial(F result, F x) {
  result = select(x < infinity, result, x);
  result = select(x < 0.0f, notANumber, result);
  return select(x == 0.0f, -infinity, result);
}

/// log1p(f) - f.
static F log1pRest(F f) {
  F q = polynomial(f, {-0.128322557f, 0.140027776f, -0.121986263f, 0.140016198f, -0.166793838f, 0.200107142f,
                       -0.249998242f, 0.333332092f, -0.5f});
  return f * f * q;
}

/// k ln 2 + f + rest, the first two with the rounding error of their sum.
static F logSum(I k, F f, F rest) {
  F n = toFloat(k);
  F multiple = n * 0.693145752f;
  F high = multiple + f;
  F error = f - (high - multiple);
  return high + (error + fused(n, 1.42860677e-06f, rest));
}

F log(F x) {
  Fraction s = fraction(x);
  return logOrSpecial(logSum(s.k, s.f, log1pRest(s.f)), x);
}

F log2(F x) {
  // k + f / ln 2 with its rounding error, + f^2 q(f).
  Fraction s = fraction(x);
  F f = s.f;
  F q = polynomial(f, {-0.184253991f, 0.202079311f, -0.176227689f, 0.201986343f, -0.240610197f, 0.28869462f,
                       -0.360672057f, 0.480896533f, -0.721347511f});
  F k = toFloat(s.k);
  F high = fused(f, 1.44269502f, k);
  F error = fused(f, 1.44269502f, k - high);
  error = fused(f, 1.92596303e-08f, error);
  return logOrSpecial(high + fused(f * f, q, error), x);
}

F log1pFinite(F x) {
  // k from the rounded 1 + x, but f = x 2^-k + (2^-k - 1) from x itself, in two floats.
  I k = normalFraction(1.0f + x).k;
  F term = fromBits(bits(x) - (k << 23));
  F offset = select(I(24) < k, -1.0f, powerOfTwo(I(0) - k) - 1.0f);
  F f = term + offset;
  F low = term - (f - offset);
  F rest = fused(-low, f, low) + log1pRest(f);
  return logSum(k, f, rest);
}

F log1p(F x) {
  F result = log1pFinite(x);
  result = select(x < infinity, result, x);
  result = select(x < -1.0f, notANumber, result);
  result = select(x == -1.0f, -infinity, result);
  return select(x == 0.0f, x, result);
}

F softplus(F x) {
  F e = exp(-magnitude(x));
  return select(x < 0.0f, 0.0f, x) + log1pFinite(e);
}

} // namespace flexsn::math
