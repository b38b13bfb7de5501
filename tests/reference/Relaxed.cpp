#include "tests/reference/Relaxed.h"

#include "compiler/frontend/Functions.h"
#include "compiler/frontend/Surrogates.h"
#include "tests/reference/Arithmetic.h"
#include "tests/reference/Operations.h"
#include "tests/reference/Surrogates.h"

#include <algorithm>

namespace flexsn::reference {
namespace {

/// Numbers of the unperturbed call in the order in which a run meets them: every run meets the same ones.
class Held {
public:
  /// The unperturbed call's number at this place; `now` while it is that call that runs.
  double at(double now) {
    if (recording)
      numbers.push_back(now);
    return numbers.at(next++);
  }
  void replay() {
    recording = false;
    next = 0;
  }

private:
  bool recording = true;
  size_t next = 0;
  std::vector<double> numbers;
};

/// What a gradient does not pass, but a value does.
bool isStep(const Expr &expr) {
  switch (expr.op) {
  case Op::Detach:
  case Op::FloorDivide:
  case Op::Less:
  case Op::LessEqual:
  case Op::Greater:
  case Op::GreaterEqual:
  case Op::Equal:
  case Op::NotEqual: return true;
  case Op::Call: {
    const Function function = expr.function->id;
    return expr.function->types == FunctionTypes::Rounding || function == Function::Sign || function == Function::IsNan;
  }
  default: return expr.type == Type::Int;
  }
}

class RelaxedRun : public Interpreter<double> {
public:
  RelaxedRun(const Model &model, const Settings &settings, Held &held) : Interpreter<double>(model), held(held) {
    setParams(settings);
  }

  Value keep(Value value) {
    const double number = held.at(value.number());
    if (value.type == Type::Float)
      value.real = number;
    else
      value.integer = static_cast<int32_t>(number);
    return value;
  }

protected:
  Value apply(const Expr &expr, std::span<const Value> operands) override {
    const Value result = operate(expr, operands);
    if (isStep(expr))
      return keep(result);
    if (expr.op != Op::Spike && expr.op != Op::Quant && expr.op != Op::ScaleGradient)
      return result;
    const Value start = keep(result);
    const double x = operands[0].real, x0 = held.at(x);
    std::vector<double> arguments; // without gradient, so those of the call
    for (const Value &operand : operands.subspan(1))
      arguments.push_back(held.at(operand.real));
    if (expr.op == Op::ScaleGradient)
      return Value::ofReal(start.real + (x - x0) * arguments[0]);
    auto smooth = [&](double at) {
      return expr.op == Op::Quant ? clip(at, arguments[0], arguments[1])
                                  : findPlainSurrogate(expr.surrogate->name)->primitive(at, arguments.data());
    };
    return Value::ofReal(start.real + (smooth(x) - smooth(x0))); // exact where nothing moved
  }

  Value applySurrogate(const Expr &expr, std::span<const Value> arguments) override {
    const SurrogateDefinition &definition = *expr.definition;
    std::vector<Value> from, to; // an argument without gradient stays where it is
    for (size_t i = 0; i < arguments.size(); ++i) {
      from.push_back(Value::ofReal(held.at(arguments[i].real)));
      const bool moves = std::any_of(definition.gradients.begin(), definition.gradients.end(),
                                     [&](const auto &gradient) { return gradient.first == definition.parameters[i]; });
      to.push_back(moves ? arguments[i] : from[i]);
    }
    const Value start = keep(evaluatePart(definition, *definition.value, arguments));
    const double moved = definition.primitive ? evaluatePart(definition, *definition.primitive, to).real -
                                                    evaluatePart(definition, *definition.primitive, from).real
                                              : integral(definition, from, to);
    return Value::ofReal(start.real + moved);
  }

private:
  /// Of the gradients, along the straight line: three points of Gauss and Legendre, for a line as short as a
  /// difference.
  double integral(const SurrogateDefinition &definition, const std::vector<Value> &from, const std::vector<Value> &to) {
    const double offset = std::sqrt(0.15);
    constexpr double outer = 5.0 / 18, inner = 8.0 / 18;
    double sum = 0;
    for (auto [place, weight] : {std::pair(0.5 - offset, outer), {0.5, inner}, {0.5 + offset, outer}}) {
      std::vector<Value> point = from;
      for (size_t i = 0; i < point.size(); ++i)
        point[i].real += place * (to[i].real - from[i].real);
      for (const auto &[parameter, gradient] : definition.gradients)
        for (size_t i = 0; i < point.size(); ++i)
          if (definition.parameters[i] == parameter)
            sum += weight * evaluatePart(definition, *gradient, point).real * (to[i].real - from[i].real);
    }
    return sum;
  }

