// A training step through the C++ API.
#include "tests/reference/KernelState.h"

#include <numeric>

namespace flexsn::reference {
namespace {

/// Cells that no kernel writes, so that one that was left out shows.
Array unwritten(Cell cell, size_t count) {
  Array array(cell, count);
  std::fill(array.bytes.begin(), array.bytes.end(), uint8_t{0xff}); // NaN as a float of any width
  return array;
}

size_t elements(const std::vector<int64_t> &shape) {
  return static_cast<size_t>(std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>()));
}

const Slot *find(const std::vector<Slot> &slots, const std::string &name) {
  auto at = std::find_if(slots.begin(), slots.end(), [&](const Slot &slot) { return slot.name == name; });
  return at == slots.end() ? nullptr : &*at;
}

} // namespace

Kernel::Gradients Kernel::train(const Call &given, const Upstream &upstream) const {
  std::vector<int64_t> sequence = given.shape;
  sequence.insert(sequence.begin(), static_cast<int64_t>(given.steps));
  v1::Call call;
  std::vector<Guarded> read, outputs, gradients;
  read.reserve(given.inputs.size() + given.initialStates.size() + given.shapedParams.size() + upstream.outputs.size() +
               upstream.finalStates.size());
  outputs.reserve(state->outputs.size());
  gradients.reserve(upstream.wanted.size());
  auto guarded = [](std::vector<Guarded> &list, const Array &array, const std::vector<int64_t> &shape) {
    return list.emplace_back(array).tensor(shape);
  };
  for (const Array &input : given.inputs)
    call.inputs.push_back(guarded(read, input, sequence));
  for (size_t i = 0; i < given.initialStates.size(); ++i)
    call.initial_states.emplace_back(state->states[i].name, guarded(read, given.initialStates[i], given.shape));
  for (const auto &[name, value] : given.params)
    call.params.emplace_back(name, value);
  for (const auto &[name, shaped] : given.shapedParams)
    call.params.emplace_back(name, guarded(read, shaped.values, shaped.shape));
  call.channel_dim = given.channelDim;
  if (given.inputs.empty())
    call.steps = static_cast<int64_t>(given.steps);
  for (const Slot &slot : state->outputs)
    call.outputs.push_back(guarded(outputs, unwritten(slot.cell, elements(sequence)), sequence));
  for (const Array &gradient : upstream.outputs)
    call.output_gradients.push_back(gradient.bytes.empty() && given.steps != 0 ? std::optional<v1::Tensor>()
                                                                               : guarded(read, gradient, sequence));
  for (const auto &[name, gradient] : upstream.finalStates)
    call.final_gradients.emplace_back(name, guarded(read, gradient, given.shape));
  for (const std::string &name : upstream.wanted) {
    const Slot *input = find(state->inputs, name);
    const Slot *initial = find(state->states, name);
    auto shaped = upstream.paramShapes.find(name);
    std::vector<int64_t> shape = input                                  ? sequence
                                 : initial                              ? given.shape
                                 : shaped != upstream.paramShapes.end() ? shaped->second
                                                                        : std::vector<int64_t>();
    Cell cell = input ? input->cell : initial ? initial->cell : state->computed;
    call.gradients.emplace_back(name, guarded(gradients, unwritten(cell, elements(shape)), shape));
  }
  Gradients result;
  std::vector<uint8_t> residual;
  try {
    result.residualBytes = state->neuron.residual_bytes(call);
    residual.assign(result.residualBytes, 0xff);
    call.residual = residual.data();
    call.residual_bytes = residual.size();
    state->neuron.forward(call);
    state->neuron.backward(call);
  } catch (const v1::Error &failure) {
    result.error = failure.message();
    return result;
  }
  for (std::vector<Guarded> *list : {&read, &outputs, &gradients})
    for (const Guarded &array : *list)
      if (!array.intact())
        result.error = "a kernel wrote outside of its operands";
  for (const Guarded &array : outputs)
    result.outputs.push_back(array.contents());
  for (size_t i = 0; i < upstream.wanted.size(); ++i)
    result.arrays[upstream.wanted[i]] = gradients[i].contents();
  return result;
}

} // namespace flexsn::reference
