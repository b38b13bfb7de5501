// Nodes of the checked model, and the conversions between their types (docs/language.md, rule 3).
#include "compiler/frontend/Check.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flexsn::checking {

Value &ModelChecker::addValue(Value::Kind kind, std::string name, Span span) {
  Value value{};
  value.kind = kind;
  value.name = std::move(name);
  value.span = span;
  model->values.push_back(std::move(value));
  return model->values.back();
}

Expr *ModelChecker::make(Op op, Type type, Span span, std::vector<const Expr *> operands) {
  if (model->expressions.size() >= Limits::expressions && !tooLarge) {
    report(diag::ModelTooLarge, tree.name.span, Limits::expressions);
    tooLarge = true;
  }
  Expr expr{};
  expr.op = op;
  expr.type = type;
  expr.span = span;
  for (const Expr *operand : operands) {
    expr.lanes = std::max(expr.lanes, operand->lanes);
    expr.height = std::max(expr.height, operand->height + 1);
  }
  if (expr.height > Limits::height && !tooLarge) {
    report(diag::ExpressionTooDeep, span);
    tooLarge = true;
  }
  expr.operands = std::move(operands);
  model->expressions.push_back(std::move(expr));
  return &model->expressions.back();
}

Typed ModelChecker::constant(double number, Type type, Span span, bool open) {
  Expr *expr = make(Op::Constant, type, span);
  expr->number = number;
  return {expr, open};
}

bool ModelChecker::intFits(double number, Span span) {
  using Range = std::numeric_limits<int32_t>;
  if (number >= Range::min() && number <= Range::max())
    return true;
  report(diag::IntOutOfRange, span, number);
  return false;
}

/// `value` as a `type`; a constant stays one, and an open value is made of that type from the start.
Typed ModelChecker::convert(Typed value, Type type, Span span) {
  if (!value)
    return {};
  if (value.open) {
    if (type == Type::Int && value->op == Op::Constant && !intFits(value->number, span))
      return {};
    return {retype(*value.expr, type)};
  }
  if (value->type == type)
    return value;
  if (value->op == Op::Constant)
    return constant(value->number, type, value->span);
  // A bool that became an int on the way to a float is 0 or 1 as either: one conversion.
  if (type == Type::Float && value->op == Op::Cast && value->operands[0]->type == Type::Bool)
    value.expr = value->operands[0];
  return {make(Op::Cast, type, value->span, {value.expr})};
}

/// A copy of an open expression with another type. Open expressions hold literals, selections and + - * alone.
const Expr *ModelChecker::retype(const Expr &open, Type type) {
  if (open.type == type || open.type == Type::Bool)
    return &open;
  std::vector<const Expr *> operands = open.operands;
  for (size_t i = open.op == Op::Select ? 1 : 0; i < operands.size(); ++i)
    operands[i] = retype(*operands[i], type);
  Expr *result = make(open.op, type, open.span, std::move(operands));
  result->number = open.number;
  result->lanes = open.lanes;
  return result;
}

Typed ModelChecker::closed(Typed value) { return value.open ? convert(value, Type::Float, value->span) : value; }

Typed ModelChecker::real(Typed value) { return value ? convert(value, Type::Float, value->span) : value; }

/// A bool in arithmetic is 0 or 1.
Typed ModelChecker::numeric(Typed value) {
  return value && value->type == Type::Bool ? convert(value, Type::Int, value->span) : value;
}

/// Brings two numbers to one type: an open one takes the other's, int with float gives float.
bool ModelChecker::unify(Typed &left, Typed &right) {
  if (!left || !right)
    return false;
  if (left.open && right.open)
    return true;
  if (left.open)
    left = convert(left, right->type, left->span);
  else if (right.open)
    right = convert(right, left->type, right->span);
  else if (left->type != right->type) {
    left = real(left);
    right = real(right);
  }
  return left && right;
}

const Expr *ModelChecker::widen(const Expr *expr, unsigned lanes) {
  if (expr->lanes == lanes)
    return expr;
  Expr *result = make(Op::Broadcast, expr->type, expr->span, {expr});
  result->lanes = lanes;
  return result;
}

/// Scalars beside a vector become vectors; vectors of different lengths are an error.
bool ModelChecker::unifyLanes(std::vector<Typed> &operands, Span span) {
  unsigned lanes = 1;
  for (const Typed &operand : operands) {
    if (!operand)
      return false;
    if (operand->lanes != 1 && lanes != 1 && operand->lanes != lanes) {
      report(diag::LaneMismatch, span, lanes, operand->lanes);
      return false;
    }
    lanes = std::max(lanes, operand->lanes);
  }
  for (Typed &operand : operands)
    operand.expr = widen(operand.expr, lanes);
  return true;
}

/// Whether no step and no neuron changes the value: constants, scalar parameters and what is made of them.
bool ModelChecker::isInvariant(const Expr &expr) const {
  switch (expr.op) {
  case Op::Read: return invariantValues.contains(expr.value);
  case Op::Prev:
  case Op::Delay:
  case Op::Uniform:
  case Op::Normal:
  case Op::Bernoulli:
  case Op::Let: // its argument is computed where it stands
    return false;
  default:
    return expr.lanes == 1 &&
           std::all_of(expr.operands.begin(), expr.operands.end(), [&](const Expr *e) { return isInvariant(*e); });
  }
}

} // namespace flexsn::checking
