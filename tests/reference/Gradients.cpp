#include "tests/reference/Gradients.h"

#include "tests/reference/Derivatives.h"
#include "tests/reference/Operations.h"

namespace flexsn::reference {
namespace {

/// An interpreter that writes down what it does to floats.
template <class Real> class Recorder : public Interpreter<Real> {
public:
  using Value = Scalar<Real>;

  Recorder(const Model &model, const Settings &settings, Tape &tape) : Interpreter<Real>(model), tape(tape) {
    this->setParams(settings);
  }

  /// The tape's nodes of the stored parameters.
  std::map<std::string, uint32_t> params;

  /// A given value whose gradient is wanted.
  Value leaf(Type type, double number) {
    if (type != Type::Float)
      return {type, 0, static_cast<int32_t>(number)};
    return {type, static_cast<Real>(number), 0, 0, tape.leaf()};
  }

protected:
  Value stored(const Param &param, const Settings &settings) override {
    Value value = Interpreter<Real>::stored(param, settings);
    if (value.type == Type::Float)
      value.node = params[param.operandName()] = tape.leaf();
    return value;
  }

  Value apply(const Expr &expr, std::span<const Value> operands) override {
    Value result = operate(expr, operands);
    result.node = record(operands, slopesOf(expr, operands, result));
    return result;
  }

  /// The gradients that the text gives, whatever the value's own would be.
  Value applySurrogate(const Expr &expr, std::span<const Value> arguments) override {
    const SurrogateDefinition &definition = *expr.definition;
    std::vector<Value> numbers(arguments.begin(), arguments.end());
    for (Value &number : numbers)
      number.node = 0;
    Slopes slopes(arguments.size());
    for (const auto &[parameter, gradient] : definition.gradients)
      for (size_t i = 0; i < arguments.size(); ++i)
        if (definition.parameters[i] == parameter)
          slopes[i] = this->evaluatePart(definition, *gradient, numbers).number();
    Value result = this->evaluatePart(definition, *definition.value, numbers);
    result.node = record(arguments, slopes);
    return result;
  }

private:
  uint32_t record(std::span<const Value> operands, const Slopes &slopes) {
    llvm::SmallVector<uint32_t, 4> nodes;
    for (const Value &operand : operands)
      nodes.push_back(operand.node);
    return tape.record(std::span<const uint32_t>(nodes.data(), nodes.size()), slopes);
  }

  Tape &tape;
};

/// The upstream numbers of `name`, or null.
template <class Map> const typename Map::mapped_type *find(const Map &map, const std::string &name) {
  auto found = map.find(name);
  return found == map.end() ? nullptr : &found->second;
}

} // namespace

Settings settingsAt(const NeuronCall &call, size_t t) {
  Settings settings = call.settings;
  for (const auto &[name, numbers] : call.stepSettings)
    settings[name] = numbers[t];
  return settings;
}

template <class Real> Gradients gradients(const Model &model, const NeuronCall &call, const Upstream &upstream) {
  Tape tape;
  Recorder<Real> recorder(model, call.settings, tape);
  std::vector<Scalar<Real>> states, firstStates;
  for (size_t i = 0; i < model.states.size() && !call.initialStates.empty(); ++i)
    firstStates.push_back(
        recorder.leaf(model.states[i].value->type, call.initialStates.at(model.states[i].value->name)));
  states = call.initialStates.empty() ? recorder.initialStates() : firstStates;

  std::vector<std::vector<Scalar<Real>>> inputs(call.steps);
  std::map<std::string, std::vector<uint32_t>> stepParams;
  for (size_t t = 0; t < call.steps; ++t) {
    if (!call.stepSettings.empty())
      recorder.setStep(settingsAt(call, t));
    for (const auto &[name, numbers] : call.stepSettings)
      stepParams[name].push_back(recorder.params.at(name));
    for (const Input &input : model.inputs)
      inputs[t].push_back(recorder.leaf(input.value->type, call.inputs.at(input.value->name)[t]));
    if (model.truncate && t % *model.truncate == 0)
      for (Scalar<Real> &state : states)
        state.node = 0;
    states = recorder.step(inputs[t], states);
    for (const auto &[name, adjoints] : upstream.outputs)
      tape.seed(recorder.value(model.lastValue(name)).node, adjoints[t]);
  }
  for (size_t i = 0; i < states.size(); ++i)
    if (const double *adjoint = find(upstream.finalStates, model.states[i].value->name))
      tape.seed(states[i].node, *adjoint);
  tape.walkBack();

  Gradients result;
  for (size_t i = 0; i < model.inputs.size(); ++i)
    if (model.inputs[i].value->type == Type::Float)
      for (size_t t = 0; t < call.steps; ++t)
        result.inputs[model.inputs[i].value->name].push_back(tape.adjoint(inputs[t][i].node));
  for (size_t i = 0; i < firstStates.size(); ++i)
    if (firstStates[i].type == Type::Float)
      result.initialStates[model.states[i].value->name] = tape.adjoint(firstStates[i].node);
  for (const auto &[name, nodes] : stepParams)
    for (uint32_t node : nodes)
      result.stepParams[name].push_back(tape.adjoint(node));
  for (const auto &[name, node] : recorder.params)
    if (!stepParams.contains(name))
      result.params[name] = tape.adjoint(node);
  return result;
}

template Gradients gradients<float>(const Model &, const NeuronCall &, const Upstream &);
template Gradients gradients<double>(const Model &, const NeuronCall &, const Upstream &);

} // namespace flexsn::reference
