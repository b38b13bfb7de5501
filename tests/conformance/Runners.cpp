#include "tests/conformance/Runners.h"

#include "tests/reference/Checked.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace flexsn::conformance {

using reference::Array;
using reference::Cell;
using reference::Kernel;
using reference::Slot;

std::shared_ptr<const Model> checkedModel(const Case &c, std::string &error) {
  CheckOptions options;
  options.detachReset = c.detachReset;
  auto [models, errors] = reference::checkText(c.model, options);
  error = errors;
  return errors.empty() && models.size() == 1 ? models[0] : nullptr;
}

Cell dataCell(const Case &c) {
  return c.dtype == "float64"    ? Cell::F64
         : c.dtype == "float16"  ? Cell::F16
         : c.dtype == "bfloat16" ? Cell::BF16
                                 : Cell::F32;
}

namespace {

/// The case's outputs, then the states that have a recorded sequence: "out." and "seq." by the position.
std::vector<Slot> watched(const Case &c, const Model &model, Cell data) {
  std::vector<Slot> slots;
  auto add = [&](const std::string &name) {
    bool known = std::any_of(slots.begin(), slots.end(), [&](const Slot &slot) { return slot.name == name; });
    if (!known)
      slots.push_back({name, model.lastValue(name)->type == Type::Bool ? Cell::Bool : data});
  };
  for (const auto &[name, kind] : c.outputs)
    add(name);
  for (const State &state : model.states)
    if (c.has("seq." + state.value->name))
      add(state.value->name);
  return slots;
}

void record(Results &results, const Case &c, const std::string &name, const Array &array) {
  for (const char *role : {"out.", "seq."})
    if (c.has(role + name))
      results.arrays[role + name] = array;
}

} // namespace

static bool has(const Param &param, Dim dim) {
  return std::find(param.dims.begin(), param.dims.end(), dim) != param.dims.end();
}

/// The channel of neuron `n`, and how many there are.
static std::pair<size_t, size_t> channelOf(const Case &c, size_t n) {
  auto rank = static_cast<int>(c.shape.size());
  int axis = c.channelDim == 0 ? std::min(rank - 1, 1) : c.channelDim < 0 ? c.channelDim + rank : c.channelDim - 1;
  for (int d = rank - 1; d > axis; --d)
    n /= static_cast<size_t>(c.shape[d]);
  auto channels = static_cast<size_t>(c.shape[axis]);
  return {n % channels, channels};
}

size_t paramIndex(const Case &c, const Param &param, size_t t, size_t n) {
  size_t index = 0, count = 1;
  if (has(param, Dim::Channel)) {
    std::tie(index, count) = channelOf(c, n);
  } else if (has(param, Dim::Neuron)) {
    for (size_t d = c.shape.size() > 1 ? 1 : 0; d < c.shape.size(); ++d)
      count *= static_cast<size_t>(c.shape[d]);
    index = n % count; // shared by the batch
  }
  return has(param, Dim::Step) ? t * count + index : index;
}

bool variesByStep(const Case &c, const Param &param) {
  return has(param, Dim::Step) && c.has("param." + param.value->name);
}

reference::Settings settings(const Case &c, const Model &model, size_t t, size_t n) {
  reference::Settings values;
  for (const Param &param : model.params)
    if (std::string key = "param." + param.value->name; c.has(key))
      values[param.operandName()] = c.array(key).cells().number(paramIndex(c, param, t, n));
  return values;
}

Kernel::Call callOf(const Case &c, const Model &model, const Kernel &kernel, const Results *carried) {
  Kernel::Call call{.steps = c.steps, .shape = c.shape, .inputs = {}, .params = {}, .initialStates = {}};
  call.channelDim = c.channelDim;
  for (const Param &param : model.params)
    if (std::string key = "param." + param.value->name; c.has(key) && param.dims.empty())
      call.params[param.operandName()] = c.array(key).cells().number(0);
    else if (c.has(key))
      call.shapedParams[param.operandName()] = {c.array(key).cells(), c.array(key).shape};
  for (const Slot &input : kernel.inputs())
    call.inputs.push_back(c.array("in." + input.name).cells());
  for (const Slot &state : kernel.states())
    if (carried)
      call.initialStates.push_back(carried->arrays.at("final." + state.name));
    else if (c.has("init." + state.name))
      call.initialStates.push_back(c.array("init." + state.name).cells());
  if (call.initialStates.size() != kernel.states().size())
    call.initialStates.clear();
  return call;
}

