// spike and the surrogate that it takes (docs/language.md, rule 4).
#include "compiler/frontend/Check.h"

#include <algorithm>

namespace flexsn::checking {

using syntax::ExprKind;

Typed ModelChecker::spikeForm(const syntax::Expr &expr) {
  auto arguments = bind(expr.name, expr.arguments, {{"x"}, {"surrogate", true}, {"strict", true}}, expr.span);
  if (!arguments)
    return {};
  Typed x = spikeOperand(*(*arguments)[0]);
  bool strict = false;
  if (const syntax::Expr *written = (*arguments)[2]) {
    if (written->kind != ExprKind::Boolean) {
      if (written->kind != ExprKind::Error)
        report(diag::StrictNotBoolean, written->span);
      return {};
    }
    strict = written->number != 0;
  }
  const syntax::Expr *written = (*arguments)[1];
  if (!written)
    return spikeWith(x, modelSurrogate ? *modelSurrogate : builtinDefault("atan", expr.span), strict, expr.span);
  if (written->kind == ExprKind::Error)
    return {};
  std::optional<Chosen> choice;
  if (written->kind == ExprKind::Name || written->kind == ExprKind::Call)
    choice = chosen(written->name, written->arguments, written->span, text((*arguments)[0]->span));
  else
    report(diag::SpikeSecondArgument, written->span, distance(text((*arguments)[0]->span), *written));
  return choice ? spikeWith(x, *choice, strict, expr.span) : Typed{};
}

/// A comparison is never below zero: its spike would fire at every step.
Typed ModelChecker::spikeOperand(const syntax::Expr &expr) {
  Typed x = check(expr);
  if (!x || x->type != Type::Bool)
    return real(x);
  std::string fixed = "spike(x - threshold)";
  using syntax::Operator;
  const bool below = expr.op == Operator::Less || expr.op == Operator::LessEqual;
  if (expr.kind == ExprKind::Binary && expr.op != Operator::And && expr.op != Operator::Or)
    fixed = distance(text(expr.operands[below ? 1 : 0]->span), *expr.operands[below ? 0 : 1]);
  report(diag::SpikeOfCondition, expr.span, fixed);
  return real(x);
}

/// `spike(first - threshold)`
std::string ModelChecker::distance(const std::string &first, const syntax::Expr &threshold) const {
  const bool loose =
      (threshold.kind == ExprKind::Binary || threshold.kind == ExprKind::Conditional) && !threshold.bracketed;
  return loose ? fmt::format("spike({} - ({}))", first, text(threshold.span))
               : fmt::format("spike({} - {})", first, text(threshold.span));
}

std::optional<ModelChecker::Chosen> ModelChecker::chosen(const syntax::Name &name,
                                                         const std::vector<syntax::Argument> &arguments, Span span,
                                                         const std::string &first) {
  Definition *definition = definitionOf(name.text);
  if (definition && definition->statement->kind == syntax::StatementKind::DefineSurrogate)
    return userChoice(name, *definition, arguments, span);
  if (const SurrogateInfo *info = findSurrogate(name.text))
    return builtinSurrogate(name, *info, arguments, span);
  const bool isValue = symbolOf(name.text) || (frame && frame->locals.contains(name.text));
  if (!first.empty() && (isValue || definition || findFunction(name.text) || findCallForm(name.text))) {
    std::string fixed = fmt::format("spike({} - {})", first, text(span));
    report(diag::SpikeSecondArgument, span, fixed);
  } else {
    unknownSurrogate(name);
  }
  return std::nullopt;
}

void ModelChecker::unknownSurrogate(const syntax::Name &name) {
  failed = true;
  if (explained(name.text, "()"))
    return;
  if (std::string_view hint = habitOfSurrogate(name.text); !hint.empty()) {
    report(diag::UnknownSurrogateHint, name.span, name.text, hint);
    return;
  }
  std::vector<std::string> candidates = surrogateNames();
  for (const std::string &own : definedNames())
    if (definitionOf(own) && definitionOf(own)->statement->kind == syntax::StatementKind::DefineSurrogate)
      candidates.push_back(own);
  if (std::optional<std::string> near = nearest(name.text, candidates))
    report(diag::UnknownSurrogateNear, name.span, name.text, *near).fix = Fix{name.span, *near};
  else
    report(diag::UnknownSurrogate, name.span, name.text);
}

std::optional<ModelChecker::Chosen> ModelChecker::builtinSurrogate(const syntax::Name &name, const SurrogateInfo &info,
                                                                   const std::vector<syntax::Argument> &arguments,
                                                                   Span span) {
  std::vector<Formal> formals;
  for (const SurrogateParameter &parameter : info.parameters)
    formals.push_back({parameter.name, true});
  auto bound = bind(name, arguments, formals, span);
  if (!bound)
    return std::nullopt;
  Chosen choice;
  choice.builtin = &info;
  for (size_t i = 0; i < formals.size(); ++i) {
    const SurrogateParameter &parameter = info.parameters[i];
    const Expr *argument = (*bound)[i] ? surrogateArgument(*(*bound)[i], name.text, parameter)
                                       : constant(parameter.defaultValue, Type::Float, span).expr;
    if (!argument)
      return std::nullopt;
    choice.arguments.push_back(argument);
  }
  return choice;
}

/// Launch-invariant: the backward divides by it once, not once a step.
const Expr *ModelChecker::surrogateArgument(const syntax::Expr &expr, const std::string &surrogate,
                                            const SurrogateParameter &parameter) {
  const std::string what = fmt::format("the argument '{}' of '{}'", parameter.name, surrogate);
  if (parameter.count) {
    std::optional<double> number = constantNumber(expr, what);
    if (!number || !wholeInside(*number, what, 1, Limits::lanes, expr.span))
      return nullptr;
    return constant(*number, Type::Float, expr.span).expr;
  }
  Scoped<Place> invariant(place, place == Place::Constant ? Place::Constant : Place::Invariant);
  Scoped<std::string> words(placeWords, what);
  Typed value = real(check(expr));
  if (!value)
    return nullptr;
  if (!isInvariant(*value.expr)) {
    report(diag::SurrogateArgumentVaries, expr.span, what);
    return nullptr;
  }
  if (value->op == Op::Constant && !parameter.takes(value->number)) {
    if (std::isinf(parameter.above))
      report(diag::SurrogateArgumentInfinite, expr.span, what);
    else
      report(diag::SurrogateArgumentRange, expr.span, what, parameter.above, value->number);
    return nullptr;
  }
  return value.expr;
}

std::optional<ModelChecker::Chosen> ModelChecker::userChoice(const syntax::Name &name, Definition &definition,
                                                             const std::vector<syntax::Argument> &arguments,
                                                             Span span) {
  definition.used = true;
  std::vector<Formal> formals;
  for (const syntax::FormalParameter &parameter : definition.statement->parameters)
    formals.push_back({parameter.name.text, parameter.defaultValue != nullptr});
  const size_t required = std::count_if(formals.begin(), formals.end(), [](const Formal &f) { return !f.optional; });
  if (required > 1) {
    report(diag::SurrogateArguments, span, name.text, required, name.text);
    return std::nullopt;
  }
  if (formals.empty()) { // the parser reported it
    failed = true;
    return std::nullopt;
  }
  formals.erase(formals.begin()); // what spike is called with
  auto bound = bind(name, arguments, formals, span);
  const SurrogateDefinition *checked = checkSurrogate(definition);
  if (!bound || !checked)
    return std::nullopt;
  Chosen choice;
  choice.user = checked;
  for (size_t i = 0; i < bound->size(); ++i) {
    Typed argument = userArgument((*bound)[i], *definition.statement, i + 1);
    if (!argument)
      return std::nullopt;
    choice.arguments.push_back(argument.expr);
  }
  return choice;
}

/// An argument of a user's surrogate, or its default.
Typed ModelChecker::userArgument(const syntax::Expr *written, const syntax::Statement &statement, size_t index) {
  if (written)
    return real(check(*written));
  const syntax::FormalParameter &parameter = statement.parameters[index];
  std::optional<double> number =
      constantNumber(*parameter.defaultValue, fmt::format("the default of '{}'", parameter.name.text));
  return number ? constant(*number, Type::Float, parameter.defaultValue->span) : Typed{};
}

Typed ModelChecker::spikeWith(Typed x, const Chosen &chosen, bool strict, Span span) {
  if (!x)
    return {};
  if (chosen.user && strict) {
    report(diag::StrictUserSurrogate, span, chosen.user->name);
    return {};
  }
  std::vector<Typed> operands = {x};
  for (const Expr *argument : chosen.arguments)
    operands.push_back({argument});
  // A user's surrogate is evaluated lane by lane, a built-in one has scalar parameters.
  if (chosen.user && !unifyLanes(operands, span))
    return {};
  std::vector<const Expr *> nodes;
  for (const Typed &operand : operands)
    nodes.push_back(operand.expr);
  Expr *result = make(chosen.user ? Op::Surrogate : Op::Spike, Type::Float, span, std::move(nodes));
  result->definition = chosen.user;
  result->surrogate = chosen.builtin;
  result->strict = strict;
  return detachedInReset({result}, span);
}

/// A user's surrogate that is called like a function.
Typed ModelChecker::userSurrogate(const syntax::Expr &expr, Definition &definition) {
  if (place != Place::Step && place != Place::Initial) {
    report(diag::NotCallableHere, expr.name.span, expr.name.text, placeRule());
    return {};
  }
  std::vector<Formal> formals;
  for (const syntax::FormalParameter &parameter : definition.statement->parameters)
    formals.push_back({parameter.name.text, parameter.defaultValue != nullptr});
  auto bound = bind(expr.name, expr.arguments, formals, expr.span);
  const SurrogateDefinition *checked = checkSurrogate(definition);
  if (!bound)
    return {};
  std::vector<Typed> operands;
  for (size_t i = 0; i < bound->size(); ++i)
    operands.push_back(userArgument((*bound)[i], *definition.statement, i));
  if (!checked || !unifyLanes(operands, expr.span))
    return {};
  std::vector<const Expr *> nodes;
  for (const Typed &operand : operands)
    nodes.push_back(operand.expr);
  Expr *result = make(Op::Surrogate, Type::Float, expr.span, std::move(nodes));
  result->definition = checked;
  return detachedInReset({result}, expr.span);
}

ModelChecker::Chosen ModelChecker::builtinDefault(std::string_view name, Span span) {
  Chosen choice;
  choice.builtin = findSurrogate(name);
  for (const SurrogateParameter &parameter : choice.builtin->parameters)
    choice.arguments.push_back(constant(parameter.defaultValue, Type::Float, span).expr);
  return choice;
}

// ---- The model's default ----

void ModelChecker::defaultSurrogate(const syntax::Statement &statement) {
  if (surrogateLine) {
    report(diag::DuplicateLine, statement.keyword, "surrogate").label =
        Label{surrogateLine->keyword, "the first one stands here"};
    return;
  }
  surrogateLine = &statement;
  Scoped<Place> invariant(place, Place::Invariant);
  Scoped<std::string> words(placeWords, "an argument of the default surrogate");
  modelSurrogate = chosen(statement.call->name, statement.call->arguments, statement.call->span, "");
  if (!modelSurrogate) // one error is enough; the step is checked with some surrogate
    modelSurrogate = builtinDefault("atan", statement.span);
}

} // namespace flexsn::checking