  Held &held;
};

Scalar<double> given(const Value &name, double number) {
  if (name.type == Type::Float)
    return Scalar<double>::ofReal(number);
  return {name.type, 0, static_cast<int32_t>(number)};
}

/// sum(upstream * outputs) + sum(upstream * final states).
double loss(const Model &model, const NeuronCall &call, const Upstream &upstream, Held &held) {
  RelaxedRun run(model, call.settings, held);
  std::vector<Scalar<double>> states = run.initialStates();
  for (size_t i = 0; i < states.size() && !call.initialStates.empty(); ++i)
    states[i] = given(*model.states[i].value, call.initialStates.at(model.states[i].value->name));
  double sum = 0;
  for (size_t t = 0; t < call.steps; ++t) {
    if (model.truncate && t % *model.truncate == 0)
      for (Scalar<double> &state : states)
        state = run.keep(state);
    if (!call.stepSettings.empty())
      run.setStep(settingsAt(call, t));
    std::vector<Scalar<double>> inputs;
    for (const Input &input : model.inputs)
      inputs.push_back(given(*input.value, call.inputs.at(input.value->name)[t]));
    states = run.step(inputs, states);
    for (const auto &[name, weights] : upstream.outputs)
      sum += weights[t] * run.value(model.lastValue(name)).number();
  }
  for (size_t i = 0; i < states.size(); ++i)
    if (auto weight = upstream.finalStates.find(model.states[i].value->name); weight != upstream.finalStates.end())
      sum += weight->second * states[i].number();
  return sum;
}

/// Slopes of the loss in the numbers of a call.
class LossSlopes {
public:
  LossSlopes(const Model &model, const NeuronCall &call, const Upstream &upstream)
      : call(call), model(model), upstream(upstream), unmoved(loss(model, call, upstream, held)) {}

  /// In a number of `call`, which is of size `scale`.
  double in(double &number, double scale) {
    const double step = 1e-5 * scale;
    return (4 * difference(number, step / 2) - difference(number, step)) / 3; // without the error of second order
  }

  NeuronCall call; ///< what is moved
  double bend = 0;

private:
  double difference(double &number, double step) {
    const double before = number, right = before + step, left = before - step;
    number = right;
    const double upper = lossNow();
    number = left;
    const double lower = lossNow();
    number = before;
    const double turn = (upper - unmoved) / (right - before) - (unmoved - lower) / (before - left);
    bend = std::isfinite(turn) ? std::fmax(bend, std::fabs(turn)) : HUGE_VAL;
    return (upper - lower) / (right - left);
  }
  double lossNow() {
    held.replay();
    return loss(model, call, upstream, held);
  }

  const Model &model;
  const Upstream &upstream;
  Held held;
  double unmoved;
};

} // namespace

Differences centralDifferences(const Model &model, const NeuronCall &call, const Upstream &upstream) {
  LossSlopes slopes(model, call, upstream);
  Differences result;
  for (const Input &input : model.inputs)
    if (input.value->type == Type::Float)
      for (double &number : slopes.call.inputs.at(input.value->name))
        result.gradients.inputs[input.value->name].push_back(slopes.in(number, std::fmax(1, std::fabs(number))));
  for (const State &state : model.states)
    if (state.value->type == Type::Float && !call.initialStates.empty()) {
      double &number = slopes.call.initialStates.at(state.value->name);
      result.gradients.initialStates[state.value->name] = slopes.in(number, std::fmax(1, std::fabs(number)));
    }
  auto slope = [&](double &number) { // a small one, such as dt, is small by its unit
    return slopes.in(number, number == 0 ? 1 : std::fabs(number));
  };
  for (const Param &param : model.params) {
    const std::string name = param.operandName();
    if (auto steps = slopes.call.stepSettings.find(name); steps != slopes.call.stepSettings.end())
      for (double &number : steps->second)
        result.gradients.stepParams[name].push_back(slope(number));
    else if (param.value->type == Type::Float)
      result.gradients.params[name] = slope(slopes.call.settings.at(name));
  }
  result.bend = slopes.bend;
  return result;
}

} // namespace flexsn::reference
