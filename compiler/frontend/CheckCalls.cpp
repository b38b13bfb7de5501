// Functions, and `def`, which is put in place of its call (docs/language.md, rule 9).
#include "compiler/frontend/Check.h"
#include "compiler/frontend/Fold.h"

#include <algorithm>

namespace flexsn::checking {

static std::string countOf(size_t number) {
  return number == 0 ? "no argument" : number == 1 ? "1 argument" : fmt::format("{} arguments", number);
}

Typed ModelChecker::call(const syntax::Expr &expr) {
  if (Definition *definition = definitionOf(expr.name.text)) {
    definition->used = true;
    return definition->statement->kind == syntax::StatementKind::Define ? inlined(expr, *definition)
                                                                        : userSurrogate(expr, *definition);
  }
  if (const FunctionInfo *info = findFunction(expr.name.text))
    return function(expr, *info);
  if (const CallFormInfo *info = findCallForm(expr.name.text))
    return form(expr, *info);
  unknownFunction(expr);
  for (const syntax::Argument &argument : expr.arguments)
    check(*argument.value);
  return {};
}

Typed ModelChecker::function(const syntax::Expr &expr, const FunctionInfo &info) {
  std::vector<Typed> operands;
  for (const syntax::Argument &argument : expr.arguments)
    operands.push_back(check(*argument.value));
  if (!noKeywords(expr))
    return {};
  if (operands.size() != info.arity) {
    report(diag::ArgumentCount, expr.span, info.name, countOf(info.arity), operands.size());
    return {};
  }
  if (!std::all_of(operands.begin(), operands.end(), [](const Typed &t) { return bool(t); }))
    return {};
  if (info.types == FunctionTypes::Lanes)
    return lanesFunction(info, std::move(operands), expr.span);
  if (info.id == Function::Pow && operands[1]->op == Op::Constant)
    return power(operands[0], operands[1], expr.span, expr.span);
  return elementwise(info, std::move(operands), expr.span);
}

Typed ModelChecker::elementwise(const FunctionInfo &info, std::vector<Typed> operands, Span span) {
  const bool same = info.types == FunctionTypes::Same;
  for (Typed &operand : operands)
    operand = same ? numeric(operand) : real(operand);
  // Each operand meets each other one, so that a float anywhere makes all of them float.
  for (size_t i = 1; same && i < operands.size(); ++i)
    if (!unify(operands[i - 1], operands[i]))
      return {};
  for (size_t i = operands.size(); same && i-- > 1;)
    if (!unify(operands[i - 1], operands[i]))
      return {};
  const Type type = info.types == FunctionTypes::Test ? Type::Bool : operands[0]->type;
  if (allConstant(operands)) {
    std::vector<double> numbers;
    for (const Typed &operand : operands)
      numbers.push_back(operand->number);
    return folded(*foldFunction(info.id, numbers), type, operands[0].open, span, operands);
  }
  std::vector<const Expr *> nodes;
  for (Typed &operand : operands)
    operand = closed(operand);
  if (!unifyLanes(operands, span))
    return {};
  for (const Typed &operand : operands)
    nodes.push_back(operand.expr);
  Expr *result = make(Op::Call, info.types == FunctionTypes::Test ? Type::Bool : operands[0]->type, span, nodes);
  result->function = &info;
  return {result};
}

/// sum and dot: a vector becomes one number.
Typed ModelChecker::lanesFunction(const FunctionInfo &info, std::vector<Typed> operands, Span span) {
  for (Typed &operand : operands)
    operand = closed(numeric(operand));
  if (operands.size() == 2 && !unify(operands[0], operands[1]))
    return {};
  if (!unifyLanes(operands, span))
    return {};
  if (operands[0]->lanes == 1) {
    report(diag::NotAVector, span, fmt::format("'{}'", info.name));
    return {};
  }
  std::vector<const Expr *> nodes;
  for (const Typed &operand : operands)
    nodes.push_back(operand.expr);
  Expr *result = make(Op::Call, operands[0]->type, span, nodes);
  result->function = &info;
  result->lanes = 1;
  return {result};
}

bool ModelChecker::noKeywords(const syntax::Expr &call) {
  for (const syntax::Argument &argument : call.arguments) {
    if (!argument.keyword)
      continue;
    if (findSurrogate(call.name.text))
      report(diag::SurrogateByName, argument.keyword->span, call.name.text, argument.keyword->text);
    else
      report(diag::ArgumentByName, argument.keyword->span, call.name.text);
    return false;
  }
  return true;
}

/// Puts arguments in the order of the formal ones; null stands for one that was left out.
std::optional<std::vector<const syntax::Expr *>> ModelChecker::bind(const syntax::Name &callee,
                                                                    const std::vector<syntax::Argument> &arguments,
                                                                    const std::vector<Formal> &formals, Span span) {
  std::vector<const syntax::Expr *> bound(formals.size());
  std::vector<std::string> names;
  for (const Formal &formal : formals)
    names.emplace_back(formal.name);
  bool keywords = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const syntax::Argument &argument = arguments[i];
    size_t index = i;
    if (argument.keyword) {
      keywords = true;
      const syntax::Name &keyword = *argument.keyword;
      index = std::find(names.begin(), names.end(), keyword.text) - names.begin();
      if (index == names.size()) {
        reportUnknownArgument(callee, keyword, names);
        return std::nullopt;
      }
    } else if (keywords) {
      report(diag::PositionalAfterKeyword, argument.value->span);
      return std::nullopt;
    }
    if (index >= formals.size()) {
      report(diag::ArgumentCount, span, callee.text, countOf(formals.size()), arguments.size());
      return std::nullopt;
    }
    if (bound[index]) {
      report(diag::ArgumentTwice, argument.value->span, formals[index].name, callee.text);
      return std::nullopt;
    }
    bound[index] = argument.value.get();
  }
  return complete(callee, formals, bound, arguments.size(), span) ? std::optional(std::move(bound)) : std::nullopt;
}

