#include "runtime/Operands.h"

#include "runtime/Overlap.h"

#include <functional>
#include <memory>
#include <optional>

namespace flexsn {
namespace {

/// One operand that is a tensor.
struct TensorOperand {
  TensorView view;
  Role role;
  size_t index; ///< input or output: its place; initial or final: the state's
  bool sequence() const { return role == Role::Input || role == Role::Output; }
  bool written() const { return role == Role::Output || role == Role::Final; }
};

/// Reads the operands of one call, phase by phase.
class CallReader {
public:
  CallReader(const CallShape &needs, const flexsn_call &call) : needs(needs), model(needs.model), call(call) {}

  CallOperands read() {
    readSequences();
    readStates(call.initial_states, call.initial_state_count, Role::Initial);
    readStates(call.final_states, call.final_state_count, Role::Final);
    readParams();
    decideSteps();
    checkShapes();
    checkOverlaps();
    placeAll();
    return std::move(result);
  }

private:
  void readSequences();
  void readSequence(const DLTensor *tensor, Role role, size_t index, std::string_view kind, const std::string &name,
                    Storage storage);
  void readStates(const flexsn_named *values, size_t count, Role role);
  void readParams();
  void decideSteps();
  void checkShapes();
  void checkOverlaps() const;
  void placeAll();
  CpuOperand placed(const TensorOperand &operand, std::span<const int64_t> strides) const;

  size_t leading(const TensorOperand &operand) const { return operand.sequence() ? 1 : 0; }
  /// A state given as a tensor without dimensions: one value for all neurons.
  bool isScalar(const TensorOperand &operand) const {
    return operand.role == Role::Initial && operand.view.shape.empty();
  }

