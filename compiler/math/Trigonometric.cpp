// sin, cos, tan of any float: pi/2 in three parts below 1024; from there on the method of Payne and Hanek in 32-bit
// integers.
#include "compiler/math/Functions.h"
#include "compiler/math/Primitives.h"

namespace flexsn::math {

namespace {
/// |x| = (4 i + quadrant) pi/2 + r + low, |r| < 0.786.
struct Angle {
  F r;
  F low;
  I quadrant;
};

/// 96 bits of 2/pi, from its bit `offset` - 15 on.
struct Window {
  I w0, w1, w2;
};
} // namespace

/// |x| < 1024: pi/2 in parts of 22, 13 and 24 bits. n has 10 bits: the first two steps are exact or, as long as r is
/// large enough, their error is (a fused step has one rounding).
static Angle reduceSmall(F x) {
  Rounded n = roundedProduct(x, 0.636619747f);
  F first = fused(n.value, -1.57079649f, x);
  F r = fused(n.value, 1.62923243e-07f, first);
  F low = fused(n.value, 1.62923243e-07f, first - r);
  return {r, fused(n.value, -2.56334407e-12f, low), n.integer};
}

static Window twoOverPi(I offset) {
  // 2/pi after 15 zero bits; words offset / 32 and the next three, then shifted by offset % 32.
  B by2 = (offset & 64u) != 0u;
  I a0 = select(by2, 0x2a53f84eu, 0x000145f3u);
  I a1 = select(by2, 0xafa3ea69u, 0x06dc9c88u);
  I a2 = select(by2, 0xbb81b6c5u, 0x2a53f84eu);
  I a3 = select(by2, 0x2b327887u, 0xafa3ea69u);
  I a4 = select(by2, 0x2083fca2u, 0xbb81b6c5u);
  B by1 = (offset & 32u) != 0u;
  I b0 = select(by1, a1, a0);
  I b1 = select(by1, a2, a1);
  I b2 = select(by1, a3, a2);
  I b3 = select(by1, a4, a3);
  I left = offset & 31u;
  I right = left ^ 31u; // 31 - left; one more step of 1 keeps each shift below 32
  I w0 = (b0 << left) | shiftedLogical(shiftedLogical(b1, 1), right);
  I w1 = (b1 << left) | shiftedLogical(shiftedLogical(b2, 1), right);
  I w2 = (b2 << left) | shiftedLogical(shiftedLogical(b3, 1), right);
  return {w0, w1, w2};
}

/// The signed fraction of 64 bits, of a quadrant, as an angle in two floats. Scaled by powers of two, all exactly.
static Sum fractionAngle(I high, I low) {
  F upper = toFloat(high & 0xffffff00u);                              // times 2^-32
  F next = toFloat(((high & 0xffu) << 16) | shiftedLogical(low, 16)); // times 2^-48
  F lower = toFloat(low & 0xffffu);                                   // times 2^-64
  F r = upper * (1.57079637f * 0x1p-32f);
  F error = fused(upper, 1.57079637f * 0x1p-32f, -r);
  error = fused(upper, -4.37113883e-08f * 0x1p-32f, error);
  error = fused(next, -4.37113883e-08f * 0x1p-48f, error);
  error = fused(lower, 1.57079637f * 0x1p-64f, error);
  error = fused(next, 1.57079637f * 0x1p-48f, error);
  return normalised(r, error);
}

/// 1024 <= |x| < infinity: 96 bits of 2/pi, chosen by the exponent so that x times the bits before them is a multiple
/// of 4, times the 24 bits of x, modulo 2^96. The product's first 2 bits are the quadrant.
static Angle reduceLarge(F x) {
  I offset = (shiftedLogical(bits(x), 23) & 0xffu) - 137u;
  I mantissa = (bits(x) & 0x007fffffu) | 0x00800000u;
  Window w = twoOverPi(offset);

  I middle = mantissa * w.w1;
  I carried = middle + highProduct(mantissa, w.w2);
  I carry = select(unsignedLess(carried, middle), 1u, 0u);
  I high = mantissa * w.w0 + highProduct(mantissa, w.w1) + carry;

  // To the nearest quadrant: the rest is a signed fraction, kept as magnitude and sign.
  I quadrant = shiftedLogical(high, 30) + (shiftedLogical(high, 29) & 1u);
  I fractionHigh = (high << 2) | shiftedLogical(carried, 30);
  I fractionLow = carried << 2;
  I sign = shiftedArithmetic(fractionHigh, 31);
  Sum angle = fractionAngle(fractionHigh ^ sign, fractionLow ^ sign);
  I signBit = sign & 0x80000000u;
  return {fromBits(bits(angle.high) ^ signBit), fromBits(bits(angle.low) ^ signBit), quadrant};
}

static Angle reduceAngle(F x) {
  Context &context = *x.context;
  Angle small = reduceSmall(x);
  auto large = [&]() -> llvm::SmallVector<mlir::Value> {
    Angle a = reduceLarge(x);
    return {a.r.in(context), a.low.in(context), a.quadrant.in(context)};
  };
  auto chosen =
      selectRare(x >= 1024.0f, large, {small.r.in(context), small.low.in(context), small.quadrant.in(context)});
  F r = select(x < infinity, F(context, chosen[0]), notANumber);
  return {r, F(context, chosen[1]), I(context, chosen[2])};
}

static F sineOf(const Angle &a) {
  F z = a.r * a.r;
  F q = polynomial(z, {-0.000195180852f, 0.00833218824f, -0.166666552f});
  return a.r + fused(z * a.r, q, a.low);
}

/// 1 - z/2 with its rounding error, then z^2 (1/24 - ...) - r low.
static F cosineOf(const Angle &a) {
  F z = a.r * a.r;
  F q = polynomial(z, {2.44325456e-05f, -0.00138873106f, 0.0416666456f});
  F half = 0.5f * z;
  F high = 1.0f - half;
  F error = (1.0f - high) - half;
  F low = fused(-a.r, a.low, error);
  return high + fused(z * z, q, low);
}

static B isOdd(I quadrant) { return (quadrant & 1u) != 0u; }

F sin(F x) {
  Angle a = reduceAngle(magnitude(x));
  F result = select(isOdd(a.quadrant), cosineOf(a), sineOf(a));
  I flip = (a.quadrant << 30) & 0x80000000u;
  return fromBits(bits(result) ^ flip ^ (bits(x) & 0x80000000u));
}

F cos(F x) {
  Angle a = reduceAngle(magnitude(x));
  F result = select(isOdd(a.quadrant), sineOf(a), cosineOf(a));
  return fromBits(bits(result) ^ (((a.quadrant + 1u) << 30) & 0x80000000u));
}

F tan(F x) {
  Angle a = reduceAngle(magnitude(x));
  F s = sineOf(a);
  F c = cosineOf(a);
  B swapped = isOdd(a.quadrant);
  F result = select(swapped, -c, s) / select(swapped, s, c);
  return fromBits(bits(result) ^ (bits(x) & 0x80000000u));
}

} // namespace flexsn::math
