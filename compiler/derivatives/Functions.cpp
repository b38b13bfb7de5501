// Rules of the transcendental functions.
#include "compiler/derivatives/Rule.h"

#include <numbers>

namespace flexsn::derivatives {

static void exp(Rule &r) { r.to(0, r.gradient() * r.y()); }
static void expm1(Rule &r) { r.to(0, r.gradient() * (r.y() + 1.0)); }

/// ((x - 1) e^x + 1) / x^2 cancels where x is small; there it is the sum of (k + 1) x^k / (k + 2)!.
static void exprel(Rule &r) {
  F x = r.x(), y = r.y();
  // Beyond |x| = 1/2 the next term is below half a unit in the last place.
  int terms = r.isDouble() ? 16 : 9;
  double factorial = 1;
  for (int k = 2; k <= terms + 1; ++k)
    factorial *= k;
  F sum = static_cast<double>(terms) / factorial;
  for (int k = terms - 2; k >= 0; --k) {
    factorial /= k + 3;
    sum = sum * x + (k + 1) / factorial;
  }
  F far = ((y * x + 1.0) - y) / x;
  r.to(0, r.gradient() * math::select(r.call<neuron::AbsOp>(x) < 0.5, sum, far));
}

static void log(Rule &r) { r.to(0, r.gradient() / r.x()); }
static void log1p(Rule &r) { r.to(0, r.gradient() / (r.x() + 1.0)); }
static void log2(Rule &r) { r.to(0, r.gradient() / (r.x() * std::numbers::ln2)); }
static void sin(Rule &r) { r.to(0, r.gradient() * r.call<neuron::CosOp>(r.x())); }
static void cos(Rule &r) { r.to(0, -(r.gradient() * r.call<neuron::SinOp>(r.x()))); }
static void tan(Rule &r) { r.to(0, r.gradient() * (r.y() * r.y() + 1.0)); }
static void tanh(Rule &r) { r.to(0, r.gradient() * (1.0 - r.y() * r.y())); }
static void sinh(Rule &r) { r.to(0, r.gradient() * r.call<neuron::CoshOp>(r.x())); }
static void cosh(Rule &r) { r.to(0, r.gradient() * r.call<neuron::SinhOp>(r.x())); }
static void asin(Rule &r) { r.to(0, r.gradient() * r.call<neuron::RsqrtOp>(1.0 - r.x() * r.x())); }
static void acos(Rule &r) { r.to(0, -(r.gradient() * r.call<neuron::RsqrtOp>(1.0 - r.x() * r.x()))); }
static void atan(Rule &r) { r.to(0, r.gradient() / (r.x() * r.x() + 1.0)); }
static void sigmoid(Rule &r) { r.to(0, r.gradient() * ((1.0 - r.y()) * r.y())); }
static void softplus(Rule &r) { r.to(0, r.gradient() * r.call<neuron::SigmoidOp>(r.x())); }

/// The angle of (y, x), whose first operand is y.
/// As in PyTorch: none at the origin, where there is no direction.
static void atan2(Rule &r) {
  F up = r.x(0), right = r.x(1), square = up * up + right * right;
  F scaled = math::select(square == 0.0, 0.0, r.gradient() / square);
  if (r.wants(0))
    r.to(0, scaled * right);
  if (r.wants(1))
    r.to(1, -(scaled * up));
}

static F bell(Rule &r) { return 2.0 * std::numbers::inv_sqrtpi * r.call<neuron::ExpOp>(-(r.x() * r.x())); }
static void erf(Rule &r) { r.to(0, r.gradient() * bell(r)); }
static void erfc(Rule &r) { r.to(0, -(r.gradient() * bell(r))); }

/// As in PyTorch: no gradient of the base at exponent 0, none of the exponent at base 0 unless it is negative.
static void pow(Rule &r) {
  F g = r.gradient(), base = r.x(0), exponent = r.x(1);
  if (r.wants(0)) {
    F slope = g * (exponent * r.call<neuron::PowOp>(base, exponent - 1.0));
    r.to(0, math::select(exponent == 0.0, 0.0, slope));
  }
  if (r.wants(1)) {
    F slope = g * (r.y() * r.call<neuron::LogOp>(base));
    r.to(1, math::select((base == 0.0) & (exponent >= 0.0), 0.0, slope));
  }
}

void attachFunctions(mlir::MLIRContext *context) {
  attach<neuron::ExpOp, exp>(context);
  attach<neuron::Expm1Op, expm1>(context);
  attach<neuron::ExprelOp, exprel>(context);
  attach<neuron::LogOp, log>(context);
  attach<neuron::Log1pOp, log1p>(context);
  attach<neuron::Log2Op, log2>(context);
  attach<neuron::SinOp, sin>(context);
  attach<neuron::CosOp, cos>(context);
  attach<neuron::TanOp, tan>(context);
  attach<neuron::TanhOp, tanh>(context);
  attach<neuron::SinhOp, sinh>(context);
  attach<neuron::CoshOp, cosh>(context);
  attach<neuron::AsinOp, asin>(context);
  attach<neuron::AcosOp, acos>(context);
  attach<neuron::AtanOp, atan>(context);
  attach<neuron::Atan2Op, atan2>(context);
  attach<neuron::SigmoidOp, sigmoid>(context);
  attach<neuron::SoftplusOp, softplus>(context);
  attach<neuron::ErfOp, erf>(context);
  attach<neuron::ErfcOp, erfc>(context);
  attach<neuron::PowOp, pow>(context);
}

} // namespace flexsn::derivatives
