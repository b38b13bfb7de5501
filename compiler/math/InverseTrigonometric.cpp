// atan, atan2, asin, acos: odd polynomials near 0, identities beyond.
#include "compiler/math/Functions.h"
#include "compiler/math/Primitives.h"

namespace flexsn::math {

// pi/2 and pi in two floats.
static constexpr float halfPi = 1.57079637f, halfPiLow = -4.37113883e-08f;
static constexpr float pi = 3.14159274f, piLow = -8.74227766e-08f;

/// atan(a) = a + a z q(z), z = a^2, 0 <= a <= 1.
static F atanPolynomial(F z) {
  return polynomial(z, {-0.001791502f, 0.0109045366f, -0.0311577655f, 0.0579358004f, -0.0840205625f, 0.109516546f,
                        -0.142641261f, 0.199985355f, -0.333332986f});
}

F atan(F x) {
  // |x| > 1: pi/2 - atan(1 / |x|). The rounding errors of the reciprocal (derivative 1 / (1 + a^2), about 1 - a^2 / 2),
  // of the sum and of the square (about -0.22 a^3 q(z) / z where it counts) are made good.
  F b = atMost(magnitude(x), 0x1p126f);
  B inverted = b > 1.0f;
  F a = select(inverted, 1.0f / b, b);
  F z = a * a;
  F cube = z * a;
  F q = atanPolynomial(z);
  F error = fused(-a, b, 1.0f) * a;
  F base = halfPi - a;
  F low = ((halfPi - base) - a) + halfPiLow;
  F slope = fused(z, -0.5f, 1.0f);
  low = fused(-error, slope, low);
  low = fused(fused(a, a, -z), 0.22f, low);
  F outer = base + fused(-cube, q, low);
  return withSignOf(select(inverted, outer, fused(cube, q, a)), x);
}

F atan2(F y, F x) {
  // The angle of min / max in the first octant, then reflected at the diagonal and at the y axis.
  F a = magnitude(x);
  F b = magnitude(y);
  B steep = b > a;
  F smaller = select(steep, a, b);
  F larger = select(steep, b, a);
  F t = smaller / larger;
  t = select(larger == 0.0f, 0.0f, t);
  t = select(smaller == infinity, 1.0f, t);
  F z = t * t;
  F angle = fused(z * t, atanPolynomial(z), t);
  B behind = bits(x) < 0;
  F base = select(steep, halfPi, select(behind, pi, 0.0f));
  F baseLow = select(steep, halfPiLow, select(behind, piLow, 0.0f));
  angle = select(steep ^ behind, -angle, angle);
  angle = base + (baseLow + angle);
  B undefined = (x != x) | (y != y);
  return withSignOf(select(undefined, notANumber, angle), y);
}

namespace {
/// asin's argument halved where |x| > 1/2: asin(|x|) = pi/2 - 2 asin(sqrt((1 - |x|) / 2)).
struct Halved {
  B outer;
  F angle; ///< asin of the argument that is at most 1/2
};
} // namespace

static Halved halvedAsin(F x) {
  F a = magnitude(x);
  B outer = a > 0.5f;
  F z = select(outer, fused(-0.5f, a, 0.5f), a * a);
  F s = select(outer, root(z), a);
  F q = polynomial(z, {0.042157013f, 0.0241855029f, 0.0454690196f, 0.0749531016f, 0.166667521f});
  return {outer, fused(s * z, q, s)};
}

F asin(F x) {
  Halved h = halvedAsin(x);
  F outer = halfPi + fused(-2.0f, h.angle, halfPiLow);
  return withSignOf(select(h.outer, outer, h.angle), x);
}

F acos(F x) {
  Halved h = halvedAsin(x);
  B negative = x < 0.0f;
  F angle = select(h.outer, 2.0f * h.angle, h.angle);
  F base = select(h.outer, select(negative, pi, 0.0f), halfPi);
  F baseLow = select(h.outer, select(negative, piLow, 0.0f), halfPiLow);
  return base + (baseLow + select(negative ^ h.outer, angle, -angle));
}

} // namespace flexsn::math
