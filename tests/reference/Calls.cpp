#include "tests/reference/Calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace flexsn::reference {
namespace {

/// Every number by a name for messages.
std::map<std::string, double> flattened(const Gradients &gradients) {
  std::map<std::string, double> all;
  for (const auto &[name, numbers] : gradients.inputs)
    for (size_t t = 0; t < numbers.size(); ++t)
      all[fmt::format("input {}, step {}", name, t)] = numbers[t];
  for (const auto &[name, number] : gradients.initialStates)
    all["initial state " + name] = number;
  for (const auto &[name, number] : gradients.params)
    all["parameter " + name] = number;
  for (const auto &[name, numbers] : gradients.stepParams)
    for (size_t t = 0; t < numbers.size(); ++t)
      all[fmt::format("parameter {}, step {}", name, t)] = numbers[t];
  return all;
}

} // namespace

std::pair<NeuronCall, Upstream> drawCall(const Model &model, const CallShape &shape, Random &random) {
  NeuronCall call;
  Upstream upstream;
  call.steps = shape.steps;
  for (const Input &input : model.inputs)
    for (size_t t = 0; t < shape.steps; ++t)
      call.inputs[input.value->name].push_back(
          input.value->type == Type::Float ? random.between(-shape.scale, 2 * shape.scale) : double(random.below(2)));
  for (const Param &param : model.params)
    if (param.value->type == Type::Float) // one with dims has the value of its neuron, and at its steps one for each
      call.settings[param.operandName()] = param.transform == Transform::None
                                               ? param.defaultValue * random.between(0.8, 1.2)
                                               : random.between(-1.5, 1.5);
  for (const Param &param : model.params)
    for (size_t t = 0;
         t < shape.steps && param.value->type == Type::Float && !param.dims.empty() && param.dims.front() == Dim::Step;
         ++t)
      call.stepSettings[param.operandName()].push_back(call.settings[param.operandName()] + random.between(-0.1, 0.1));
  for (const Output &output : model.outputs)
    for (size_t t = 0; t < shape.steps && output.value->type == Type::Float; ++t)
      upstream.outputs[output.name].push_back(random.between(-1, 1));
  Interpreter<double> declared(model, call.settings);
  const std::vector<Scalar<double>> states = declared.initialStates();
  for (size_t i = 0; i < states.size(); ++i) {
    const std::string &name = model.states[i].value->name;
    if (states[i].type == Type::Float)
      upstream.finalStates[name] = random.between(-1, 1);
    const double reach = std::fmax(1, std::fabs(states[i].number())) / 4;
    if (shape.statesGiven)
      call.initialStates[name] =
          states[i].number() + (states[i].type == Type::Float ? random.between(-reach, reach) : 0);
  }
  return {call, upstream};
}

double sizeOf(const Gradients &gradients) {
  double size = 1;
  for (const auto &[name, number] : flattened(gradients))
    if (std::isfinite(number))
      size = std::fmax(size, std::fabs(number));
  return size;
}

std::string difference(const Gradients &got, const Gradients &want, double tolerance) {
  return difference(got, want, tolerance, sizeOf(want));
}

std::string difference(const Gradients &got, const Gradients &want, double tolerance, double size) {
  const std::map<std::string, double> gotAll = flattened(got), wantAll = flattened(want);
  if (gotAll.size() != wantAll.size())
    return fmt::format("{} numbers, not {}", gotAll.size(), wantAll.size());
  for (const auto &[name, number] : wantAll) {
    auto found = gotAll.find(name);
    if (found == gotAll.end())
      return name + ": missing";
    const bool isEqual = found->second == number || (std::isnan(found->second) && std::isnan(number));
    if (!isEqual && !(std::fabs(found->second - number) <= tolerance * size))
      return fmt::format("{}: {:.17g}, not {:.17g}", name, found->second, number);
  }
  return "";
}

bool isFinite(const Gradients &gradients) {
  const std::map<std::string, double> all = flattened(gradients);
  return std::all_of(all.begin(), all.end(), [](const auto &entry) { return std::isfinite(entry.second); });
}

} // namespace flexsn::reference
