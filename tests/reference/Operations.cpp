#include "tests/reference/Operations.h"

#include "tests/reference/Arithmetic.h"
#include "tests/reference/Functions.h"

namespace flexsn::reference {
namespace {

template <class Real> Scalar<Real> constant(const Expr &expr) {
  if (expr.type == Type::Float)
    return Scalar<Real>::ofReal(static_cast<Real>(expr.number)); // folded in double, rounded once
  return {expr.type, 0, static_cast<int32_t>(expr.number), 0};
}

template <class Real> Scalar<Real> arithmeticReal(const Expr &expr, Real a, Real b) {
  using S = Scalar<Real>;
  switch (expr.op) {
  case Op::Add: return S::ofReal(a + b);
  case Op::Subtract: return S::ofReal(a - b);
  case Op::Multiply: return S::ofReal(a * b);
  case Op::Divide: return S::ofReal(a / b);
  case Op::FloorDivide: return S::ofReal(floorDivide(a, b));
  default: return S::ofReal(remainder(a, b));
  }
}

template <class Real> Scalar<Real> arithmeticInt(const Expr &expr, int32_t a, int32_t b) {
  using S = Scalar<Real>;
  switch (expr.op) {
  case Op::Add: return S::ofInt(addInt(a, b));
  case Op::Subtract: return S::ofInt(subtractInt(a, b));
  case Op::Multiply: return S::ofInt(multiplyInt(a, b));
  case Op::FloorDivide: return S::ofInt(floorDivideInt(a, b));
  default: return S::ofInt(remainderInt(a, b)); // `/` has no int form: the checker writes the casts
  }
}

template <class T> bool compare(Op op, T a, T b) {
  switch (op) {
  case Op::Less: return a < b;
  case Op::LessEqual: return a <= b;
  case Op::Greater: return a > b;
  case Op::GreaterEqual: return a >= b;
  case Op::Equal: return a == b;
  default: return a != b;
  }
}

template <class Real> Scalar<Real> callInt(Function function, std::span<const Scalar<Real>> operands) {
  using S = Scalar<Real>;
  int32_t x = operands[0].integer;
  switch (function) {
  case Function::Abs: return S::ofInt(x < 0 ? subtractInt(0, x) : x);
  case Function::Min: return S::ofInt(std::min(x, operands[1].integer));
  case Function::Max: return S::ofInt(std::max(x, operands[1].integer));
  case Function::Clip: return S::ofInt(std::min(std::max(x, operands[1].integer), operands[2].integer));
  case Function::Relu: return S::ofInt(std::max(x, 0));
  default: return S::ofInt((x > 0) - (x < 0)); // sign: the last of the functions that have an int form
  }
}

template <class Real> Scalar<Real> call(const Expr &expr, std::span<const Scalar<Real>> operands) {
  Function function = expr.function->id;
  if (function == Function::IsNan)
    return Scalar<Real>::ofBool(std::isnan(operands[0].real));
  if (operands[0].type != Type::Float)
    return callInt(function, operands);
  Real arguments[3] = {};
  for (size_t i = 0; i < operands.size(); ++i)
    arguments[i] = operands[i].real;
  return Scalar<Real>::ofReal(evaluate(function, std::span<const Real>(arguments, operands.size())));
}

/// Round half to even of clip; NaN stays NaN.
template <class Real> Real quant(Real x, Real low, Real high) { return roundToEven(clip(x, low, high)); }

} // namespace

template <class Real> Scalar<Real> cast(const Scalar<Real> &value, Type type) {
  if (value.type == type)
    return value;
  Scalar<Real> result{type, 0, 0, value.slack};
  if (type == Type::Float)
    result.real = static_cast<Real>(value.integer);
  else if (value.type == Type::Float)
    result.integer = type == Type::Int ? toInt(value.real) : value.real != 0;
  else
    result.integer = type == Type::Bool ? value.integer != 0 : value.integer;
  return result;
}

template <class Real> Scalar<Real> operate(const Expr &expr, std::span<const Scalar<Real>> x) {
  using S = Scalar<Real>;
  bool isReal = !x.empty() && x[0].type == Type::Float;
  switch (expr.op) {
  case Op::Constant: return constant<Real>(expr);
  case Op::Negate: return isReal ? S::ofReal(-x[0].real) : S::ofInt(subtractInt(0, x[0].integer));
  case Op::Not: return S::ofBool(!x[0].integer);
  case Op::Add:
  case Op::Subtract:
  case Op::Multiply:
  case Op::Divide:
  case Op::FloorDivide:
  case Op::Remainder:
    return isReal ? arithmeticReal(expr, x[0].real, x[1].real) : arithmeticInt<Real>(expr, x[0].integer, x[1].integer);
  case Op::Power: {
    Real arguments[2] = {x[0].real, x[1].real};
    return S::ofReal(evaluate(Function::Pow, std::span<const Real>(arguments)));
  }
  case Op::IntegerPower:
    return isReal ? S::ofReal(integerPower(x[0].real, expr.integer))
                  : S::ofInt(integerPowerInt(x[0].integer, expr.integer));
  case Op::Less:
  case Op::LessEqual:
  case Op::Greater:
  case Op::GreaterEqual:
  case Op::Equal:
  case Op::NotEqual:
    return S::ofBool(isReal ? compare(expr.op, x[0].real, x[1].real) : compare(expr.op, x[0].integer, x[1].integer));
  case Op::And: return S::ofBool(x[0].integer && x[1].integer);
  case Op::Or: return S::ofBool(x[0].integer || x[1].integer);
  case Op::Select: return x[0].integer ? x[1] : x[2];
  case Op::Call: return call(expr, x);
  case Op::Spike: return S::ofReal(expr.strict ? x[0].real > 0 : x[0].real >= 0);
  case Op::Quant: return S::ofReal(quant(x[0].real, x[1].real, x[2].real));
  case Op::Detach:
  case Op::ScaleGradient: return x[0];
  case Op::Cast: return cast(x[0], expr.type);
  default: return S::ofReal(std::numeric_limits<Real>::quiet_NaN()); // ruled out by notCovered()
  }
}

template Scalar<float> operate(const Expr &, std::span<const Scalar<float>>);
template Scalar<double> operate(const Expr &, std::span<const Scalar<double>>);
template Scalar<float> cast(const Scalar<float> &, Type);
template Scalar<double> cast(const Scalar<double> &, Type);

} // namespace flexsn::reference
