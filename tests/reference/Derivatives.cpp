#include "tests/reference/Derivatives.h"

#include "compiler/frontend/Surrogates.h"
#include "tests/reference/Arithmetic.h"
#include "tests/reference/Surrogates.h"

#include <numbers>

namespace flexsn::reference {
namespace {

using Arguments = std::span<const double>;

/// 1 where the adjoint passes.
Slope passing(bool passes) { return passes ? Slope(1) : Slope::mask(); }

/// Half to each side at a tie; all to both where either is NaN, as in PyTorch.
Slopes extreme(double a, double b, bool larger) {
  if (a == b)
    return {0.5, 0.5};
  const bool notA = larger ? a < b : a > b, notB = larger ? a > b : a < b;
  return {passing(!notA), passing(!notB)};
}

/// 1 on the bounds; the bound that is in force has the gradient outside.
Slopes clipped(double x, double low, double high) {
  return {passing(x >= low && x <= high), passing(x < low && low < high), passing(x > high || high < low)};
}

Slopes quotient(double a, double b) { return {1 / b, -(a / b) / b}; }

Slopes power(double x, double exponent, double y) {
  const bool flat = x == 0 && exponent >= 0;
  return {exponent == 0 ? Slope::mask() : exponent * std::pow(x, exponent - 1), flat ? Slope::mask() : y * std::log(x)};
}

Slopes angle(double y, double x) {
  if (x == 0 && y == 0)
    return {Slope::mask(), Slope::mask()}; // as PyTorch has it, where 0 / 0 would be NaN
  const double scale = 1 / (x * x + y * y);
  return {x * scale, -y * scale};
}

/// d/dx of (e^x - 1)/x. Near 0 its formula cancels: there by the series.
double exprelSlope(double x, double y) {
  if (std::isinf(x))
    return x > 0 ? x : 0;
  if (std::fabs(x) > 1)
    return (std::exp(x) - y) / x;
  double sum = 0, term = 0.5; // x^k / (k + 2)!
  for (int k = 0; k < 24; ++k) {
    sum += (k + 1) * term;
    term *= x / (k + 3);
  }
  return sum;
}

double gauss(double x) { return 2 / std::sqrt(std::numbers::pi) * std::exp(-x * x); }

/// Functions of one argument; none where they are made of steps.
std::optional<Slope> slope(Function function, double x, double y) {
  switch (function) {
  case Function::Abs: return sign(x);
  case Function::Sqrt: return 1 / (2 * y);
  case Function::Rsqrt: return -0.5 * y * y * y;
  case Function::Exp: return y;
  case Function::Expm1: return y + 1;
  case Function::Exprel: return exprelSlope(x, y);
  case Function::Log: return 1 / x;
  case Function::Log1p: return 1 / (1 + x);
  case Function::Log2: return 1 / (x * std::numbers::ln2);
  case Function::Sin: return std::cos(x);
  case Function::Cos: return -std::sin(x);
  case Function::Tan: return 1 + y * y;
  case Function::Tanh: return 1 - y * y;
  case Function::Atan: return 1 / (1 + x * x);
  case Function::Sinh: return std::cosh(x);
  case Function::Cosh: return std::sinh(x);
  case Function::Asin: return 1 / std::sqrt(1 - x * x);
  case Function::Acos: return -1 / std::sqrt(1 - x * x);
  case Function::Erf: return gauss(x);
  case Function::Erfc: return -gauss(x);
  case Function::Sigmoid: return y * (1 - y);
  case Function::Softplus: return 1 / (1 + std::exp(-x));
  case Function::Relu: return passing(!(x <= 0)); // NaN passes, as in PyTorch
  default: return std::nullopt;                   // floor, ceil, round, trunc, sign, isnan
  }
}

Slopes arithmetic(const Expr &expr, Arguments x, double y) {
  switch (expr.op) {
  case Op::Negate: return {-1.0};
  case Op::Add: return {1.0, 1.0};
  case Op::Subtract: return {1.0, -1.0};
  case Op::Multiply: return {x[1], x[0]};
  case Op::Divide: return quotient(x[0], x[1]);
  case Op::Remainder: return {1.0, -floorDivide(x[0], x[1])};
  case Op::Power: return power(x[0], x[1], y);
  case Op::IntegerPower: {
    const auto n = static_cast<double>(expr.integer);
    return {n == 0 ? 0 : n * std::pow(x[0], n - 1)};
  }
  case Op::ScaleGradient: return {x[1], std::nullopt};
  // The window is the whole of [low, high]; the bounds themselves have no gradient.
  case Op::Quant: return {clipped(x[0], x[1], x[2])[0], std::nullopt, std::nullopt};
  // A surrogate's own arguments have no gradient.
  case Op::Spike: {
    Slopes slopes(x.size());
    slopes[0] = findPlainSurrogate(expr.surrogate->name)->gradient(x[0], x.data() + 1);
    return slopes;
  }
  default: return Slopes(x.size()); // comparisons, logic, //, casts, detach
  }
}

} // namespace

Slopes slopesOf(Function function, Arguments x, double y) {
  switch (function) {
  case Function::Min: return extreme(x[0], x[1], false);
  case Function::Max: return extreme(x[0], x[1], true);
  case Function::Clip: return clipped(x[0], x[1], x[2]);
  case Function::Pow: return power(x[0], x[1], y);
  case Function::Atan2: return angle(x[0], x[1]);
  case Function::Fmod: return {1.0, -std::trunc(x[0] / x[1])};
  default: return {slope(function, x[0], y)};
  }
}

template <class Real>
Slopes slopesOf(const Expr &expr, std::span<const Scalar<Real>> operands, const Scalar<Real> &result) {
  Slopes slopes(operands.size());
  if (result.type != Type::Float)
    return slopes;
  if (expr.op == Op::Select) { // to the side that is taken alone
    slopes[operands[0].integer ? 1 : 2] = 1;
    return slopes;
  }
  llvm::SmallVector<double, 4> x;
  for (const Scalar<Real> &operand : operands)
    x.push_back(operand.number());
  const Arguments numbers(x.data(), x.size());
  return expr.op == Op::Call ? slopesOf(expr.function->id, numbers, result.number())
                             : arithmetic(expr, numbers, result.number());
}

template Slopes slopesOf(const Expr &, std::span<const Scalar<float>>, const Scalar<float> &);
template Slopes slopesOf(const Expr &, std::span<const Scalar<double>>, const Scalar<double> &);

} // namespace flexsn::reference
