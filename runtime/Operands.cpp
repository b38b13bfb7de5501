#include "runtime/Operands.h"

#include "runtime/Structs.h"

#include <algorithm>

namespace flexsn {
namespace {

/// Reads the operands of one call, phase by phase.
class CallReader {
public:
  CallReader(const CallShape &needs, const flexsn_call &call) : needs(needs), model(needs.model), call(call) {}

  CallOperands read() {
    if (call.reserved != 0)
      fail(FLEXSN_ERROR_ARGUMENT, "call.reserved is {}, but must be 0", call.reserved);
    readSequences();
    readStates(call.initial_states, call.initial_state_count, Role::Initial);
    if (!isBackward()) // of the forward call, which may be the same
      readStates(call.final_states, call.final_state_count, Role::Final);
    else
      result.finalGiven.resize(model.states.size());
    readGradients();
    readParams();
    decideSteps();
    checkShapes(tensors);
    checkOverlaps(tensors, model);
    decideOrder();
    spreadParams();
    placeAll();
    placeParams();
    placeParamGradients();
    return std::move(result);
  }

private:
  bool isTraining() const { return flexsn::isTraining(needs.kernel); }
  bool isBackward() const { return needs.kernel == KernelKind::Backward; }

  void readSequences();
  void readStates(const flexsn_named *values, size_t count, Role role);
  void readGradients();
  void readParams();
  void decideSteps();
  void decideOrder();
  void spreadParams();
  void placeAll();
  void placeParams();
  void placeParamGradients();
  /// Of what has been spread: 1 if it varies by step.
  size_t timeDims(const TensorOperand &param) const {
    return param.view.shape.size() - reference.view.shape.size() + reference.leading();
  }
  IterationSpace paramSpace(std::span<const TensorOperand> params) const;
  CpuOperand placedParam(const TensorOperand &param, std::span<const int64_t> strides) const;
  CpuOperand placed(const TensorOperand &tensor, std::span<const int64_t> strides) const;

