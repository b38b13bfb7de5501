#include "tests/reference/Slack.h"

#include "tests/reference/Functions.h"
#include "tests/reference/Operations.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace flexsn::reference {
namespace {

constexpr double anything = std::numeric_limits<double>::infinity();

/// Distance between two results; agreeing infinities and NaNs are at distance 0.
double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  double d = std::fabs(a - b);
  return std::isnan(d) ? anything : d;
}

/// One end of an operand's interval, rounded outwards.
template <class Real> Scalar<Real> endOf(Scalar<Real> x, bool upper) {
  if (x.slack == 0)
    return x;
  if (x.type == Type::Bool) {
    x.integer = upper;
    return x;
  }
  double end = upper ? x.number() + x.slack : x.number() - x.slack;
  if (x.type == Type::Int) {
    x.integer = static_cast<int32_t>(std::clamp(end, -2147483648.0, 2147483647.0));
    return x;
  }
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  x.real = std::nextafter(static_cast<Real>(end), upper ? infinity : -infinity);
  return x;
}

template <class Real> bool holdsZero(const Scalar<Real> &x) { return std::fabs(x.number()) <= x.slack; }

/// The error that the operation itself may make at this result.
template <class Real> double ownError(const Expr &expr, const Scalar<Real> &result) {
  if (result.type != Type::Float || !std::isfinite(result.real))
    return 0;
  double bound = expr.op == Op::Call    ? errorBound<Real>(expr.function->id)
                 : expr.op == Op::Power ? errorBound<Real>(Function::Pow)
                                        : 0;
  if (bound == 0)
    return 0;
  double border = std::numeric_limits<Real>::max() * (1 - (bound + 1) * std::numeric_limits<Real>::epsilon());
  if (std::fabs(result.real) > border)
    return anything;                       // the last ulp before overflow may as well be infinity
  return (bound + 0.5) * ulp(result.real); // the reference itself is off by half an ulp
}

/// Whether an operand's value may be a product that nothing else has rounded since. The kernel's view of it may be a
/// different one (a name is no more than its value), so what is not known to be something else is one.
bool mayBeProduct(const Expr &expr) {
  switch (expr.op) {
  case Op::Constant:
  case Op::Divide:
  case Op::Add:
  case Op::Subtract:
  case Op::Spike:
  case Op::Cast: return false;
  case Op::Read: return expr.value->kind == Value::Kind::Assigned || expr.value->kind == Value::Kind::Bound;
  default: return true;
  }
}

/// What a sum may differ by if products among its operands are fused into it.
template <class Real>
double contraction(const Expr &expr, std::span<const Scalar<Real>> x, const Scalar<Real> &result) {
  if ((expr.op != Op::Add && expr.op != Op::Subtract) || result.type != Type::Float)
    return 0;
  double spared = 0;
  bool products = false;
  for (size_t i = 0; i < x.size(); ++i) {
    if (i < expr.operands.size() && !mayBeProduct(*expr.operands[i]))
      continue;
    products = true;
    if (std::isinf(x[i].real))
      return anything; // a product beyond the range, which the sum may bring back
    if (!std::isnan(x[i].real))
      spared += ulp(static_cast<Real>(std::fabs(x[i].number()) + x[i].slack)) / 2;
  }
  if (!products || std::isnan(result.real))
    return 0;
  const double size = std::fabs(result.number()) + spared;
  return size < std::numeric_limits<Real>::max() / 2 ? spared + ulp(static_cast<Real>(size)) : anything;
}

/// Operations on ints with slack: near the ends of the range the result may wrap.
template <class Real> std::optional<double> intBound(const Expr &expr, std::span<const Scalar<Real>> x) {
  constexpr double range = 4294967296.0;
  bool small = std::all_of(x.begin(), x.end(), [](auto &v) { return std::fabs(v.number()) + v.slack < 30000; });
  switch (expr.op) {
  case Op::Add:
  case Op::Subtract:
  case Op::Multiply:
  case Op::Negate: return small ? std::nullopt : std::optional(range);
  case Op::IntegerPower:
  case Op::Remainder: return range;
  case Op::FloorDivide: return holdsZero(x[1]) ? std::optional(range) : std::nullopt;
  default: return std::nullopt;
  }
}

