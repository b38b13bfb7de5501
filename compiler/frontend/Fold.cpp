#include "compiler/frontend/Fold.h"

#include "compiler/frontend/Check.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flexsn {

/// torch.remainder: the sign of the divisor.
static double foldRemainder(double a, double b) {
  double remainder = std::fmod(a, b);
  return remainder != 0 && (b < 0) != (remainder < 0) ? remainder + b : remainder;
}

/// torch.floor_divide: from the exact remainder, so that 1 // 0.1 is 9.
static double foldFloorDivide(double a, double b) {
  double remainder = std::fmod(a, b);
  double quotient = (a - remainder) / b;
  if (remainder != 0 && (b < 0) != (remainder < 0))
    quotient -= 1;
  if (quotient == 0)
    return std::copysign(0.0, a / b);
  double below = std::floor(quotient);
  return quotient - below > 0.5 ? below + 1 : below;
}

std::optional<double> foldBinary(Op op, double a, double b) {
  switch (op) {
  case Op::Add: return a + b;
  case Op::Subtract: return a - b;
  case Op::Multiply: return a * b;
  case Op::Divide: return a / b;
  case Op::FloorDivide: return foldFloorDivide(a, b);
  case Op::Remainder: return foldRemainder(a, b);
  case Op::Less: return a < b;
  case Op::LessEqual: return a <= b;
  case Op::Greater: return a > b;
  case Op::GreaterEqual: return a >= b;
  case Op::Equal: return a == b;
  case Op::NotEqual: return a != b;
  case Op::And: return a != 0 && b != 0;
  case Op::Or: return a != 0 || b != 0;
  default: return std::nullopt;
  }
}

double foldPower(double base, double exponent) {
  if (exponent != std::trunc(exponent) || std::abs(exponent) > 8)
    return std::pow(base, exponent);
  double product = 1;
  for (int i = 0; i < std::abs(exponent); ++i)
    product *= base;
  return exponent < 0 ? 1 / product : product;
}

static double foldMin(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  return a < b || (a == b && std::signbit(a)) ? a : b;
}

static double foldMax(double a, double b) { return -foldMin(-a, -b); }

/// nearbyint would depend on the rounding mode of the caller's thread.
static double foldRound(double x) {
  double below = std::floor(x), over = x - below;
  if (over == 0.5)
    return std::copysign(2 * std::round(x / 2), x);
  return std::copysign(over > 0.5 ? below + 1 : below, x);
}

static double foldReal(Function function, double x) {
  switch (function) {
  case Function::Sqrt: return std::sqrt(x);
  case Function::Rsqrt: return 1 / std::sqrt(x);
  case Function::Exp: return std::exp(x);
  case Function::Expm1: return std::expm1(x);
  case Function::Exprel: return x == 0 ? 1 : std::expm1(x) / x;
  case Function::Log: return std::log(x);
  case Function::Log1p: return std::log1p(x);
  case Function::Log2: return std::log2(x);
  case Function::Sin: return std::sin(x);
  case Function::Cos: return std::cos(x);
  case Function::Tan: return std::tan(x);
  case Function::Tanh: return std::tanh(x);
  case Function::Atan: return std::atan(x);
  case Function::Sinh: return std::sinh(x);
  case Function::Cosh: return std::cosh(x);
  case Function::Asin: return std::asin(x);
  case Function::Acos: return std::acos(x);
  case Function::Erf: return std::erf(x);
  case Function::Erfc: return std::erfc(x);
  case Function::Sigmoid: return 1 / (1 + std::exp(-x));
  default: // Softplus, without overflow of exp
    return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
  }
}

std::optional<double> foldFunction(Function function, const std::vector<double> &arguments) {
  const double x = arguments[0];
  switch (function) {
  case Function::Abs: return std::abs(x);
  case Function::Min: return foldMin(x, arguments[1]);
  case Function::Max: return foldMax(x, arguments[1]);
  case Function::Clip: return foldMin(foldMax(x, arguments[1]), arguments[2]);
  case Function::Relu: return foldMax(x, 0);
  case Function::Floor: return std::floor(x);
  case Function::Ceil: return std::ceil(x);
  case Function::Round: return foldRound(x);
  case Function::Trunc: return std::trunc(x);
  case Function::Sign: return (x > 0) - (x < 0);
  case Function::Atan2: return std::atan2(x, arguments[1]);
  case Function::Pow: return foldPower(x, arguments[1]);
  case Function::Fmod: return std::fmod(x, arguments[1]);
  case Function::IsNan: return std::isnan(x);
  case Function::Sum:
  case Function::Dot: return std::nullopt;
  default: return foldReal(function, x);
  }
}

namespace checking {

bool ModelChecker::allConstant(const std::vector<Typed> &operands) const {
  return std::all_of(operands.begin(), operands.end(), [](const Typed &t) { return t && t->op == Op::Constant; });
}

/// The constant that `operation` of `operands` gives; a result that is no number is the text's mistake.
Typed ModelChecker::folded(double number, Type type, bool open, Span span, const std::vector<Typed> &operands) {
  bool finite = std::all_of(operands.begin(), operands.end(), [](const Typed &t) { return std::isfinite(t->number); });
  if (std::isnan(number)) {
    report(diag::ConstantNaN, span, text(span));
    return {};
  }
  if (std::isinf(number) && finite) {
    report(diag::ConstantOverflow, span, text(span));
    return {};
  }
  if (type == Type::Int && !open && !intFits(number, span))
    return {};
  // -0 does not exist among whole numbers.
  return constant(type == Type::Float ? number : number + 0.0, type, span, open);
}

} // namespace checking
} // namespace flexsn
