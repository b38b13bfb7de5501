// Operators: their types, and what becomes of constants (docs/language.md, rule 3).
#include "compiler/frontend/Check.h"
#include "compiler/frontend/Fold.h"

#include <cmath>

namespace flexsn::checking {

using syntax::ExprKind;
using syntax::Operator;

static Op opOf(Operator op) {
  switch (op) {
  case Operator::Add: return Op::Add;
  case Operator::Subtract: return Op::Subtract;
  case Operator::Multiply: return Op::Multiply;
  case Operator::Divide: return Op::Divide;
  case Operator::FloorDivide: return Op::FloorDivide;
  case Operator::Remainder: return Op::Remainder;
  case Operator::Power: return Op::Power;
  case Operator::Less: return Op::Less;
  case Operator::LessEqual: return Op::LessEqual;
  case Operator::Greater: return Op::Greater;
  case Operator::GreaterEqual: return Op::GreaterEqual;
  case Operator::Equal: return Op::Equal;
  case Operator::NotEqual: return Op::NotEqual;
  case Operator::And: return Op::And;
  default: return Op::Or;
  }
}

/// The one entry for every expression: bounds the recursion, which `def` in `def` could make deeper than any bracket.
Typed ModelChecker::check(const syntax::Expr &expr) {
  constexpr unsigned deepest = 2 * Limits::nesting;
  // A def that has an error makes no nodes, but calls of calls of it would still be looked at.
  if (!tooLarge && ++looks > 4 * Limits::expressions) {
    report(diag::ModelTooLarge, tree.name.span, Limits::expressions);
    tooLarge = true;
  }
  if (tooLarge)
    return {};
  if (depth >= deepest) {
    report(diag::ExpressionTooDeep, expr.span);
    tooLarge = true; // whatever calls it is too deep as well
    return {};
  }
  Scoped<unsigned> deeper(depth, depth + 1);
  return checkNode(expr);
}

Typed ModelChecker::checkNode(const syntax::Expr &expr) {
  switch (expr.kind) {
  case ExprKind::Error: failed = true; return {};
  case ExprKind::Number: return constant(expr.number, expr.whole ? Type::Int : Type::Float, expr.span, expr.whole);
  case ExprKind::Boolean: return constant(expr.number, Type::Bool, expr.span);
  case ExprKind::Name: return readName(expr);
  case ExprKind::Unary: return unary(expr);
  case ExprKind::Binary: return checkBinaryChain(expr);
  case ExprKind::Conditional: {
    Typed then = check(*expr.operands[0]);
    Typed test = condition(*expr.operands[1]);
    Typed otherwise = check(*expr.operands[2]);
    return select(test, then, otherwise, expr.span);
  }
  case ExprKind::Call: return call(expr);
  case ExprKind::Index: return index(expr);
  }
  return {};
}

/// a + b + c + ... leans to the left as far as the text is long: no recursion along it.
Typed ModelChecker::checkBinaryChain(const syntax::Expr &expr) {
  std::vector<const syntax::Expr *> chain;
  const syntax::Expr *leftmost = &expr;
  for (; leftmost->kind == ExprKind::Binary; leftmost = leftmost->operands[0].get())
    chain.push_back(leftmost);
  Typed result = check(*leftmost);
  for (auto node = chain.rbegin(); node != chain.rend(); ++node)
    result = binary(**node, result, check(*(*node)->operands[1]));
  return result;
}

Typed ModelChecker::binary(const syntax::Expr &node, Typed left, Typed right) {
  const Op op = opOf(node.op);
  switch (op) {
  case Op::And:
  case Op::Or: {
    left = asCondition(left, *node.operands[0]);
    right = asCondition(right, *node.operands[1]);
    std::vector<Typed> operands = {left, right};
    if (!unifyLanes(operands, node.span))
      return {};
    if (allConstant(operands))
      return constant(*foldBinary(op, left->number, right->number), Type::Bool, node.span);
    return {make(op, Type::Bool, node.span, {operands[0].expr, operands[1].expr})};
  }
  case Op::Power: return power(left, right, node.span, node.opSpan);
  case Op::Less:
  case Op::LessEqual:
  case Op::Greater:
  case Op::GreaterEqual:
  case Op::Equal:
  case Op::NotEqual: return comparison(op, left, right, node.span);
  default: return arithmetic(op, left, right, node.span, node.opSpan);
  }
}

Typed ModelChecker::comparison(Op op, Typed left, Typed right, Span span) {
  if (!left || !right)
    return {};
  const bool bools = left->type == Type::Bool && right->type == Type::Bool;
  if (!bools || (op != Op::Equal && op != Op::NotEqual)) {
    left = numeric(left);
    right = numeric(right);
    if (!unify(left, right))
      return {};
  }
  std::vector<Typed> operands = {left, right};
  if (allConstant(operands))
    return constant(*foldBinary(op, left->number, right->number), Type::Bool, span);
  operands = {closed(left), closed(right)};
  if (!unifyLanes(operands, span))
    return {};
  return {make(op, Type::Bool, span, {operands[0].expr, operands[1].expr})};
}

Typed ModelChecker::arithmetic(Op op, Typed left, Typed right, Span span, Span opSpan) {
  const bool floors = op == Op::FloorDivide || op == Op::Remainder;
  left = op == Op::Divide ? real(left) : numeric(left);
  right = op == Op::Divide ? real(right) : numeric(right);
  if (!unify(left, right))
    return {};
  std::vector<Typed> operands = {left, right};
  bool open = left.open && right.open;
  const bool constants = allConstant(operands);
  const bool divides = op == Op::Divide || floors;
  if (divides && right->op == Op::Constant && right->number == 0 && (constants || right->type == Type::Int)) {
    report(diag::DivisionByZero, opSpan);
    return {};
  }
  if (constants)
    return folded(*foldBinary(op, left->number, right->number), left->type, open, span, operands);
  if (floors && open) { // a selection of literals: the division needs a type now
    operands = {closed(left), closed(right)};
    open = false;
  }
  if (!unifyLanes(operands, span))
    return {};
  return {make(op, operands[0]->type, span, {operands[0].expr, operands[1].expr}), open};
}

/// A constant whole exponent up to 8 is a product in a fixed order, any other one a power of real numbers.
Typed ModelChecker::power(Typed base, Typed exponent, Span span, Span opSpan) {
  base = numeric(base);
  exponent = numeric(exponent);
  if (!base || !exponent)
    return {};
  const bool constantExponent = exponent->op == Op::Constant;
  const double n = constantExponent ? exponent->number : 0;
  const bool whole = constantExponent && n == std::trunc(n);
  const bool staysWhole = base->type == Type::Int && exponent->type == Type::Int && whole && n >= 0;
  if (!staysWhole)
    base = real(base);
  if (allConstant({base, exponent})) {
    if (base->number == 0 && n < 0) {
      report(diag::DivisionByZero, opSpan);
      return {};
    }
    return folded(foldPower(base->number, n), base->type, base.open && staysWhole, span, {base, exponent});
  }
  base = closed(base);
  if (whole && n == 0)
    return constant(1, base->type, span);
  if (whole && n == 1)
    return base;
  if (whole && std::abs(n) <= 8) {
    Expr *expr = make(Op::IntegerPower, base->type, span, {base.expr});
    expr->integer = static_cast<int64_t>(n);
    return {expr};
  }
  std::vector<Typed> operands = {real(base), real(exponent)};
  if (!unifyLanes(operands, span))
    return {};
  return {make(Op::Power, Type::Float, span, {operands[0].expr, operands[1].expr})};
}

Typed ModelChecker::unary(const syntax::Expr &node) {
  const syntax::Expr &operand = *node.operands[0];
  if (node.op != Operator::Not) {
    Typed value = numeric(check(operand));
    return node.op == Operator::Minus ? negate(value, node.span) : value;
  }
  const bool foreign = text(node.opSpan) != "not"; // `!s`: the parser said what to write, and one mistake is one error
  Typed value = foreign ? check(operand) : condition(operand);
  if (!value || value->type != Type::Bool) {
    failed = true;
    return {};
  }
  if (value->op == Op::Constant)
    return constant(value->number == 0, Type::Bool, node.span);
  return {make(Op::Not, Type::Bool, node.span, {value.expr})};
}

Typed ModelChecker::negate(Typed operand, Span span) {
  if (!operand)
    return {};
  if (operand->op == Op::Constant)
    return folded(-operand->number, operand->type, operand.open, span, {operand});
  return {make(Op::Negate, operand->type, span, {operand.expr}), operand.open};
}

Typed ModelChecker::index(const syntax::Expr &node) {
  const syntax::Expr &vector = *node.operands[0];
  Typed value = check(vector);
  if (!value)
    return {};
  if (value->lanes == 1) {
    report(diag::NotAVector, node.span, "an index");
    return {};
  }
  if (node.number >= value->lanes) {
    auto lane = static_cast<int64_t>(std::min(node.number, 1e15));
    report(diag::LaneOutside, node.span, lane, value->lanes - 1);
    return {};
  }
  value = closed(value);
  Expr *expr = make(Op::Lane, value->type, node.span, {value.expr});
  expr->lanes = 1;
  expr->integer = static_cast<int64_t>(node.number);
  return {expr};
}

Typed ModelChecker::select(Typed condition, Typed then, Typed otherwise, Span span) {
  if (!condition || !then || !otherwise)
    return {};
  if (then->type != Type::Bool || otherwise->type != Type::Bool) {
    then = numeric(then);
    otherwise = numeric(otherwise);
    if (!unify(then, otherwise))
      return {};
  }
  std::vector<Typed> operands = {condition, then, otherwise};
  const bool open = then.open && otherwise.open;
  if (allConstant(operands)) {
    const Typed &taken = condition->number != 0 ? then : otherwise;
    return constant(taken->number, taken->type, span, open);
  }
  if (!unifyLanes(operands, span))
    return {};
  return {make(Op::Select, then->type, span, {operands[0].expr, operands[1].expr, operands[2].expr}), open};
}

Typed ModelChecker::condition(const syntax::Expr &expr) { return asCondition(check(expr), expr); }

/// Reports a number where a condition belongs, and goes on as if its fix were there.
Typed ModelChecker::asCondition(Typed checked, const syntax::Expr &expr) {
  if (!checked || checked->type == Type::Bool)
    return checked;
  const bool isInt = checked->type == Type::Int;
  const bool simple = expr.kind == ExprKind::Name || expr.kind == ExprKind::Call || expr.kind == ExprKind::Index ||
                      expr.kind == ExprKind::Number || expr.bracketed;
  std::string written = text(expr.span);
  std::string fixed = fmt::format("{} {}", simple ? written : "(" + written + ")", isInt ? "!= 0" : "> 0");
  if (checked.open && checked->op == Op::Constant)
    fixed = checked->number != 0 ? "true" : "false";
  report(diag::NumberAsCondition, expr.span,
         checked.open ? "a number"
         : isInt      ? "an int"
                      : "a float",
         fixed)
      .fix = Fix{expr.span, fixed};
  checked = closed(checked);
  if (!checked)
    return {};
  Typed zero = constant(0, checked->type, expr.span);
  zero.expr = widen(zero.expr, checked->lanes);
  return {make(isInt ? Op::NotEqual : Op::Greater, Type::Bool, expr.span, {checked.expr, zero.expr})};
}

} // namespace flexsn::checking
