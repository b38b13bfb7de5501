#include "runtime/GradientOperands.h"

#include <algorithm>

namespace flexsn {
namespace {

/// Reads the struct, part by part, in the order of the roles.
class GradientReader {
public:
  GradientReader(const Model &model, Storage data, bool backward, const flexsn_gradients &given, CallTensors &tensors)
      : model(model), data(data), backward(backward), given(given), tensors(tensors) {}

  GradientOperands read(const std::vector<WantedOutput> &outputs) {
    readOutputs(outputs);
    readFinals();
    readWanted();
    result.residual = given.residual;
    result.residualBytes = given.residual_bytes;
    return std::move(result);
  }

private:
  void readOutputs(const std::vector<WantedOutput> &outputs);
  void readFinals();
  void readWanted();
  void readWantedParam(size_t index, const flexsn_named &wanted);

  std::string label(std::string_view kind, const std::string &name) const {
    return fmt::format("{}: gradient of {} '{}'", model.name, kind, name);
  }
  void requireFloat(Type type, std::string_view kind, const std::string &name) const {
    if (type != Type::Float)
      fail(FLEXSN_ERROR_VALUE, "{}: {} '{}' is {}, which has no gradient", model.name, kind, name,
           type == Type::Int ? "an int" : "a bool");
  }
  void addState(const DLTensor *tensor, std::string_view kind, const std::string &name, Role role) {
    if (!backward)
      return;
    Storage storage = stateStorage(Type::Float, data);
    tensors.walked.push_back({readTensor(tensor, label(kind, name), storage), {name, role, storage}});
  }

  const Model &model;
  Storage data;
  bool backward;
  const flexsn_gradients &given;
  CallTensors &tensors;
  GradientOperands result;
};

void GradientReader::readOutputs(const std::vector<WantedOutput> &outputs) {
  if (!backward)
    return;
  if (given.output_count != outputs.size())
    fail(FLEXSN_ERROR_VALUE, "{}: the call has {} gradients of outputs, but needs {}", model.name, given.output_count,
         outputs.size());
  if (!outputs.empty())
    require(given.outputs, "gradients.outputs");
  for (size_t i = 0; i < outputs.size(); ++i) {
    const WantedOutput &output = outputs[i];
    if (output.storage != Storage::Bool)
      tensors.addSequence(given.outputs[i], label("output", output.name), {output.name, Role::GradOutput, data});
    else if (given.outputs[i])
      requireFloat(Type::Bool, "output", output.name);
  }
}

void GradientReader::readFinals() {
  std::vector<std::string> names = readNames(given.final_states, given.final_state_count, "gradients.final_states");
  std::vector<bool> set = stateSet(model, names);
  for (size_t i = 0; i < model.states.size(); ++i) {
    if (!set[i])
      continue;
    const Value &state = *model.states[i].value;
    requireFloat(state.type, "final state", state.name);
    result.names.finals.push_back(state.name);
    auto place = static_cast<size_t>(std::find(names.begin(), names.end(), state.name) - names.begin());
    addState(given.final_states[place].tensor, "final state", state.name, Role::GradFinal);
  }
}

/// Of all wanted gradients, sorted by what they belong to.
void GradientReader::readWanted() {
  std::vector<std::string> names = readNames(given.wanted, given.wanted_count, "gradients.wanted"), known;
  std::vector<bool> isKnown(names.size());
  auto take = [&](const std::vector<std::string> &aliases, auto read) {
    known.push_back(aliases.front());
    const flexsn_named *found = nullptr;
    for (size_t i = 0; i < names.size(); ++i)
      if (std::find(aliases.begin(), aliases.end(), names[i]) != aliases.end()) {
        if (found)
          fail(FLEXSN_ERROR_VALUE, "{}: the gradient of '{}' is wanted twice", model.name, aliases.front());
        found = &given.wanted[i];
        isKnown[i] = true;
      }
    if (found)
      read(*found);
  };
  for (const Input &input : model.inputs)
    take({input.value->name}, [&](const flexsn_named &wanted) {
      requireFloat(input.value->type, "input", input.value->name);
      result.names.inputs.push_back(input.value->name);
      if (backward)
        tensors.addSequence(wanted.tensor, label("input", input.value->name),
                            {input.value->name, Role::GradInput, data});
    });
  for (const State &state : model.states)
    take({state.value->name}, [&](const flexsn_named &wanted) {
      requireFloat(state.value->type, "initial state", state.value->name);
      result.names.initials.push_back(state.value->name);
      addState(wanted.tensor, "initial state", state.value->name, Role::GradInitial);
    });
  for (size_t i = 0; i < model.params.size(); ++i)
    take({model.params[i].value->name, model.params[i].operandName()},
         [&](const flexsn_named &wanted) { readWantedParam(i, wanted); });
  for (size_t i = 0; i < names.size(); ++i)
    if (!isKnown[i])
      failUnknown(model.name, "input, state or parameter", "inputs, states and parameters", names[i], known);
}

void GradientReader::readWantedParam(size_t index, const flexsn_named &wanted) {
  const Param &param = model.params[index];
  requireFloat(param.value->type, "parameter", param.value->name);
  if (param.frozen)
    fail(FLEXSN_ERROR_VALUE, "{}: parameter '{}' is frozen: it has no gradient", model.name, param.value->name);
  result.names.params.push_back(param.operandName());
  if (!backward)
    return;
  std::string words = label("parameter", param.value->name);
  TensorView view = readTensor(wanted.tensor, words, stateStorage(Type::Float, data));
  if (param.dims.empty() && !view.shape.empty())
    fail(FLEXSN_ERROR_VALUE, "{} has shape {}, but is one value without dimensions", words, shapeText(view.shape));
  tensors.paramGradients.push_back({view, {param.operandName(), Role::GradParam, view.storage}, index});
  result.params.push_back(std::move(view));
}

} // namespace

GradientOperands readGradients(const Model &model, const std::vector<WantedOutput> &outputs, Storage data,
                               KernelKind kernel, const flexsn_gradients &given, CallTensors &tensors) {
  return GradientReader(model, data, kernel == KernelKind::Backward, given, tensors).read(outputs);
}

GradientNames gradientNames(const Model &model, const std::vector<std::string> &wanted) {
  std::vector<flexsn_named> named;
  for (const std::string &name : wanted)
    named.push_back({name.c_str(), nullptr, 0});
  flexsn_gradients given{};
  given.wanted = named.data();
  given.wanted_count = named.size();
  CallTensors none;
  return readGradients(model, {}, Storage::F32, KernelKind::Forward, given, none).names;
}

std::vector<std::string> usualGradients(const Model &model, const std::vector<bool> &initialGiven) {
  std::vector<std::string> names;
  for (const Input &input : model.inputs)
    if (input.value->type == Type::Float)
      names.push_back(input.value->name);
  for (size_t i = 0; i < model.states.size(); ++i)
    if (initialGiven[i] && model.states[i].value->type == Type::Float)
      names.push_back(model.states[i].value->name);
  for (const Param &param : model.params)
    if (param.learnable)
      names.push_back(param.operandName());
  return names;
}

} // namespace flexsn