  const CallShape &needs;
  const Model &model;
  const flexsn_call &call;
  CallOperands result;
  std::vector<TensorOperand> tensors;       ///< inputs, outputs, initials, finals
  const TensorOperand *reference = nullptr; ///< decides shape and order: the first input, else output, else final state
  std::string referenceWords;               ///< "one step of 'x'"
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
  for (const WantedOutput &output : needs.outputs)
    outputs.push_back(output.name);
  checkCount(model, call.input_count, inputs, "input");
  checkCount(model, call.output_count, outputs, "output");
  if (!inputs.empty())
    require(call.inputs, "call.inputs");
  if (!outputs.empty())
    require(call.outputs, "call.outputs");
  for (size_t i = 0; i < inputs.size(); ++i)
    readSequence(call.inputs[i], Role::Input, i, "input", inputs[i],
                 storageOf(model.inputs[i].value->type, needs.data));
  for (size_t i = 0; i < outputs.size(); ++i)
    readSequence(call.outputs[i], Role::Output, i, "output", outputs[i], needs.outputs[i].storage);
}

void CallReader::readSequence(const DLTensor *tensor, Role role, size_t index, std::string_view kind,
                              const std::string &name, Storage storage) {
  TensorView view = readTensor(tensor, fmt::format("{}: {} '{}'", model.name, kind, name), storage);
  if (view.shape.empty())
    fail(FLEXSN_ERROR_VALUE, "{} has no dimensions, but its first one is time", view.label);
  if (view.shape.front() == 0)
    fail(FLEXSN_ERROR_VALUE, "{} has no time steps (shape {}); at least one is needed", view.label,
         shapeText(view.shape));
  if (referenceWords.empty())
    referenceWords = fmt::format("one step of '{}'", name);
  tensors.push_back({std::move(view), role, index});
}

void CallReader::readStates(const flexsn_named *values, size_t count, Role role) {
  std::vector<std::string> names;
  if (count != 0)
    require(values, role == Role::Initial ? "call.initial_states" : "call.final_states");
  for (size_t i = 0; i < count; ++i) {
    require(values[i].name, role == Role::Initial ? "call.initial_states[].name" : "call.final_states[].name");
    names.emplace_back(values[i].name);
  }
  (role == Role::Initial ? result.initialGiven : result.finalGiven) = stateSet(model, names);
  if (role == Role::Initial) {
    result.numbers.resize(model.states.size());
    result.initials.resize(model.states.size());
  } else {
    result.finals.resize(model.states.size());
  }
  for (size_t i = 0; i < count; ++i) {
    size_t index = stateIndex(model, names[i]);
    Type type = model.states[index].value->type;
    Storage storage = stateStorage(type, needs.data);
    std::string words = fmt::format("{} state '{}'", role == Role::Initial ? "initial" : "final", names[i]);
    std::string label = fmt::format("{}: {}", model.name, words);
    if (role == Role::Initial && !values[i].tensor) {
      checkStorable(values[i].value, type, needs.data, label);
      result.numbers[index] = slot(values[i].value, storage);
      result.initials[index] = {&result.numbers[index], 0, 0};
      continue;
    }
    tensors.push_back({readTensor(values[i].tensor, std::move(label), storage), role, index});
    if (role == Role::Final && referenceWords.empty())
      referenceWords = words;
  }
}

void CallReader::readParams() {
  std::vector<NamedNumber> given;
  if (call.param_count != 0)
    require(call.params, "call.params");
  for (size_t i = 0; i < call.param_count; ++i) {
    const flexsn_named &param = call.params[i];
    require(param.name, "call.params[].name");
    double value =
        param.tensor
            ? readNumber(*param.tensor, fmt::format("{}: parameter '{}'", model.name, printable(excerpt(param.name))))
            : param.value;
    given.push_back({param.name, value});
  }
  result.params = storedParameters(model, given, needs.data);
}

/// Finds the operand that decides, and T.
void CallReader::decideSteps() {
  for (const TensorOperand &operand : tensors)
    if (!reference && operand.role != Role::Initial)
      reference = &operand;
  if (!reference || (needs.outputs.empty() && call.final_state_count == 0))
    failNothingWanted(model);
  if (call.steps < 0)
    fail(FLEXSN_ERROR_VALUE, "{}: the call has {} steps", model.name, call.steps);
  result.steps = reference->sequence() ? reference->view.shape.front() : call.steps;
  if (result.steps == 0)
    fail(FLEXSN_ERROR_VALUE, "{}: a call without inputs and outputs needs the number of time steps (steps)",
         model.name);
  if (call.steps != 0 && call.steps != result.steps)
    fail(FLEXSN_ERROR_VALUE, "{} has {} time steps, but the call says {}", reference->view.label, result.steps,
         call.steps);
}

void CallReader::checkShapes() {
  const std::vector<int64_t> &whole = reference->view.shape;
  std::vector<int64_t> step(whole.begin() + static_cast<ptrdiff_t>(leading(*reference)), whole.end());
  for (const TensorOperand &operand : tensors) {
    const std::vector<int64_t> &shape = operand.view.shape;
    if (operand.sequence() && shape != whole)
      fail(FLEXSN_ERROR_VALUE, "{} has shape {}, but {} has shape {}", operand.view.label, shapeText(shape),
           referenceWords.substr(std::string_view("one step of ").size()), shapeText(whole));
    if (!operand.sequence() && shape != step && !isScalar(operand))
      fail(FLEXSN_ERROR_VALUE, "{} has shape {}, but {} has shape {}{}", operand.view.label, shapeText(shape),
           referenceWords, shapeText(step),
           operand.role == Role::Initial ? "; pass no state to start from the declared value" : "");
  }
}

static const char *overlapWords(Overlap overlap) { return overlap == Overlap::Yes ? "overlap" : "may overlap"; }

void CallReader::checkOverlaps() const {
  std::vector<Footprint> footprints;
  for (const TensorOperand &operand : tensors)
    footprints.push_back(footprint(operand.view));
  for (size_t i = 0; i < tensors.size(); ++i) {
    const TensorOperand &a = tensors[i];
    if (!a.written())
      continue;
    if (Overlap found = overlapsItself(footprints[i]); found != Overlap::No)
      fail(FLEXSN_ERROR_VALUE, "{} has elements that {} (strides {})", a.view.label, overlapWords(found),
           shapeText(a.view.strides));
    for (size_t j = 0; j < tensors.size(); ++j) {
      const TensorOperand &b = tensors[j];
      if (j == i || (b.written() && j > i))
        continue; // a pair of written operands is looked at once
      bool own = a.role == Role::Final && b.role == Role::Initial && a.index == b.index;
      if (own && sameMemory(a.view, b.view))
        continue;
      Overlap found = overlap(footprints[i], footprints[j]);
      if (found == Overlap::No)
        continue;
      std::string_view neighbour = std::string_view(b.view.label).substr(model.name.size() + 2);
      fail(FLEXSN_ERROR_VALUE, "{} {} {}{}", a.view.label, found == Overlap::Yes ? "overlaps" : "may overlap",
           neighbour, own ? "; it may be exactly the same memory, or apart" : "; it needs memory of its own");
    }
  }
}

/// Puts every operand where the kernel looks for it.
void CallReader::placeAll() {
  std::vector<WalkedView> walked;
  for (const TensorOperand &operand : tensors)
    walked.push_back({&operand.view, leading(operand)});
  IterationSpace space = iterationSpace(walked, static_cast<size_t>(reference - tensors.data()));
  result.layout = space.layout;
  result.neurons = space.neurons;
  // Dimensions that are not there come first, with one element.
  size_t missing = maxDims - space.extents.size();
  std::fill_n(result.extents, missing, 1);
  std::copy(space.extents.begin(), space.extents.end(), result.extents + missing);
  for (size_t i = 0; i < tensors.size(); ++i) {
    CpuOperand operand = placed(tensors[i], space.strides[i]);
    switch (tensors[i].role) {
    case Role::Input: result.inputs.push_back(operand); break;
    case Role::Output: result.outputs.push_back(operand); break;
    case Role::Initial: result.initials[tensors[i].index] = operand; break;
    case Role::Final: result.finals[tensors[i].index] = operand; break;
    default: break; // no other role is a tensor here
    }
  }
}

CpuOperand CallReader::placed(const TensorOperand &operand, std::span<const int64_t> strides) const {
  auto item = static_cast<int64_t>(storageBytes(operand.view.storage));
  CpuOperand placed{operand.view.data, 0, isScalar(operand) ? 0 : item};
  if (operand.sequence())
    placed.timeStride = operand.view.strides.front() * item;
  for (size_t d = 0; d < strides.size(); ++d)
    placed.strides[maxDims - strides.size() + d] = strides[d] * item;
  return placed;
}

} // namespace

void failNothingWanted(const Model &model) {
  fail(FLEXSN_ERROR_VALUE, "{}: the call asks for no output and no final state", model.name);
}

CallOperands readCall(const CallShape &needs, const flexsn_call &call) { return CallReader(needs, call).read(); }

} // namespace flexsn