template <class Real> std::optional<double> callBound(Function function, std::span<const Scalar<Real>> x) {
  switch (function) {
  case Function::Sin:
  case Function::Cos: return std::min(x[0].slack, 2.0); // a slope of at most 1, a range of 2
  case Function::Tan: return x[0].slack > 0.01 ? std::optional(anything) : std::nullopt;
  case Function::Atan2: return holdsZero(x[0]) ? std::optional(6.3) : std::nullopt; // the cut along the negative axis
  case Function::Pow: return x[0].real - x[0].slack <= 0 ? std::optional(anything) : std::nullopt;
  case Function::Rsqrt: return holdsZero(x[0]) ? std::optional(anything) : std::nullopt;
  case Function::Fmod: return anything;
  default: return std::nullopt;
  }
}

/// Where the corners say nothing about the inside (poles, turns, jumps), or more than is known.
template <class Real> std::optional<double> withoutCorners(const Expr &expr, std::span<const Scalar<Real>> x) {
  switch (expr.op) {
  case Op::Equal:
  case Op::NotEqual: return std::fabs(x[0].number() - x[1].number()) <= x[0].slack + x[1].slack ? 1 : 0;
  case Op::Select:
    if (x[0].slack == 0)
      return x[0].integer ? x[1].slack : x[2].slack; // the other side may be anything
    break;
  default: break;
  }
  if (x[0].type == Type::Int)
    return intBound(expr, x);
  switch (expr.op) {
  case Op::Divide:
  case Op::FloorDivide: return holdsZero(x[1]) ? std::optional(anything) : std::nullopt;
  case Op::IntegerPower: return expr.integer < 0 && holdsZero(x[0]) ? std::optional(anything) : std::nullopt;
  case Op::Remainder: return anything; // jumps by |b| wherever a passes a multiple of b
  case Op::Power: return callBound(Function::Pow, x);
  case Op::Call: return callBound(expr.function->id, x);
  default: return std::nullopt;
  }
}

/// The largest distance from `result` at the corners of the box, with the operation's own error there.
template <class Real>
double atCorners(const Expr &expr, std::span<const Scalar<Real>> operands, const Scalar<Real> &result) {
  double worst = 0, own = ownError(expr, result);
  std::vector<Scalar<Real>> corner(operands.begin(), operands.end());
  for (unsigned corners = 0; corners < 1u << operands.size(); ++corners) {
    for (size_t i = 0; i < operands.size(); ++i)
      corner[i] = endOf(operands[i], corners >> i & 1);
    Scalar<Real> value = operate(expr, std::span<const Scalar<Real>>(corner));
    own = std::max(own, ownError(expr, value));
    worst = std::max(worst, distance(value.number(), result.number()));
  }
  return worst + own;
}

} // namespace

template <class Real>
double slackOf(const Expr &expr, std::span<const Scalar<Real>> operands, const Scalar<Real> &result, bool fast) {
  if (fast)
    return slackOf(expr, operands, result) + contraction(expr, operands, result);
  if (expr.op == Op::Spike)
    operands = operands.first(1); // forward, a surrogate's arguments do not matter
  if (std::all_of(operands.begin(), operands.end(), [](auto &x) { return x.slack == 0; }))
    return ownError(expr, result);
  std::optional<double> bound = withoutCorners(expr, operands);
  bool unknown = std::any_of(operands.begin(), operands.end(), [](auto &x) { return !std::isfinite(x.slack); });
  double slack = bound ? *bound + ownError(expr, result) : unknown ? anything : atCorners(expr, operands, result);
  return result.type == Type::Bool || expr.op == Op::Spike ? std::min(slack, 1.0) : slack;
}

template double slackOf(const Expr &, std::span<const Scalar<float>>, const Scalar<float> &, bool);
template double slackOf(const Expr &, std::span<const Scalar<double>>, const Scalar<double> &, bool);

} // namespace flexsn::reference
