// Operators that are written as calls: where, quant, detach, gscale, prev, delay and random numbers.
#include "compiler/frontend/Check.h"

#include <cmath>

namespace flexsn::checking {

/// Whether an operator may stand in a constant, an initial value, a surrogate (rules 4, 6, 11).
bool ModelChecker::callable(const syntax::Expr &expr, CallForm form) {
  const bool history = form == CallForm::Prev || form == CallForm::Delay;
  const bool allowed = place == Place::Step || form == CallForm::Where || (place == Place::Initial && !history);
  if (!allowed)
    report(diag::NotCallableHere, expr.name.span, expr.name.text, placeRule());
  return allowed;
}

Typed ModelChecker::form(const syntax::Expr &expr, const CallFormInfo &info) {
  if (!callable(expr, info.id))
    return {};
  switch (info.id) {
  case CallForm::Where: return whereForm(expr);
  case CallForm::Spike: return spikeForm(expr);
  case CallForm::Quant: return quantForm(expr);
  case CallForm::Detach: return detachForm(expr);
  case CallForm::ScaleGradient: return scaleForm(expr);
  case CallForm::Prev: return prevForm(expr);
  case CallForm::Delay: return delayForm(expr);
  case CallForm::Uniform: return randomForm(expr, Op::Uniform);
  case CallForm::Normal: return randomForm(expr, Op::Normal);
  case CallForm::Bernoulli: return randomForm(expr, Op::Bernoulli);
  }
  return {};
}

Typed ModelChecker::whereForm(const syntax::Expr &expr) {
  auto arguments = bind(expr.name, expr.arguments, {{"c"}, {"a"}, {"b"}}, expr.span);
  if (!arguments)
    return {};
  Typed test = condition(*(*arguments)[0]);
  Typed then = check(*(*arguments)[1]);
  Typed otherwise = check(*(*arguments)[2]);
  return select(test, then, otherwise, expr.span);
}

Typed ModelChecker::quantForm(const syntax::Expr &expr) {
  auto arguments = bind(expr.name, expr.arguments, {{"x"}, {"low"}, {"high"}}, expr.span);
  if (!arguments)
    return {};
  std::vector<Typed> operands;
  for (const syntax::Expr *argument : *arguments)
    operands.push_back(real(check(*argument)));
  if (!unifyLanes(operands, expr.span))
    return {};
  if (allConstant({operands[1], operands[2]}) && !(operands[1]->number <= operands[2]->number)) {
    report(diag::QuantBounds, (*arguments)[1]->span, operands[1]->number, operands[2]->number);
    return {};
  }
  Expr *result = make(Op::Quant, Type::Float, expr.span, {operands[0].expr, operands[1].expr, operands[2].expr});
  return detachedInReset({result}, expr.span);
}

Typed ModelChecker::detachForm(const syntax::Expr &expr) {
  auto arguments = bind(expr.name, expr.arguments, {{"x"}}, expr.span);
  if (!arguments)
    return {};
  Typed operand = closed(check(*(*arguments)[0]));
  return operand ? Typed{make(Op::Detach, operand->type, expr.span, {operand.expr})} : Typed{};
}

Typed ModelChecker::scaleForm(const syntax::Expr &expr) {
  auto arguments = bind(expr.name, expr.arguments, {{"x"}, {"k"}}, expr.span);
  if (!arguments)
    return {};
  std::vector<Typed> operands = {real(check(*(*arguments)[0])), real(check(*(*arguments)[1]))};
  if (!unifyLanes(operands, expr.span))
    return {};
  return {make(Op::ScaleGradient, Type::Float, expr.span, {operands[0].expr, operands[1].expr})};
}

Typed ModelChecker::randomForm(const syntax::Expr &expr, Op op) {
  std::vector<Formal> formals;
  if (op == Op::Bernoulli)
    formals.push_back({"p"});
  auto arguments = bind(expr.name, expr.arguments, formals, expr.span);
  if (!arguments)
    return {};
  std::vector<const Expr *> operands;
  if (op == Op::Bernoulli) {
    Typed probability = real(check(*(*arguments)[0]));
    if (!probability)
      return {};
    operands.push_back(probability.expr);
  }
  Expr *result = make(op, Type::Float, expr.span, operands);
  result->integer = draws++;
  return op == Op::Bernoulli ? detachedInReset({result}, expr.span) : Typed{result};
}

// ---- Earlier values ----

Typed ModelChecker::prevForm(const syntax::Expr &expr) {
  auto arguments = bind(expr.name, expr.arguments, {{"a"}, {"k", true}}, expr.span);
  if (!arguments)
    return {};
  double steps = 1;
  if (const syntax::Expr *written = (*arguments)[1]) {
    std::optional<double> number = constantNumber(*written, "the number of steps of prev");
    if (!number || !wholeInside(*number, "the number of steps of prev", 1, Limits::history, written->span))
      return {};
    steps = *number;
  }
  return history(expr, *(*arguments)[0], Op::Prev, {}, static_cast<int64_t>(steps));
}

Typed ModelChecker::delayForm(const syntax::Expr &expr) {
  auto arguments = bind(expr.name, expr.arguments, {{"a"}, {"d"}}, expr.span);
  if (!arguments)
    return {};
  const syntax::Expr &written = *(*arguments)[1];
  Typed delay = check(written);
  if (!delay || !validDelay(delay, written, text((*arguments)[0]->span)))
    return {};
  return history(expr, *(*arguments)[0], Op::Delay, {delay.expr}, 0);
}

/// A delay is a parameter whose range bounds how many steps are kept (rule 13).
bool ModelChecker::validDelay(Typed delay, const syntax::Expr &written, const std::string &name) {
  Param *param = delay->op == Op::Read ? paramOf(delay->value) : nullptr;
  if (!param || param->value->type != Type::Float) {
    report(diag::DelayNotParameter, written.span, name);
    return false;
  }
  const std::string &delayName = param->value->name;
  if (!param->bounds) {
    if (!brokenParams.contains(delayName))
      report(diag::DelayWithoutRange, written.span, delayName);
    return false;
  }
  const bool perStep = !param->dims.empty() && param->dims.front() == Dim::Step;
  if (perStep || param->dims.size() > 1 || delay->lanes != 1) {
    report(diag::DelayVaries, written.span, delayName);
    return false;
  }
  if (param->bounds->low < 0 || param->bounds->high > Limits::history) {
    report(diag::DelayRange, param->bounds->span, delayName, Limits::history);
    return false;
  }
  param->bounds->clamp = true;
  return true;
}

/// prev and delay name a variable, not a version of it: what it holds at the end of a step.
Typed ModelChecker::history(const syntax::Expr &call, const syntax::Expr &written, Op op,
                            std::vector<const Expr *> operands, int64_t steps) {
  const std::string_view form = op == Op::Prev ? "prev" : "delay";
  std::string name = written.name.text;
  // The argument of a def may be the name of a value.
  if (written.kind == syntax::ExprKind::Name && frame && frame->locals.contains(name)) {
    Typed local = frame->locals[name];
    if (!local)
      return {};
    name = local->op == Op::Read && local->value->kind != Value::Kind::Bound ? local->value->name : "";
  }
  if (written.kind != syntax::ExprKind::Name || name.empty()) {
    report(diag::HistoryOfExpression, written.span, form);
    return {};
  }
  Symbol *symbol = symbolOf(name);
  if (!symbol || (frame && frame->definition->ofFile && !frame->locals.contains(written.name.text)))
    return check(written); // says what is wrong with the name
  if (symbol->kind == Symbol::Kind::Param || symbol->kind == Symbol::Kind::Const) {
    report(diag::HistoryOfParameter, written.span, name, describe(*symbol), form);
    return {};
  }
  Shape shape = shapeOf(name, *symbol);
  Expr *expr = make(op, shape.type, call.span, std::move(operands));
  expr->lanes = shape.lanes;
  expr->integer = steps;
  histories.emplace_back(expr, name);
  return {expr};
}

/// The shape of the name's last version in the step: declared, known from an earlier look at the model, or supposed.
Shape ModelChecker::shapeOf(const std::string &name, const Symbol &symbol) const {
  if (auto known = assumed.find(name); known != assumed.end())
    return known->second;
  Shape shape;
  if (symbol.current)
    shape = {symbol.current->type, symbol.current->lanes};
  if (symbol.type)
    shape.type = *symbol.type;
  if (symbol.lanes)
    shape.lanes = *symbol.lanes;
  return shape;
}

/// Points prev and delay to the last version of their name, now that it exists.
void ModelChecker::finishHistory() {
  for (auto &[expr, name] : histories) {
    const Value *last = symbolOf(name)->current;
    if (!last)
      continue; // its assignment had an error
    expr->value = last;
    Shape actual{last->type, last->lanes};
    shapes[name] = actual;
    if (actual != Shape{expr->type, expr->lanes})
      report(diag::HistoryType, expr->span, name, name);
  }
}

} // namespace flexsn::checking
