// refractory n of s hold v (docs/language.md, rule 12).
#include "compiler/frontend/Check.h"
#include "compiler/frontend/Fold.h"

#include <algorithm>
#include <cmath>

namespace flexsn::checking {

void ModelChecker::refractory(const syntax::Statement &statement) {
  Refractory result;
  result.span = statement.span;
  bool complete = silencedName(statement, result);
  complete = heldStates(statement, result) && complete;
  complete = refractorySteps(statement, result) && complete;
  failed = failed || !complete;
  if (complete)
    model->refractory.push_back(std::move(result));
}

static std::string quoted(const std::vector<std::string> &names) {
  return fmt::format("'{}'", fmt::join(names, "', '"));
}

bool ModelChecker::silencedName(const syntax::Statement &statement, Refractory &result) {
  Span span = statement.keyword;
  if (statement.of) {
    result.spike = statement.of->text;
    span = statement.of->span;
    Symbol *symbol = symbolOf(result.spike);
    if (!symbol) {
      unknownName(*statement.of);
      return false;
    }
    if (symbol->versions == 0) {
      if (!symbol->poisoned)
        report(diag::RefractoryNotAssigned, span, result.spike);
      return false;
    }
  } else if (spikeOrder.size() == 1) {
    result.spike = spikeOrder.front();
  } else {
    // With an error in an assignment the candidates are not all known.
    if (!failed)
      report(diag::RefractoryOf, span,
             spikeOrder.empty() ? "no name is assigned from spike" : quoted(spikeOrder) + " are assigned from spike");
    return false;
  }
  const bool twice = std::any_of(model->refractory.begin(), model->refractory.end(),
                                 [&](const Refractory &other) { return other.spike == result.spike; });
  if (twice)
    report(diag::RefractoryTwice, span, result.spike);
  return !twice;
}

bool ModelChecker::heldStates(const syntax::Statement &statement, Refractory &result) {
  if (statement.hold.empty()) {
    if (model->states.size() == 1) {
      result.hold.push_back(model->states.front().value->name);
      return true;
    }
    std::vector<std::string> names;
    for (const State &state : model->states)
      names.push_back(state.value->name);
    report(diag::RefractoryHold, statement.keyword, names.empty() ? "no state" : quoted(names));
    return false;
  }
  bool complete = true;
  for (const syntax::Name &name : statement.hold) {
    Symbol *symbol = symbolOf(name.text);
    const bool twice = std::find(result.hold.begin(), result.hold.end(), name.text) != result.hold.end();
    complete = complete && symbol && symbol->kind == Symbol::Kind::State && !twice;
    if (!symbol)
      unknownName(name);
    else if (symbol->kind != Symbol::Kind::State)
      report(diag::RefractoryNotState, name.span, name.text);
    else if (twice)
      report(diag::RefractoryHeldTwice, name.span, name.text);
    result.hold.push_back(name.text);
  }
  return complete;
}

/// The number of steps is launch-invariant or has the dim of a parameter; its default must be whole already.
bool ModelChecker::refractorySteps(const syntax::Statement &statement, Refractory &result) {
  Typed steps;
  {
    Scoped<Place> invariant(place, Place::Refractory);
    Scoped<std::string> words(placeWords, "a refractory time");
    steps = real(check(*statement.value));
  }
  if (!steps)
    return false;
  result.steps = steps.expr;
  if (const Param *learnable = learnableIn(*steps.expr)) {
    report(diag::RefractoryLearnable, statement.value->span, learnable->value->name);
    return false;
  }
  std::optional<double> number = atDefaults(*steps.expr);
  if (!number)
    return true;                     // a parameter without a default was reported
  constexpr double tolerance = 1e-6; // t_ref / dt in double may miss its whole number by rounding
  const double whole = std::nearbyint(*number);
  if (!(std::abs(*number - whole) <= tolerance)) {
    report(diag::RefractoryNotWhole, statement.value->span, fmt::format("{}", *number));
    return false;
  }
  if (whole < 0) {
    report(diag::RefractoryNegative, statement.value->span, whole);
    return false;
  }
  return true;
}

/// The value of a launch-invariant expression with every parameter at its default.
std::optional<double> ModelChecker::atDefaults(const Expr &expr) const {
  if (expr.op == Op::Constant)
    return expr.number;
  if (expr.op == Op::Read) {
    auto param =
        std::find_if(model->params.begin(), model->params.end(), [&](const Param &p) { return p.value == expr.value; });
    return param == model->params.end() ? std::nullopt : std::optional(param->defaultValue);
  }
  std::vector<double> operands;
  for (const Expr *operand : expr.operands) {
    std::optional<double> number = atDefaults(*operand);
    if (!number)
      return std::nullopt;
    operands.push_back(*number);
  }
  switch (expr.op) {
  case Op::Negate: return -operands[0];
  case Op::Cast:
  case Op::Detach: return operands[0];
  case Op::Not: return operands[0] == 0;
  case Op::Select: return operands[0] != 0 ? operands[1] : operands[2];
  case Op::IntegerPower: return foldPower(operands[0], static_cast<double>(expr.integer));
  case Op::Power: return foldPower(operands[0], operands[1]);
  case Op::Call: return foldFunction(expr.function->id, operands);
  default: return operands.size() == 2 ? foldBinary(expr.op, operands[0], operands[1]) : std::nullopt;
  }
}

const Param *ModelChecker::learnableIn(const Expr &expr) {
  if (expr.op == Op::Read) {
    const Param *param = paramOf(expr.value);
    return param && param->learnable ? param : nullptr;
  }
  for (const Expr *operand : expr.operands)
    if (const Param *param = learnableIn(*operand))
      return param;
  return nullptr;
}

} // namespace flexsn::checking
