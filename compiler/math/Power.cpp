// pow: the logarithm to base 2 in two floats, times y, exp2.
#include "compiler/math/Functions.h"
#include "compiler/math/Primitives.h"

namespace flexsn::math {

/// log2(x) in two floats for x >= 0: k + L (s + ...), s = f / (2 + f), L = 2 / ln 2 (the series of atanh). The two
/// floats leave 2^-31 of the logarithm.
static Sum log2InTwo(F x) {
  Fraction m = fraction(x);
  F d = 2.0f + m.f;
  F dLow = m.f - (d - 2.0f);
  F reciprocal = 1.0f / d;
  F s = m.f * reciprocal;
  F remainder = fused(-s, d, m.f);
  F sLow = fused(-s, dLow, remainder) * reciprocal;
  // L (s + sLow) + s (w + wLow), w = z (0.9618 + z q).
  F z = s * s;
  F zError = fused(s, s, -z);
  F zLow = fused(2.0f * s, sLow, zError);
  F q = polynomial(z, {0.340862602f, 0.411763728f, 0.577080011f});
  F w = z * 0.961796701f;
  F wLow = fused(z, 0.961796701f, -w);
  wLow = fused(zLow, 0.961796701f, wLow);
  wLow = fused(z * z, q, wLow);
  F product = s * 2.88539004f;
  F productLow = fused(s, 2.88539004f, -product);
  productLow = fused(s, 3.85192607e-08f, productLow);
  productLow = fused(sLow, 2.88539004f + w, productLow);
  productLow = fused(s, wLow, productLow);
  productLow = fused(s, w, productLow);
  F k = toFloat(m.k);
  F sum = k + product;
  Sum log = normalised(sum, (product - (sum - k)) + productLow);
  F high = select(x == 0.0f, -infinity, log.high);
  return {select(x == infinity, infinity, high), log.low};
}

/// 2^(y log), the exponent as a product in two floats.
static F exp2OfProduct(F y, Sum log) {
  F t = y * log.high;
  F error = fused(y, log.high, -t);
  F low = fused(y, log.low, error);
  low = select(magnitude(t) < 200.0f, low, 0.0f);
  return exp2OfSum(atLeast(atMost(t, 200.0f), -200.0f), low);
}

F pow(F x, F y) {
  F a = magnitude(x);
  F result = exp2OfProduct(y, log2InTwo(a));

  // y is an integer, and odd? Adding 2^23 leaves the units in the last bit; from 2^23 on they are there already.
  F b = magnitude(y);
  B fractional = b < 0x1p23f;
  F units = select(fractional, b + 0x1p23f, b);
  B integer = (units - 0x1p23f == b) | !fractional;
  B odd = integer & (b < 0x1p24f) & ((bits(units) & 1u) != 0u);
  result = select(odd, withSignOf(result, x), result);
  B undefined = (x < 0.0f) & (a < infinity) & !integer;
  undefined = undefined | (x != x) | (y != y);
  result = select(undefined, notANumber, result);
  B one = (y == 0.0f) | (x == 1.0f) | ((a == 1.0f) & (b == infinity));
  return select(one, 1.0f, result);
}

} // namespace flexsn::math
