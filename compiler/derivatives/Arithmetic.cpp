// Rules of arithmetic, selections and what is exact.
#include "compiler/derivatives/Rule.h"

#include "mlir/Dialect/Math/IR/Math.h"

namespace flexsn::derivatives {

static void add(Rule &r) {
  r.to(0, r.gradient());
  r.to(1, r.gradient());
}

static void subtract(Rule &r) {
  r.to(0, r.gradient());
  if (r.wants(1))
    r.to(1, -r.gradient());
}

static void negate(Rule &r) { r.to(0, -r.gradient()); }

static void multiply(Rule &r) {
  if (r.wants(0))
    r.to(0, r.gradient() * r.x(1));
  if (r.wants(1))
    r.to(1, r.gradient() * r.x(0));
}

static void divide(Rule &r) {
  F byNumerator = r.gradient() / r.x(1);
  r.to(0, byNumerator);
  if (r.wants(1))
    r.to(1, -(byNumerator * r.y()));
}

static void fuse(Rule &r) {
  multiply(r);
  r.to(2, r.gradient());
}

/// Each side counts where it was taken, and is exactly zero elsewhere.
static void select(Rule &r) {
  mlir::Value condition = r.op->getOperand(0);
  r.toWhere(condition, true, 1, r.gradient());
  r.toWhere(condition, false, 2, r.gradient());
}

static void abs(Rule &r) { r.to(0, r.gradient() * r.call<neuron::SignOp>(r.x())); }

/// Half to each side at a tie, and all of it to both of which one is NaN, as in PyTorch.
static void extremum(Rule &r, B firstLoses, B secondLoses) {
  F g = r.gradient(), shared = math::select(r.x(0) == r.x(1), g * 0.5, g);
  if (r.wants(0))
    r.to(0, math::select(firstLoses, 0.0, shared));
  if (r.wants(1))
    r.to(1, math::select(secondLoses, 0.0, shared));
}
static void min(Rule &r) { extremum(r, r.x(0) > r.x(1), r.x(1) > r.x(0)); }
static void max(Rule &r) { extremum(r, r.x(0) < r.x(1), r.x(1) < r.x(0)); }

/// 1 on the bounds. Where the bounds are crossed the result is `high`.
static void clip(Rule &r) {
  F g = r.gradient(), x = r.x(0), low = r.x(1), high = r.x(2);
  if (r.wants(0))
    r.to(0, math::select((x >= low) & (x <= high), g, 0.0));
  if (r.wants(1))
    r.to(1, math::select((x < low) & (low < high), g, 0.0));
  if (r.wants(2))
    r.to(2, math::select((x > high) | (low > high), g, 0.0));
}

/// 0 at 0; a NaN passes it on.
static void relu(Rule &r) { r.to(0, math::select(r.x() <= 0.0, 0.0, r.gradient())); }

static void fmod(Rule &r) {
  r.to(0, r.gradient());
  if (r.wants(1))
    r.to(1, -(r.gradient() * r.call<neuron::TruncOp>(r.x(0) / r.x(1))));
}

static void remainder(Rule &r) {
  r.to(0, r.gradient());
  if (r.wants(1))
    r.to(1, -(r.gradient() * r.call<neuron::FloorDivOp>(r.x(0), r.x(1))));
}

static void sqrt(Rule &r) { r.to(0, r.gradient() / (2.0 * r.y())); }
static void rsqrt(Rule &r) { r.to(0, -0.5 * r.gradient() * (r.y() * r.y() * r.y())); }

/// n x^(n-1); a power beyond what the op takes is a quotient.
static void integerPower(Rule &r) {
  auto exponent = static_cast<int32_t>(llvm::cast<neuron::IntPowOp>(r.op).getExponent());
  constexpr int32_t least = -8;
  if (exponent == 0)
    return;
  if (exponent == 1)
    return r.to(0, r.gradient());
  mlir::OpBuilder &builder = r.gradients.builder;
  auto power = [&]() -> mlir::Value {
    return neuron::IntPowOp::create(builder, r.op->getLoc(), r.op->getResult(0).getType(), r.op->getOperand(0),
                                    builder.getI32IntegerAttr(exponent - 1));
  };
  F factor = exponent == 2 ? r.x() : exponent > least ? r.value(power()) : r.y() / r.x();
  r.to(0, r.gradient() * (static_cast<double>(exponent) * factor));
}

void attachArithmetic(mlir::MLIRContext *context) {
  attach<mlir::arith::AddFOp, add>(context);
  attach<mlir::arith::SubFOp, subtract>(context);
  attach<mlir::arith::NegFOp, negate>(context);
  attach<mlir::arith::MulFOp, multiply>(context);
  attach<mlir::arith::DivFOp, divide>(context);
  attach<mlir::arith::SelectOp, select>(context);
  attach<mlir::math::FmaOp, fuse>(context);
  attach<neuron::AbsOp, abs>(context);
  attach<neuron::MinOp, min>(context);
  attach<neuron::MaxOp, max>(context);
  attach<neuron::ClipOp, clip>(context);
  attach<neuron::ReluOp, relu>(context);
  attach<neuron::FmodOp, fmod>(context);
  attach<neuron::RemainderOp, remainder>(context);
  attach<neuron::SqrtOp, sqrt>(context);
  attach<neuron::RsqrtOp, rsqrt>(context);
  attach<neuron::IntPowOp, integerPower>(context);
}

} // namespace flexsn::derivatives
