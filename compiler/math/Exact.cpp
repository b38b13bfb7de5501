// Functions of both compute types whose result is defined to the bit: IEEE operations, and fixed formulas over them.
#include "compiler/math/Functions.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Math/IR/Math.h>

namespace flexsn::math {

namespace arith = mlir::arith;

/// One op on floats, all of the first one's context.
template <class Op, class... More> static F make(F x, More... more) {
  Context &context = *x.context;
  return F(context, context.make<Op>(x.in(context), more.in(context)...));
}

F abs(F x) { return make<mlir::math::AbsFOp>(x); }
F min(F a, F b) { return make<arith::MinimumFOp>(a, b); }
F max(F a, F b) { return make<arith::MaximumFOp>(a, b); }
F clip(F x, F low, F high) { return min(max(x, low), high); }
F relu(F x) { return max(x, 0.0); }
F sign(F x) { return select(x > 0.0, 1.0, select(x < 0.0, -1.0, 0.0)); }
F sqrt(F x) { return root(x); }
F rsqrt(F x) { return 1.0 / root(x); }
F floor(F x) { return make<mlir::math::FloorOp>(x); }
F ceil(F x) { return make<mlir::math::CeilOp>(x); }
F round(F x) { return make<mlir::math::RoundEvenOp>(x); }
F trunc(F x) { return make<mlir::math::TruncOp>(x); }
F fmod(F x, F y) { return make<arith::RemFOp>(x, y); }

B isnan(F x) { return x != x; }

/// Whether C's remainder m of a division by y has to move one y up: it is not 0 and has not the sign of y.
static B wrongSide(F m, F y) { return (m != 0.0) & ((y < 0.0) ^ (m < 0.0)); }

// Two corrections by the remainder. The first leaves an error below a unit in the last place, from where the second
// rounds as a division does (P. Markstein, Computation of elementary functions on the IBM RISC System/6000, 1990). The
// remainders are exact as long as none is subnormal and nothing overflows: outside of that, which silent neurons and
// infinities alone see, the division is made. Written so, a zero keeps its sign for d > 0.
F divideByInvariant(F a, F d, F r) {
  Context &context = *a.context;
  double least = context.isDouble() ? 0x1p-600 : 0x1p-86, largest = context.isDouble() ? 0x1p600 : 0x1p86;
  F guess = a * r;
  F near = fused(fused(guess, d, -a), -r, guess);
  F quotient = fused(fused(near, d, -a), -r, near);
  B tiny = (abs(a) < least) & (a != 0.0);
  B large = !(abs(guess) <= largest); // NaN too
  return F(context, selectRare(tiny | large, [&] { return llvm::SmallVector<mlir::Value>{(a / d).in(context)}; },
                               {quotient.in(context)})[0]);
}

F floordiv(F x, F y) {
  // (x - m) / y is nearly a whole number; rounding it repairs the division's own rounding.
  F m = fmod(x, y);
  F quotient = (x - m) / y;
  quotient = select(wrongSide(m, y), quotient - 1.0, quotient);
  F whole = floor(quotient);
  whole = select(quotient - whole > 0.5, whole + 1.0, whole);
  F plain = x / y;
  F zero = make<mlir::math::CopySignOp>(F(*x.context, F(0.0).in(*x.context)), plain);
  F result = select(quotient != 0.0, whole, zero);
  return select(y == 0.0, plain, result);
}

F remainder(F x, F y) {
  F m = fmod(x, y);
  return select(wrongSide(m, y), m + y, m);
}

F ipow(F x, int exponent) {
  Context &context = *x.context;
  if (exponent == 0)
    return F(context, F(1.0).in(context));
  F product = x;
  for (int factors = 1; factors < std::abs(exponent); ++factors)
    product = product * x;
  return exponent < 0 ? 1.0 / product : product;
}

F spike(F x, bool strict) { return select(strict ? x > 0.0 : x >= 0.0, 1.0, 0.0); }

F quant(F x, F low, F high) { return round(clip(x, low, high)); }

I toInt(F x) {
  // arith.fptosi has no result beyond the int's range: it sees 0 there.
  B above = x >= 0x1p31;
  B below = x < -0x1p31;
  F inside = select(above | below | isnan(x), 0.0, x);
  Context &context = *x.context;
  I whole(context, context.make<arith::FPToSIOp>(context.intType(), inside.in(context)));
  return select(above, INT32_MAX, select(below, INT32_MIN, whole));
}

} // namespace flexsn::math
