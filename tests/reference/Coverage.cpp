#include "tests/reference/Coverage.h"

#include "compiler/frontend/Functions.h"

namespace flexsn::reference {
namespace {

std::optional<std::string> notCovered(const Expr &expr) {
  if (expr.lanes > 1)
    return "vectors";
  switch (expr.op) {
  case Op::Uniform:
  case Op::Normal:
  case Op::Bernoulli: return "random numbers";
  case Op::Prev: return "prev";
  case Op::Delay: return "delay";
  case Op::Lane:
  case Op::Broadcast: return "vectors";
  case Op::Call:
    if (expr.function->types == FunctionTypes::Lanes)
      return "vectors";
    break;
  default: break;
  }
  if (expr.definition)
    if (auto reason = notCovered(*expr.definition->value))
      return reason;
  for (const Expr *operand : expr.operands)
    if (auto reason = notCovered(*operand))
      return reason;
  return std::nullopt;
}

} // namespace

std::optional<std::string> notCovered(const Model &model) {
  if (!model.refractory.empty())
    return "refractory";
  for (const Value &value : model.values)
    if (value.lanes > 1)
      return "vectors";
  for (const State &state : model.states)
    if (state.initial)
      if (auto reason = notCovered(*state.initial))
        return reason;
  for (const Statement &statement : model.statements) {
    if (!statement.system.empty())
      return "differential equations";
    if (auto reason = notCovered(*statement.value))
      return reason;
  }
  return std::nullopt;
}

} // namespace flexsn::reference