Results runKernel(const Case &c, const Model &model, const Results *carried) {
  Results results;
  Kernel::Options options{.data = dataCell(c), .detachReset = c.detachReset, .outputs = watched(c, model, dataCell(c))};
  auto kernel = Kernel::compile(c.model, model.name, options, results.refused);
  if (!kernel)
    return results;
  Kernel::Result result = kernel->run(callOf(c, model, *kernel, carried));
  results.refused = result.error;
  if (!result.error.empty())
    return results;
  for (size_t i = 0; i < result.outputs.size(); ++i)
    record(results, c, kernel->outputs()[i].name, result.outputs[i]);
  for (size_t i = 0; i < result.finalStates.size(); ++i)
    results.arrays["final." + kernel->states()[i].name] = result.finalStates[i];
  return results;
}

namespace {

template <class Real> reference::Scalar<Real> scalar(const Array &array, size_t at, Type type) {
  if (type == Type::Float)
    return reference::Scalar<Real>::ofReal(static_cast<Real>(array.number(at)));
  return {type, 0, static_cast<int32_t>(array.number(at)), 0};
}

template <class Real> Results runReferenceAs(const Case &c, const Model &model) {
  Results results;
  auto neurons = static_cast<size_t>(std::accumulate(c.shape.begin(), c.shape.end(), int64_t(1), std::multiplies<>()));
  Cell computed = reference::computedAs(dataCell(c)); // what it delivers is not rounded
  std::vector<Slot> slots = watched(c, model, computed);
  std::vector<Array> sequences, inputs, initials;
  for (const Slot &slot : slots)
    sequences.emplace_back(slot.cell, c.steps * neurons);
  for (const Input &input : model.inputs)
    inputs.push_back(c.array("in." + input.value->name).cells());
  for (const State &state : model.states)
    if (c.has("init." + state.value->name))
      initials.push_back(c.array("init." + state.value->name).cells());
  for (const State &state : model.states)
    results.arrays["final." + state.value->name] =
        Array(state.value->type == Type::Float ? computed : Cell::I32, neurons);
  for (size_t n = 0; n < neurons; ++n) {
    reference::Interpreter<Real> interpreter(model, settings(c, model, 0, n));
    auto states = interpreter.initialStates();
    for (size_t i = 0; i < model.states.size() && initials.size() == model.states.size(); ++i)
      states[i] = scalar<Real>(initials[i], n, model.states[i].value->type);
    for (size_t t = 0; t < c.steps; ++t) {
      interpreter.setStep(settings(c, model, t, n));
      std::vector<reference::Scalar<Real>> now;
      for (size_t i = 0; i < inputs.size(); ++i)
        now.push_back(scalar<Real>(inputs[i], t * neurons + n, model.inputs[i].value->type));
      states = interpreter.step(now, states);
      for (size_t i = 0; i < slots.size(); ++i)
        sequences[i].setNumber(t * neurons + n, interpreter.value(model.lastValue(slots[i].name)).number());
    }
    for (size_t i = 0; i < model.states.size(); ++i)
      results.arrays["final." + model.states[i].value->name].setNumber(n, states[i].number());
  }
  for (size_t i = 0; i < slots.size(); ++i)
    record(results, c, slots[i].name, sequences[i]);
  return results;
}

} // namespace

Results runReference(const Case &c, const Model &model) {
  return c.dtype == "float64" ? runReferenceAs<double>(c, model) : runReferenceAs<float>(c, model);
}

} // namespace flexsn::conformance