void ModelChecker::reportUnknownArgument(const syntax::Name &callee, const syntax::Name &keyword,
                                         const std::vector<std::string> &names) {
  if (std::optional<std::string> near = nearest(keyword.text, names))
    report(diag::ArgumentUnknownNear, keyword.span, callee.text, keyword.text, *near).fix = Fix{keyword.span, *near};
  else
    report(diag::ArgumentUnknown, keyword.span, callee.text, keyword.text);
}

bool ModelChecker::complete(const syntax::Name &callee, const std::vector<Formal> &formals,
                            const std::vector<const syntax::Expr *> &bound, size_t given, Span span) {
  const bool allRequired = std::none_of(formals.begin(), formals.end(), [](const Formal &f) { return f.optional; });
  for (size_t i = 0; i < formals.size(); ++i) {
    if (bound[i] || formals[i].optional)
      continue;
    if (allRequired && given < formals.size())
      report(diag::ArgumentCount, span, callee.text, countOf(formals.size()), given);
    else
      report(diag::ArgumentMissing, span, formals[i].name, callee.text);
    return false;
  }
  return true;
}

// ---- def ----

/// How often a name stands in an expression, counted up to two: whether an argument must be computed beforehand.
static unsigned uses(const syntax::Expr &root, std::string_view name) {
  unsigned count = 0;
  std::vector<const syntax::Expr *> open = {&root};
  while (!open.empty() && count < 2) {
    const syntax::Expr *expr = open.back();
    open.pop_back();
    count += expr->kind == syntax::ExprKind::Name && expr->name.text == name;
    for (const syntax::ExprPtr &operand : expr->operands)
      open.push_back(operand.get());
    for (const syntax::Argument &argument : expr->arguments)
      open.push_back(argument.value.get());
  }
  return count;
}

/// Constants and reads are as short as a name for them.
static bool isSmall(const Expr &expr) { return expr.op == Op::Constant || expr.op == Op::Read; }

Typed ModelChecker::inlined(const syntax::Expr &expr, Definition &definition) {
  const syntax::Statement &statement = *definition.statement;
  std::vector<Formal> formals;
  for (const syntax::FormalParameter &parameter : statement.parameters)
    formals.push_back({parameter.name.text});
  auto arguments = bind(expr.name, expr.arguments, formals, expr.span);
  if (!arguments)
    return {};
  if (definition.busy) {
    report(diag::DefineRecursion, expr.name.span, expr.name.text);
    return {};
  }
  Frame inner{&definition, {}};
  std::vector<std::pair<const Value *, const Expr *>> lets;
  bool complete = true;
  for (size_t i = 0; i < formals.size(); ++i) {
    Typed argument = check(*(*arguments)[i]);
    complete = complete && argument;
    if (argument && !isSmall(*argument.expr) && uses(*statement.value, formals[i].name) > 1) {
      argument = closed(argument);
      lets.emplace_back(boundValue(formals[i].name, *argument.expr), argument.expr);
      Expr *reading = make(Op::Read, argument->type, argument->span);
      reading->value = lets.back().first;
      reading->lanes = argument->lanes;
      argument = {reading};
    }
    inner.locals[formals[i].name] = argument;
  }
  Typed body;
  {
    Scoped<Frame *> visible(frame, &inner);
    Scoped<bool> busy(definition.busy, true);
    body = check(*statement.value);
  }
  if (!body || !complete)
    return {};
  return letAround(lets, body, expr.span);
}

const Value *ModelChecker::boundValue(std::string_view name, const Expr &argument) {
  Value &value = addValue(Value::Kind::Bound, std::string(name), argument.span);
  value.version = ++bindings; // two of one name may be in force at a time
  value.type = argument.type;
  value.lanes = argument.lanes;
  return &value;
}

Typed ModelChecker::letAround(const std::vector<std::pair<const Value *, const Expr *>> &lets, Typed body, Span span) {
  if (!lets.empty())
    body = closed(body);
  for (auto let = lets.rbegin(); let != lets.rend() && body; ++let) {
    Expr *expr = make(Op::Let, body->type, span, {let->second, body.expr});
    expr->value = let->first;
    expr->lanes = body->lanes;
    body = {expr};
  }
  return body;
}

} // namespace flexsn::checking
