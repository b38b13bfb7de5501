#include "tests/reference/KernelState.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace flexsn::reference {

size_t cellBytes(Cell cell) {
  switch (cell) {
  case Cell::F64: return 8;
  case Cell::F32:
  case Cell::I32: return 4;
  case Cell::F16:
  case Cell::BF16: return 2;
  case Cell::Bool: break;
  }
  return 1;
}

/// IEEE binary16, from its definition.
static double halfNumber(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double magnitude = exponent == 31  ? (fraction ? NAN : INFINITY)
                     : exponent == 0 ? std::ldexp(fraction, -24)
                                     : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

double Array::number(size_t index) const {
  switch (cell) {
  case Cell::F32: return get<float>(index);
  case Cell::F64: return get<double>(index);
  case Cell::I32: return get<int32_t>(index);
  case Cell::Bool: return get<uint8_t>(index);
  case Cell::F16: return halfNumber(get<uint16_t>(index));
  case Cell::BF16: return std::bit_cast<float>(uint32_t{get<uint16_t>(index)} << 16);
  }
  return 0;
}

void Array::setNumber(size_t index, double value) {
  switch (cell) {
  case Cell::F32: return set(index, static_cast<float>(value));
  case Cell::F64: return set(index, value);
  case Cell::I32: return set(index, static_cast<int32_t>(value));
  case Cell::Bool: return set(index, static_cast<uint8_t>(value != 0));
  case Cell::F16:
  case Cell::BF16: throw std::logic_error("16-bit floats are only read");
  }
}

Cell computedAs(Cell data) { return data == Cell::F64 ? data : Cell::F32; }

namespace {

Cell storedAs(v1::Type type, Cell data) {
  return type == v1::Type::floating ? data : type == v1::Type::integer ? Cell::I32 : Cell::Bool;
}

v1::DType dtypeOf(Cell data) {
  switch (data) {
  case Cell::F64: return v1::DType::f64;
  case Cell::F16: return v1::DType::f16;
  case Cell::BF16: return v1::DType::bf16;
  default: return v1::DType::f32;
  }
}

} // namespace

Kernel::Kernel() = default;
Kernel::~Kernel() = default;
const std::vector<Slot> &Kernel::inputs() const { return state->inputs; }
const std::vector<Slot> &Kernel::outputs() const { return state->outputs; }
const std::vector<Slot> &Kernel::states() const { return state->states; }

std::unique_ptr<Kernel> Kernel::compile(const std::string &text, const std::string &name, const Options &given,
                                        std::string &error) {
  try {
    v1::Model model = v1::File::parse(text, "model.fsn").model(name);
    v1::Options options;
    options.dtype = dtypeOf(given.data);
    options.math = given.fast ? v1::Math::fast : v1::Math::standard;
    options.detach_reset = given.detachReset;
    if (!given.outputs.empty())
      options.outputs.emplace();
    for (const Slot &output : given.outputs)
      options.outputs->push_back(output.name);
    for (const auto &[parameter, dims] : given.dims)
      options.dims[parameter] = static_cast<v1::Dim>(dims);
    std::unique_ptr<Kernel> kernel(new Kernel);
    kernel->state = std::make_unique<State>(model.compile(v1::Device::cpu(), options));
    for (const v1::Part &part : model.inputs())
      kernel->state->inputs.push_back({part.name, storedAs(part.type, given.data)});
    for (const v1::Part &part : model.states())
      kernel->state->states.push_back({part.name, storedAs(part.type, computedAs(given.data))});
    kernel->state->computed = computedAs(given.data);
    kernel->state->outputs = given.outputs;
    if (given.outputs.empty())
      for (const v1::Part &part : model.outputs()) // an int is delivered in the data's type
        kernel->state->outputs.push_back({part.name, part.type == v1::Type::boolean ? Cell::Bool : given.data});
    return kernel;
  } catch (const v1::Error &failure) {
    error = failure.message();
    return nullptr;
  }
}

Kernel::Result Kernel::run(const Call &given, bool finalState) const {
  auto count = std::accumulate(given.shape.begin(), given.shape.end(), int64_t(1), std::multiplies<>());
  std::vector<int64_t> sequence = given.shape;
  sequence.insert(sequence.begin(), static_cast<int64_t>(given.steps));
  v1::Call call;
  std::vector<Guarded> inputs, initials, outputs, finals, params;
  auto guarded = [](std::vector<Guarded> &list, const Array &array, const std::vector<int64_t> &shape) {
    return list.emplace_back(array).tensor(shape);
  };
  for (std::vector<Guarded> *list : {&inputs, &initials, &outputs, &finals})
    list->reserve(state->inputs.size() + state->outputs.size() + state->states.size());
  for (const Array &input : given.inputs)
    call.inputs.push_back(guarded(inputs, input, sequence));
  for (size_t i = 0; i < given.initialStates.size(); ++i)
    call.initial_states.emplace_back(state->states[i].name, guarded(initials, given.initialStates[i], given.shape));
  for (const Slot &slot : finalState ? std::vector<Slot>() : state->outputs)
    call.outputs.push_back(guarded(outputs, Array(slot.cell, given.steps * count), sequence));
  for (const Slot &slot : state->states)
    call.final_states.emplace_back(slot.name, guarded(finals, Array(slot.cell, count), given.shape));
  for (const auto &[name, value] : given.params)
    call.params.emplace_back(name, value);
  params.reserve(given.shapedParams.size());
  for (const auto &[name, shaped] : given.shapedParams)
    call.params.emplace_back(name, guarded(params, shaped.values, shaped.shape));
  call.channel_dim = given.channelDim;
  Result result;
  try {
    finalState ? state->neuron.final_state(call) : state->neuron.inference(call);
  } catch (const v1::Error &failure) {
    result.error = failure.message();
    return result;
  }
  for (std::vector<Guarded> *list : {&inputs, &initials, &outputs, &finals, &params})
    for (const Guarded &array : *list)
      if (!array.intact())
        result.error = "the kernel wrote outside of its operands";
  for (const Guarded &array : outputs)
    result.outputs.push_back(array.contents());
  for (const Guarded &array : finals)
    result.finalStates.push_back(array.contents());
  return result;
}

} // namespace flexsn::reference