  const CallShape &needs;
  const Model &model;
  const flexsn_call &call;
  CallOperands result;
  CallTensors tensors;
  TensorOperand reference; ///< decides the iteration order
};

void checkCount(const Model &model, size_t given, const std::vector<std::string> &names, std::string_view kind) {
  if (given == names.size())
    return;
  std::string wanted = names.empty() ? "none" : fmt::format("{} ({})", names.size(), fmt::join(names, ", "));
  fail(FLEXSN_ERROR_VALUE, "{}: the call has {} {}{}, but needs {}", model.name, given, kind, given == 1 ? "" : "s",
       wanted);
}

void CallReader::readSequences() {
  std::vector<std::string> inputs, outputs;
  for (const Input &input : model.inputs)
    inputs.push_back(input.value->name);
  bool writes = (needs.kernel == KernelKind::Inference || needs.kernel == KernelKind::Forward) &&
                (!needs.mayLackOutputs || call.output_count != 0);
  for (const WantedOutput &output : needs.outputs)
    if (writes)
      outputs.push_back(output.name);
  checkCount(model, call.input_count, inputs, "input");
  if (!isBackward())
    checkCount(model, call.output_count, outputs, "output");
  if (!inputs.empty())
    require(call.inputs, "call.inputs");
  if (!outputs.empty())
    require(call.outputs, "call.outputs");
  for (size_t i = 0; i < inputs.size(); ++i)
    tensors.addSequence(call.inputs[i], fmt::format("{}: input '{}'", model.name, inputs[i]),
                        {inputs[i], Role::Input, storageOf(model.inputs[i].value->type, needs.data)});
  for (size_t i = 0; i < outputs.size(); ++i)
    tensors.addSequence(call.outputs[i], fmt::format("{}: output '{}'", model.name, outputs[i]),
                        {outputs[i], Role::Output, needs.outputs[i].storage});
}

void CallReader::readStates(const flexsn_named *values, size_t count, Role role) {
  bool initial = role == Role::Initial;
  std::vector<std::string> names = readNames(values, count, initial ? "call.initial_states" : "call.final_states");
  (initial ? result.initialGiven : result.finalGiven) = stateSet(model, names);
  if (initial)
    result.numbers.resize(model.states.size());
  for (size_t i = 0; i < count; ++i) {
    size_t index = stateIndex(model, names[i]);
    Type type = model.states[index].value->type;
    KernelOperand operand{names[i], role, stateStorage(type, needs.data)};
    std::string label = fmt::format("{}: {} state '{}'", model.name, initial ? "initial" : "final", names[i]);
    if (initial && !values[i].tensor) {
      checkStorable(values[i].value, type, needs.data, label);
      result.numbers[index] = slot(values[i].value, operand.storage);
      result.operands.push_back({std::move(operand), {&result.numbers[index], 0, 0}});
      continue;
    }
    TensorView view = readTensor(values[i].tensor, std::move(label), operand.storage);
    tensors.walked.push_back({std::move(view), std::move(operand)});
  }
}

void CallReader::readGradients() {
  if (!isTraining()) {
    if (call.gradients)
      fail(FLEXSN_ERROR_ARGUMENT, "call.gradients is not NULL, but the {} kernel has no gradients",
           kernelName(needs.kernel));
    return;
  }
  require(call.gradients, "call.gradients");
  flexsn_gradients given = readStruct(call.gradients, "flexsn_gradients");
  result.gradients = flexsn::readGradients(model, needs.outputs, needs.data, needs.kernel, given, tensors);
  const GradientNames &names = result.gradients.names;
  if (names.inputs.empty() && names.initials.empty() && names.params.empty())
    fail(FLEXSN_ERROR_VALUE, "{}: the call wants no gradient", model.name);
  for (const std::string &name : names.initials)
    if (!result.initialGiven[stateIndex(model, name)])
      fail(FLEXSN_ERROR_VALUE,
           "{}: the gradient of initial state '{}' is wanted, but the call does not give that state", model.name, name);
}

void CallReader::readParams() {
  std::vector<std::string> names;
  if (call.param_count != 0)
    require(call.params, "call.params");
  for (size_t i = 0; i < call.param_count; ++i) {
    require(call.params[i].name, "call.params[].name");
    names.emplace_back(call.params[i].name);
  }
  std::vector<std::optional<size_t>> setBy = settersOf(model, names);
  result.paramValues.resize(model.params.size());
  for (size_t i = 0; i < model.params.size(); ++i) {
    const Param &param = model.params[i];
    if (!setBy[i]) {
      result.params.push_back(storedDefault(param));
      continue;
    }
    const flexsn_named &given = call.params[*setBy[i]];
    std::string label = parameterLabel(model, given.name);
    if (given.tensor && given.tensor->ndim != 0 && !param.dims.empty()) {
      result.params.push_back(storedDefault(param)); // unread
      result.paramValues[i] = readShaped(param, given.name, *given.tensor, needs.data, std::move(label));
      const TensorView &view = result.paramValues[i].view;
      tensors.params.push_back({view, {param.operandName(), Role::Param, view.storage}, i});
      continue;
    }
    double value = given.tensor ? readNumber(*given.tensor, label) : given.value;
    result.params.push_back(storedValue(param, {given.name, value}, needs.data, label));
  }
}

/// Finds T.
void CallReader::decideSteps() {
  const TensorOperand *reference = tensors.reference();
  bool wanted = isTraining() || !needs.outputs.empty() || call.final_state_count != 0;
  if (!reference || !wanted || (needs.kernel == KernelKind::FinalState && call.final_state_count == 0))
    failNothingWanted(model);
  if (call.steps < 0)
    fail(FLEXSN_ERROR_VALUE, "{}: the call has {} steps", model.name, call.steps);
  result.steps = reference->isSequence() ? reference->view.shape.front() : call.steps;
  if (result.steps == 0)
    fail(FLEXSN_ERROR_VALUE, "{}: a call without inputs and outputs needs the number of time steps (steps)",
         model.name);
  if (call.steps != 0 && call.steps != result.steps)
    fail(FLEXSN_ERROR_VALUE, "{} has {} time steps, but the call says {}", reference->view.label, result.steps,
         call.steps);
}

void CallReader::decideOrder() {
  reference = *tensors.reference();
  // The two kernels of a training step must number neurons alike, and without inputs have no operand in common.
  if (isTraining() && model.inputs.empty()) {
    int64_t stride = 1;
    for (size_t d = reference.view.shape.size(); d-- > 0; stride *= reference.view.shape[d])
      reference.view.strides[d] = stride;
  }
}

/// Parameters with dims, and gradients of such, as if they had all of a sequence's dimensions.
void CallReader::spreadParams() {
  const std::vector<int64_t> &shape = reference.view.shape;
  std::vector<int64_t> step(shape.begin() + static_cast<ptrdiff_t>(reference.leading()), shape.end());
  std::string words = stepWords(reference);
  if (reference.isSequence())
    words.erase(0, std::string_view("one step of ").size());
  DataShape data = dataShape(result.steps, std::move(step), call.channel_dim,
                             fmt::format("{} of shape {}", words, shapeText(shape)));
  auto spread = [&](TensorOperand &tensor) { tensor.view = spreadOver(data, model.params[tensor.param], tensor.view); };
  std::for_each(tensors.params.begin(), tensors.params.end(), spread);
  for (TensorOperand &tensor : tensors.paramGradients)
    if (!model.params[tensor.param].dims.empty())
      spread(tensor);
}

/// Dimensions that are not there come first, with one element.
void putExtents(const IterationSpace &space, int64_t (&extents)[maxDims]) {
  size_t missing = maxDims - space.extents.size();
  std::fill_n(extents, missing, 1);
  std::copy(space.extents.begin(), space.extents.end(), extents + missing);
}

/// Puts every operand where the kernel looks for it.
void CallReader::placeAll() {
  std::vector<WalkedView> walked;
  for (const TensorOperand &tensor : tensors.walked)
    walked.push_back({&tensor.view, tensor.leading()});
  IterationSpace space = iterationSpace(walked, {&reference.view, reference.leading()});
  result.layout = space.layout;
  result.neurons = space.neurons;
  putExtents(space, result.extents);
  for (size_t i = 0; i < walked.size(); ++i)
    result.operands.push_back({tensors.walked[i].operand, placed(tensors.walked[i], space.strides[i])});
}

/// The neurons of the call along the dimensions that parameters with dims have: these do not decide how a kernel walks
/// its sequences.
IterationSpace CallReader::paramSpace(std::span<const TensorOperand> params) const {
  std::vector<WalkedView> walked;
  for (const TensorOperand &param : params)
    walked.push_back({&param.view, timeDims(param)});
  return iterationSpace(walked, {&reference.view, reference.leading()});
}

CpuOperand CallReader::placedParam(const TensorOperand &param, std::span<const int64_t> strides) const {
  auto item = static_cast<int64_t>(storageBytes(param.view.storage));
  CpuOperand place{param.view.data, timeDims(param) != 0 ? param.view.strides.front() * item : 0, 0};
  for (size_t d = 0; d < strides.size(); ++d)
    place.strides[maxDims - strides.size() + d] = strides[d] * item;
  return place;
}

void CallReader::placeParams() {
  IterationSpace space = paramSpace(tensors.params);
  putExtents(space, result.paramExtents);
  for (size_t k = 0; k < tensors.params.size(); ++k)
    result.operands.push_back({tensors.params[k].operand, placedParam(tensors.params[k], space.strides[k])});
  result.paramNumbers.resize(model.params.size());
  for (size_t i = 0; i < model.params.size(); ++i) {
    const Param &param = model.params[i];
    KernelOperand operand{param.operandName(), Role::Param, stateStorage(param.value->type, needs.data)};
    if (param.dims.empty() || result.find(operand))
      continue;
    result.paramNumbers[i] = slot(result.params[i], operand.storage);
    result.operands.push_back({std::move(operand), {&result.paramNumbers[i], 0, 0}});
  }
}

/// Each in a space of its own: which neurons share an element has nothing to do with what else there is.
void CallReader::placeParamGradients() {
  for (size_t k = 0; k < tensors.paramGradients.size(); ++k) {
    const TensorOperand &gradient = tensors.paramGradients[k];
    if (model.params[gradient.param].dims.empty())
      continue;
    if (result.neurons == 0) {
      result.gradients.shared.push_back({gradient.operand, SharedElements::ofNobody(result.gradients.params[k])});
      continue;
    }
    IterationSpace space = paramSpace(std::span(&gradient, 1));
    int64_t extents[maxDims];
    putExtents(space, extents);
    CpuOperand place = placedParam(gradient, space.strides.front());
    int64_t steps = timeDims(gradient) != 0 ? result.steps : 1;
    result.gradients.shared.push_back(
        {gradient.operand, SharedElements::of(place, extents, steps, gradient.view.storage)});
  }
}

CpuOperand CallReader::placed(const TensorOperand &tensor, std::span<const int64_t> strides) const {
  auto item = static_cast<int64_t>(storageBytes(tensor.view.storage));
  CpuOperand placed{tensor.view.data, 0, tensor.isScalar() ? 0 : item};
  if (tensor.isSequence())
    placed.timeStride = tensor.view.strides.front() * item;
  for (size_t d = 0; d < strides.size(); ++d)
    placed.strides[maxDims - strides.size() + d] = strides[d] * item;
  return placed;
}

} // namespace

const CpuOperand *CallOperands::find(const KernelOperand &operand) const {
  auto found = std::find_if(operands.begin(), operands.end(),
                            [&](const PlacedOperand &placed) { return placed.operand == operand; });
  return found == operands.end() ? nullptr : &found->place;
}

void failNothingWanted(const Model &model) {
  fail(FLEXSN_ERROR_VALUE, "{}: the call asks for no output and no final state", model.name);
}

CallOperands readCall(const CallShape &needs, const flexsn_call &call) { return CallReader(needs, call).read(); }

} // namespace flexsn
