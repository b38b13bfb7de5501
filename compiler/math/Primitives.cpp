#include "compiler/math/Primitives.h"

namespace flexsn::math {

static constexpr uint32_t signBit = 0x80000000u;

F magnitude(F x) { return fromBits(bits(x) & 0x7fffffffu); }

F withSignOf(F x, F s) {
  I sign = bits(s) & signBit;
  return fromBits(bits(x) ^ sign);
}

F atMost(F x, F limit) { return select(x > limit, limit, x); }
F atLeast(F x, F limit) { return select(x < limit, limit, x); }

F powerOfTwo(I n) { return fromBits((n + 127) << 23); }

F scaled(F x, I n) {
  I half = shiftedArithmetic(n, 1);
  F first = x * powerOfTwo(half);
  return first * powerOfTwo(n - half);
}

/// Adding 1.5 * 2^23 rounds at the units and leaves the whole number in the low bits.
static constexpr float roundingShift = 12582912.0f;
static Rounded unshifted(F sum) { return {sum - roundingShift, bits(sum) - 0x4b400000u}; }

Rounded roundedProduct(F a, F b) { return unshifted(fused(a, b, roundingShift)); }
Rounded rounded(F a) { return unshifted(a + roundingShift); }

Sum normalised(F high, F low) {
  F sum = high + low;
  return {sum, low - (sum - high)};
}

F quotient(Sum n, Sum d) {
  F reciprocal = 1.0f / d.high;
  F q = n.high * reciprocal;
  F negated = -q;
  F remainder = fused(negated, d.high, n.high);
  remainder = remainder + fused(negated, d.low, n.low);
  return fused(remainder, reciprocal, q);
}

} // namespace flexsn::math
