#include "tools/flexsnc/Gradients.h"

#include "tools/flexsnc/DataType.h"
#include "tools/flexsnc/RunExecute.h"
#include "tools/flexsnc/Settings.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>

namespace flexsn::cli {

namespace {

/// Inputs, states and parameters, the latter under both names if they are transformed.
std::vector<std::string> differentiable(const flexsn::Model &model) {
  std::vector<std::string> names = namesOf(model.inputs());
  for (const std::vector<flexsn::Part> &parts : {model.states(), model.params()})
    for (const flexsn::Part &part : parts)
      for (const std::string &name : {part.name, part.operand})
        if (!contains(names, name))
          names.push_back(name);
  return names;
}

/// What is differentiated by where nobody says: inputs, initial states that are arrays, learnable parameters.
std::vector<std::string> usualNames(const flexsn::Model &model, const RunRequest &request) {
  std::vector<std::string> names;
  for (const flexsn::Part &input : model.inputs())
    if (input.type == flexsn::Type::floating)
      names.push_back(input.name);
  for (const Target &state : request.states)
    if (typeOf(model.states(), state.name) == flexsn::Type::floating)
      names.push_back(state.name);
  for (const flexsn::Part &param : model.params())
    if (param.flags & FLEXSN_LEARNABLE)
      names.push_back(param.operand);
  return names;
}

/// A transformed parameter goes by the name of what is stored, which its gradient is of.
std::string canonical(const flexsn::Model &model, const std::string &name) {
  for (const flexsn::Part &param : model.params())
    if (param.name == name || param.operand == name)
      return param.operand;
  return name;
}

/// The shape of a parameter with dims (docs/language.md, Parameters). A channel that is not there is the library's to
/// refuse.
std::vector<int64_t> shapeOfDims(uint32_t dims, const RunData &data, int32_t channelDim) {
  std::vector<int64_t> shape;
  auto rank = static_cast<int32_t>(data.shape.size());
  if (dims & FLEXSN_DIM_STEP)
    shape.push_back(data.steps);
  if (dims & FLEXSN_DIM_NEURON)
    shape.insert(shape.end(), data.shape.begin() + (rank > 1 ? 1 : 0), data.shape.end());
  int32_t channel = channelDim < 0 ? channelDim + rank : channelDim > 0 ? channelDim - 1 : std::min(rank - 1, 1);
  if ((dims & FLEXSN_DIM_CHANNEL) && channel >= 0 && channel < rank)
    shape.push_back(data.shape[static_cast<size_t>(channel)]);
  if (rank == 0 && !(dims & FLEXSN_DIM_STEP)) // one neuron
    shape.push_back(1);
  return shape;
}

/// An array of zeros of the shape of what the gradient belongs to.
Array zeros(const flexsn::Model &model, const flexsn::Options &options, const RunRequest &request, const RunData &data,
            const std::string &name) {
  bool fortran = !data.inputs.empty() && data.inputs[0].fortranOrder;
  std::vector<int64_t> shape = data.shape;
  if (contains(namesOf(model.inputs()), name)) {
    shape.insert(shape.begin(), data.steps);
    return makeArray(data.element, shape, fortran);
  }
  if (contains(namesOf(model.states()), name))
    return makeArray(computedAs(data.element), shape, fortran && shape.size() > 1);
  uint32_t dims = dimsOf(model, options, name);
  return makeArray(computedAs(data.element),
                   dims == 0 ? std::vector<int64_t>() : shapeOfDims(dims, data, request.channelDim));
}

} // namespace

GradientRequest parseGradients(const Arguments &arguments, const flexsn::Model &model, const RunRequest &request) {
  GradientRequest gradients;
  std::vector<std::string> states = namesOf(model.states()), known = differentiable(model);
  gradients.outputs = targetsOf(arguments, "--grad-output", model.name(), "name", model.names());
  for (const Target &output : gradients.outputs)
    for (const auto &[name, type] : typesOfNames(model))
      if (name == output.name && type == flexsn::Type::boolean)
        failUsage(fmt::format("'--grad-output {}': '{}' is a bool, which has no gradient", name, name));
  gradients.finals = targetsOf(arguments, "--grad-final", model.name(), "state", states);
  gradients.saves = targetsOf(arguments, "--save-grad", model.name(), "input, state or parameter", known);
  std::optional<std::string> wrt = arguments.get("--wrt");
  bool flows = !gradients.outputs.empty() || !gradients.finals.empty();
  if (!flows && (wrt || !gradients.saves.empty()))
    failUsage(fmt::format("'{}' needs something that flows back", wrt ? "--wrt" : "--save-grad"),
              "--grad-output NAME=FILE.npy or --grad-final STATE=FILE.npy");
  if (!flows)
    return gradients;
  gradients.wanted = wrt ? splitList(*wrt) : usualNames(model, request);
  for (const std::string &name : gradients.wanted)
    if (!contains(known, name))
      failName("--wrt", model.name(), "input, state or parameter", name, known);
  for (std::string &name : gradients.wanted)
    name = canonical(model, name);
  for (Target &save : gradients.saves) {
    save.name = canonical(model, save.name);
    if (!contains(gradients.wanted, save.name))
      gradients.wanted.push_back(save.name);
  }
  if (gradients.wanted.empty())
    failUsage(fmt::format("{} has no gradient that is wanted by itself", model.name()), "--save-grad NAME=FILE.npy");
  return gradients;
}

NamedArrays runGradients(const flexsn::Model &model, flexsn::Options options, const RunRequest &request,
                         RunData &data) {
  options.dtype = dataTypeOf(data.element).dtype;
  options.out_dtype = flexsn::OutDType::data;
  options.outputs.emplace();
  for (const auto &[name, array] : data.outputGradients)
    options.outputs->push_back(name);
  flexsn::Neuron neuron = model.compile(flexsn::Device::cpu(), options);

  flexsn::Call call = wholeCall(request, data);
  for (auto &[name, array] : data.outputGradients)
    call.output_gradients.emplace_back(viewOf(array));
  for (auto &[name, array] : data.finalGradients)
    call.final_gradients.emplace_back(name, viewOf(array));
  NamedArrays gradients;
  for (const std::string &name : request.gradients.wanted)
    gradients.emplace_back(name, zeros(model, options, request, data, name));
  for (auto &[name, array] : gradients)
    call.gradients.emplace_back(name, viewOf(array));

  std::vector<Array> outputs; // of the forward kernel, which writes them beside the residual
  for (const auto &[name, array] : data.outputGradients)
    outputs.push_back(makeArray(array.element, array.shape, array.fortranOrder));
  for (Array &output : outputs)
    call.outputs.push_back(viewOf(output));
  std::vector<Array> finals; // without inputs and outputs they say for how many neurons
  for (const auto &[name, array] : data.finalGradients)
    finals.push_back(makeArray(array.element, array.shape, array.fortranOrder));
  for (size_t i = 0; i < finals.size() && data.inputs.empty(); ++i)
    call.final_states.emplace_back(data.finalGradients[i].first, viewOf(finals[i]));
  std::vector<std::byte> residual(neuron.residual_bytes(call));
  call.residual = residual.data();
  call.residual_bytes = residual.size();
  if (!residual.empty())
    neuron.forward(call);
  neuron.backward(call);
  for (auto &[name, array] : gradients)
    array = forFile(std::move(array));
  return gradients;
}

} // namespace flexsn::cli
