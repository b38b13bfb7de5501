#include "tests/reference/Interpreter.h"

#include "compiler/frontend/Functions.h"
#include "tests/reference/Arithmetic.h"
#include "tests/reference/Functions.h"
#include "tests/reference/Operations.h"
#include "tests/reference/Slack.h"

#include <llvm/ADT/SmallVector.h>

#include <algorithm>

namespace flexsn::reference {
namespace {

/// What is stored for a constrained value: the transform's inverse.
double inverse(Transform transform, double value) {
  switch (transform) {
  case Transform::None: return value;
  case Transform::Sigmoid: return std::log(value / (1 - value));
  case Transform::Softplus: return std::log(std::expm1(value));
  case Transform::Exp: return std::log(value);
  case Transform::Tanh: return std::atanh(value);
  }
  return value;
}

Function functionOf(Transform transform) {
  switch (transform) {
  case Transform::Sigmoid: return Function::Sigmoid;
  case Transform::Softplus: return Function::Softplus;
  case Transform::Exp: return Function::Exp;
  default: return Function::Tanh;
  }
}

} // namespace

template <class Real>
Interpreter<Real>::Interpreter(const Model &model, const Settings &settings, bool fast) : model(model), fast(fast) {
  setParams(settings);
}

template <class Real> void Interpreter<Real>::setParams(const Settings &settings) {
  for (const Param &param : model.params)
    environment[param.value] = constrained(param, stored(param, settings));
}

template <class Real> void Interpreter<Real>::setStep(const Settings &settings) {
  for (const Param &param : model.params)
    if (std::find(param.dims.begin(), param.dims.end(), Dim::Step) != param.dims.end())
      environment[param.value] = constrained(param, stored(param, settings));
}

template <class Real> Scalar<Real> Interpreter<Real>::stored(const Param &param, const Settings &settings) {
  auto raw = settings.find(param.operandName());
  if (param.transform != Transform::None && raw != settings.end())
    return Value::ofReal(static_cast<Real>(raw->second));
  auto set = settings.find(param.value->name);
  double value = set != settings.end() ? set->second : param.defaultValue;
  if (param.value->type != Type::Float)
    return {param.value->type, 0, static_cast<int32_t>(value), 0};
  if (param.transform == Transform::None)
    return Value::ofReal(static_cast<Real>(value));
  // The inverse is computed in double by whoever sets the value; its last bits are nobody's promise.
  double exact = inverse(param.transform, value);
  Real rounded = static_cast<Real>(exact);
  return Value::ofReal(rounded, 8 * ulp(exact) + ulp(rounded));
}

template <class Real> Scalar<Real> Interpreter<Real>::constrained(const Param &param, Value stored) {
  Expr node;
  node.op = Op::Call;
  Value value = stored;
  if (param.transform != Transform::None) {
    node.function = &functionInfo(functionOf(param.transform));
    value = apply(node, std::span<const Value>(&stored, 1));
  }
  if (param.bounds && (param.bounds->clamp || param.learnable)) { // rule 6: clamps at use
    node.function = &functionInfo(Function::Clip);
    const Value operands[] = {value, Value::ofReal(static_cast<Real>(param.bounds->low)),
                              Value::ofReal(static_cast<Real>(param.bounds->high))};
    value = apply(node, operands);
  }
  return value;
}

template <class Real> std::vector<Scalar<Real>> Interpreter<Real>::initialStates() {
  std::vector<Value> states;
  for (const State &state : model.states)
    states.push_back(state.initial ? evaluate(*state.initial) : Value{state.value->type, 0, 0, 0});
  return states;
}

template <class Real>
std::vector<Scalar<Real>> Interpreter<Real>::step(const std::vector<Value> &inputs, const std::vector<Value> &states) {
  for (size_t i = 0; i < inputs.size(); ++i)
    environment[model.inputs[i].value] = inputs[i];
  for (size_t i = 0; i < states.size(); ++i)
    environment[model.states[i].value] = states[i];
  for (const Statement &statement : model.statements)
    environment[statement.target] = evaluate(*statement.value);
  std::vector<Value> next;
  for (const State &state : model.states)
    next.push_back(environment.at(state.next));
  return next;
}

template <class Real> Scalar<Real> Interpreter<Real>::output(const Output &output) const {
  const Value &result = value(output.value);
  return result.type == Type::Bool ? result : cast(result, Type::Float);
}

template <class Real> Scalar<Real> Interpreter<Real>::evaluate(const Expr &expr) {
  if (expr.op == Op::Read)
    return environment.at(expr.value);
  if (expr.op == Op::Let) {
    environment[expr.value] = evaluate(*expr.operands[0]);
    return evaluate(*expr.operands[1]);
  }
  llvm::SmallVector<Value, 4> operands;
  for (const Expr *operand : expr.operands)
    operands.push_back(evaluate(*operand));
  const std::span<const Value> values(operands.data(), operands.size());
  return expr.op == Op::Surrogate ? applySurrogate(expr, values) : apply(expr, values);
}

template <class Real> Scalar<Real> Interpreter<Real>::apply(const Expr &expr, std::span<const Value> operands) {
  Value result = operate(expr, operands);
  result.slack = slackOf(expr, operands, result, fast);
  return result;
}

template <class Real>
Scalar<Real> Interpreter<Real>::applySurrogate(const Expr &expr, std::span<const Value> arguments) {
  return evaluatePart(*expr.definition, *expr.definition->value, arguments);
}

template <class Real>
Scalar<Real> Interpreter<Real>::evaluatePart(const SurrogateDefinition &definition, const Expr &part,
                                             std::span<const Value> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i)
    environment[definition.parameters[i]] = arguments[i];
  return evaluate(part);
}

template class Interpreter<float>;
template class Interpreter<double>;

} // namespace flexsn::reference
