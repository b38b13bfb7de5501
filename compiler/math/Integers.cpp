// Functions of int32. They wrap, and no operand makes them undefined.
#include "compiler/math/Functions.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

namespace flexsn::math::ints {

namespace arith = mlir::arith;

I abs(I x) { return select(x < 0, 0 - x, x); }
I min(I a, I b) { return select(b < a, b, a); }
I max(I a, I b) { return select(a < b, b, a); }
I clip(I x, I low, I high) { return min(max(x, low), high); }
I relu(I x) { return max(x, 0); }
I sign(I x) { return select(x < 0, -1, select(x == 0, 0, 1)); }

namespace {
/// x = quotient * y + rest, cut towards zero.
struct Division {
  I quotient, rest;
  B undefined; ///< y = 0
  B wrongSide; ///< the rest is not 0 and has not the sign of y: rounding down is one below
};
} // namespace

/// The one overflow, the smallest int by -1, divides by 1 instead: the wrapped quotient, and no rest.
static Division divide(I x, I y) {
  Context &context = *x.context;
  B undefined = y == 0;
  B overflow = (x == INT32_MIN) & (y == -1);
  I divisor = select(undefined | overflow, 1, y);
  I quotient(context, context.make<arith::DivSIOp>(x.in(context), divisor.in(context)));
  I rest = x - quotient * divisor;
  return {quotient, rest, undefined, (rest != 0) & ((rest ^ y) < 0)};
}

I floordiv(I x, I y) {
  Division d = divide(x, y);
  I floor = select(d.wrongSide, d.quotient - 1, d.quotient);
  return select(d.undefined, 0, floor);
}

I remainder(I x, I y) {
  Division d = divide(x, y);
  I rest = select(d.wrongSide, d.rest + y, d.rest);
  return select(d.undefined, 0, rest);
}

I ipow(I x, int exponent) {
  Context &context = *x.context;
  if (exponent == 0)
    return I(context, I(1).in(context));
  I product = x;
  for (int factors = 1; factors < exponent; ++factors)
    product = product * x;
  return product;
}

} // namespace flexsn::math::ints
