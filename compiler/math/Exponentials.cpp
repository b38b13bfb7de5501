// exp and its relatives: one reduction by ln 2 (Cody and Waite in two parts, the rounding error kept) and one
// polynomial.
#include "compiler/math/Functions.h"
#include "compiler/math/Primitives.h"

namespace flexsn::math {

/// ln 2 = 15 bits, so that n times them is exact, + 24 bits.
static F withoutHighPart(F x, const Rounded &n) { return fused(n.value, -0.693145752f, x); }

static Exponent withoutLowPart(F exact, const Rounded &n) {
  F r = fused(n.value, -1.42860677e-06f, exact);
  F error = fused(n.value, -1.42860677e-06f, exact - r);
  F q = polynomial(r, {0.000197433139f, 0.0013933694f, 0.0083335666f, 0.0416664779f, 0.166666657f, 0.5f});
  return {n.integer, r, fused(r * r, q, error)};
}

Exponent reduceExponent(F x) {
  Rounded n = roundedProduct(x, 1.44269502f);
  return withoutLowPart(withoutHighPart(x, n), n);
}

Exponent reduceExponent(F x, F low) {
  Rounded n = roundedProduct(x, 1.44269502f);
  return withoutLowPart(withoutHighPart(x, n) + low, n);
}

F exp(F x) {
  Exponent e = reduceExponent(atLeast(atMost(x, 89.0f), -104.0f));
  return scaled(1.0f + (e.r + e.rest), e.n);
}

F exp2OfSum(F high, F low) {
  Rounded n = rounded(high);
  F r = (high - n.value) + low;
  // 2^r = 1 + r q(r), |r| <= 1/2.
  F q = polynomial(r, {0.00015243396f, 0.00133914733f, 0.009618829f, 0.0555035844f, 0.240226448f, 0.693147182f});
  return scaled(fused(q, r, 1.0f), n.integer);
}

/// expm1(x) 2^-j, not normalised: 2^n (r + rest) + (2^n - 1), all divided by 2^j. x <= 88.8 + j ln 2.
static Sum expm1Scaled(F x, I j) {
  Exponent e = reduceExponent(x);
  F power = powerOfTwo(e.n - j);
  F unit = powerOfTwo(I(0) - j);
  F offset = power - unit;
  F lost = (power - offset) - unit; // of the offset, from n = 25 on
  F term = power * e.r;
  F high = offset + term;
  F low = lost + (term - (high - offset));
  return {high, fused(power, e.rest, low)};
}

F expm1(F x) {
  // Halved, since 2^128 is no float; tiny x by itself, since halving would lose bits of subnormals and the sign of
  // zero.
  Sum s = expm1Scaled(atLeast(atMost(x, 89.0f), -20.0f), 1);
  return select(magnitude(x) < 0x1p-25f, x, 2.0f * (s.high + s.low));
}

F exprel(F x) {
  // Scaled by 2^-16 for x > 0, since the quotient is finite up to x = 93.2.
  F bounded = atMost(x, 94.0f);
  B positive = x > 0.0f;
  I scale = select(positive, 16, 0);
  Sum s = expm1Scaled(atLeast(bounded, -20.0f), scale);
  F unscale = select(positive, 65536.0f, 1.0f);
  F result = unscale * ((s.high + s.low) / bounded);
  return select(magnitude(x) < 0x1p-25f, 1.0f, result);
}

F tanh(F x) {
  // E / (E + 2), E = expm1(2 |x|). E stays below 2^25, so that the error of E + 2 is exact; from 9.0109 on the nearest
  // float is 1. One quotient for all x keeps the function odd to the bit.
  F a = magnitude(x);
  Sum s = expm1Scaled(atMost(2.0f * a, 17.3f), 0);
  Sum e = normalised(s.high, s.low);
  F sum = e.high + 2.0f;
  Sum d = {sum, (e.high - (sum - 2.0f)) + e.low};
  return withSignOf(select(a > 9.01091f, 1.0f, quotient(e, d)), x);
}

F sigmoid(F x) {
  // x >= 0: 1 / (1 + e), x < 0: e / (1 + e), e = exp(-|x|) = 2^n (high + low). The numerator's 2^n is applied last, so
  // that small results lose no bits.
  Exponent e = reduceExponent(atLeast(-magnitude(x), -104.0f));
  F one = 1.0f + e.r;
  Sum m = normalised(one, (e.r - (one - 1.0f)) + e.rest);
  F power = powerOfTwo(select(e.n < -126, -126, e.n));
  F sum = fused(power, m.high, 1.0f);
  F lost = fused(power, m.high, 1.0f - sum);
  Sum d = {sum, fused(power, m.low, lost)};
  B negative = x < 0.0f;
  Sum n = {select(negative, m.high, 1.0f), select(negative, m.low, 0.0f)};
  return scaled(quotient(n, d), select(negative, e.n, 0));
}

F sinh(F x) {
  // (E + E / (E + 1)) / 2 with E = expm1(|x|), everything divided by 4.
  F a = magnitude(x);
  Sum s = expm1Scaled(atMost(a, 89.5f), 2);
  F e = s.high + s.low;
  F result = 2.0f * (e + e / fused(4.0f, e, 1.0f));
  return withSignOf(select(a < 0x1p-13f, a, result), x);
}

F cosh(F x) {
  // exp(|x|) / 2 + 1 / (2 exp(|x|)), both by way of exp(|x|) / 4.
  Exponent e = reduceExponent(atMost(magnitude(x), 89.5f));
  F quarter = (1.0f + (e.r + e.rest)) * powerOfTwo(e.n - 2);
  return 2.0f * (quarter + 0.0625f / quarter);
}

} // namespace flexsn::math
