// erf and erfc.
#include "compiler/math/Functions.h"
#include "compiler/math/Primitives.h"

namespace flexsn::math {

F erf(F x) {
  F a = magnitude(x);
  F p = polynomial(x * x, {7.84617296e-05f, -0.000800788926f, 0.00518807443f, -0.0268536918f, 0.112835832f,
                           -0.37612626f, 0.128379166f});
  F inner = fused(a, p, a);

  // From 1 on 1 - 2^-T(|x|), T a polynomial for -log2(erfc), weighted by erfc; 1 from 3.92 on.
  F b = atMost(a, 4.0f);
  F t = polynomial(
      b, {-0.000271185709f, 0.00427615596f, -0.0316043608f, 0.148967206f, 0.920388937f, 1.62620914f, 0.000450799271f});
  F outer = 1.0f - exp2OfSum(-t, 0.0f);
  return withSignOf(select(a < 1.0f, inner, outer), x);
}

F erfc(F x) {
  // erfc(a) = exp(-a^2) p(t) / (1 + 2 a), t = (a - 2) / (a + 2), a = |x| (the form of Shepherd and Laframboise); a^2 in
  // two floats. 2 - erfc(a) for negative x.
  F a = atMost(magnitude(x), 10.1f);
  F square = a * a;
  F squareLow = fused(a, a, -square);
  Exponent e = reduceExponent(-square, -squareLow);
  F t = (a - 2.0f) / (a + 2.0f);
  F p = polynomial(t, {-0.000409862259f, -0.00124178419f, 0.00132173847f, 0.00864431076f, -0.0080622239f,
                       -0.0542087927f, 0.164055601f, -0.166030839f, -0.0927639902f, 1.27697837f});
  F d = fused(2.0f, a, 1.0f);
  F dLow = fused(2.0f, a, 1.0f - d);
  F y = quotient({p, 0.0f}, {d, dLow});
  F result = scaled(fused(y, e.r + e.rest, y), e.n);
  return select(x < 0.0f, 2.0f - result, result);
}

} // namespace flexsn::math
