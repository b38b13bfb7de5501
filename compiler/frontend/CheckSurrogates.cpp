// Surrogates that the user defines, and definitions that nobody calls.
#include "compiler/frontend/Check.h"

#include <algorithm>

namespace flexsn::checking {

/// Checks the definition once per model. Its expressions read Bound values: one per argument.
const SurrogateDefinition *ModelChecker::checkSurrogate(Definition &definition) {
  if (definition.surrogate || definition.failed)
    return definition.surrogate;
  const syntax::Statement &statement = *definition.statement;
  SurrogateDefinition result;
  result.name = statement.name.text;
  result.span = statement.span;
  Frame inner{&definition, {}};
  bool complete = surrogateParameters(statement, result, inner);
  {
    Scoped<Frame *> visible(frame, &inner);
    Scoped<Place> body(place, Place::SurrogateBody);
    result.value = surrogatePart(*statement.value);
    complete = result.value && complete;
    complete = surrogateGradients(statement, result) && complete;
    if (statement.primitive) {
      result.primitive = surrogatePart(*statement.primitive);
      complete = complete && result.primitive;
    }
  }
  definition.failed = !complete;
  if (!complete)
    return nullptr;
  model->surrogateDefinitions.push_back(std::move(result));
  definition.surrogate = &model->surrogateDefinitions.back();
  return definition.surrogate;
}

bool ModelChecker::surrogateParameters(const syntax::Statement &statement, SurrogateDefinition &result, Frame &inner) {
  checkParameters(statement);
  bool complete = true;
  for (const syntax::FormalParameter &parameter : statement.parameters) {
    if (parameter.defaultValue)
      complete =
          constantNumber(*parameter.defaultValue, fmt::format("the default of '{}'", parameter.name.text)) && complete;
    result.parameters.push_back(&addValue(Value::Kind::Bound, parameter.name.text, parameter.name.span));
    Expr *reading = make(Op::Read, Type::Float, parameter.name.span);
    reading->value = result.parameters.back();
    inner.locals[parameter.name.text] = {reading};
  }
  return complete;
}

bool ModelChecker::surrogateGradients(const syntax::Statement &statement, SurrogateDefinition &result) {
  bool complete = true;
  for (const syntax::NamedExpr &gradient : statement.gradients) {
    const Expr *derivative = surrogatePart(*gradient.value);
    auto parameter = std::find_if(result.parameters.begin(), result.parameters.end(),
                                  [&](const Value *value) { return value->name == gradient.name.text; });
    const bool exists = parameter != result.parameters.end();
    if (!exists)
      report(diag::GradientName, gradient.name.span, gradient.name.text, result.name);
    const bool twice = exists && std::any_of(result.gradients.begin(), result.gradients.end(),
                                             [&](const auto &other) { return other.first == *parameter; });
    if (twice)
      report(diag::GradientTwice, gradient.name.span, gradient.name.text);
    complete = complete && derivative && exists && !twice;
    if (complete)
      result.gradients.emplace_back(*parameter, derivative);
  }
  return complete;
}

const Expr *ModelChecker::surrogatePart(const syntax::Expr &expr) { return real(check(expr)).expr; }

/// Rules that a `def` and a `surrogate` share.
void ModelChecker::checkParameters(const syntax::Statement &statement) {
  bool defaults = false;
  for (auto parameter = statement.parameters.begin(); parameter != statement.parameters.end(); ++parameter) {
    const std::string &name = parameter->name.text;
    if (defaults && !parameter->defaultValue)
      report(diag::DefaultBeforePlain, parameter->name.span, name);
    defaults = defaults || parameter->defaultValue;
    auto twin = std::find_if(statement.parameters.begin(), parameter,
                             [&](const syntax::FormalParameter &other) { return other.name.text == name; });
    if (twin != parameter)
      report(diag::DuplicateName, parameter->name.span, name).label =
          Label{twin->name.span, "the first one stands here"};
  }
}

// ---- What nobody calls ----

/// A `def` has no types before it is called, but its names can be looked up.
void ModelChecker::checkUnused(const std::vector<std::string> &names) {
  for (const std::string &name : names) {
    Definition *definition = definitionOf(name);
    if (!definition || definition->used)
      continue;
    if (definition->statement->kind == syntax::StatementKind::DefineSurrogate) {
      checkSurrogate(*definition);
      continue;
    }
    Frame inner{definition, {}};
    for (const syntax::FormalParameter &parameter : definition->statement->parameters)
      inner.locals[parameter.name.text] = {};
    Scoped<Frame *> visible(frame, &inner);
    checkNamesAlone(*definition->statement->value);
  }
}

void ModelChecker::checkNamesAlone(const syntax::Expr &root) {
  using syntax::ExprKind;
  std::vector<const syntax::Expr *> open = {&root};
  while (!open.empty()) {
    const syntax::Expr &expr = *open.back();
    open.pop_back();
    const std::string &name = expr.name.text;
    const bool local = frame->locals.contains(name);
    const bool known = local || name == "pi" || name == "e" || name == "inf" || name == "dt" ||
                       (symbolOf(name) && !frame->definition->ofFile);
    if (expr.kind == ExprKind::Name && !known && !findSurrogate(name) && !definitionOf(name))
      unknownName(expr.name);
    if (expr.kind == ExprKind::Call && !definitionOf(name) && !findFunction(name) && !findCallForm(name) &&
        !findSurrogate(name))
      unknownFunction(expr);
    for (auto operand = expr.operands.rbegin(); operand != expr.operands.rend(); ++operand)
      open.push_back(operand->get());
    for (auto argument = expr.arguments.rbegin(); argument != expr.arguments.rend(); ++argument)
      open.push_back(argument->value.get());
  }
}

} // namespace flexsn::checking
