// Gradients of a case by the compiled kernels.
#include "tests/conformance/Runners.h"
#include "tests/reference/Kernel.h"

#include <numeric>

namespace flexsn::conformance {

using reference::Array;
using reference::Kernel;
using reference::Slot;

namespace {

size_t neuronsOf(const Case &c) {
  return static_cast<size_t>(std::accumulate(c.shape.begin(), c.shape.end(), int64_t(1), std::multiplies<>()));
}

/// The outputs that something flows back into.
std::vector<Slot> outputsOf(const Case &c, const Model &model) {
  std::vector<Slot> slots;
  for (const auto &[name, kind] : c.outputs)
    if ((c.has("gout." + name) || c.stateless) && model.lastValue(name)->type != Type::Bool)
      slots.push_back({name, dataCell(c)});
  return slots;
}

/// What libraries recorded in float32 beside float64 data.
Array inCells(const Array &array, reference::Cell cell) {
  if (array.cell == cell || cell != reference::Cell::F64)
    return array;
  Array wide(cell, array.size());
  for (size_t i = 0; i < array.size(); ++i)
    wide.setNumber(i, array.number(i));
  return wide;
}

Array ones(reference::Cell cell, size_t count) {
  Array array(cell, count);
  for (size_t i = 0; i < count; ++i)
    array.setNumber(i, 1);
  return array;
}

} // namespace

Results runKernelGradients(const Case &c, const Model &model, const Results *next) {
  Results results;
  std::vector<Slot> slots = outputsOf(c, model);
  Kernel::Options options{.data = dataCell(c), .detachReset = c.detachReset, .outputs = slots};
  auto kernel = Kernel::compile(c.model, model.name, options, results.refused);
  if (!kernel)
    return results;
  Kernel::Upstream upstream;
  for (const Slot &slot : kernel->outputs())
    if (c.has("gout." + slot.name))
      upstream.outputs.push_back(inCells(c.array("gout." + slot.name).cells(), slot.cell));
    else
      upstream.outputs.push_back(c.stateless ? ones(slot.cell, c.steps * neuronsOf(c))
                                             : Array(slot.cell, c.steps * neuronsOf(c)));
  for (const Slot &state : kernel->states())
    if (next)
      upstream.finalStates[state.name] = next->arrays.at("ginit." + state.name);
    else if (c.has("gfinal." + state.name))
      upstream.finalStates[state.name] = c.array("gfinal." + state.name).cells();
  std::map<std::string, std::string> keys; // of wanted names
  for (const std::string &key : c.arrays)
    for (const char *role : {"gin.", "ginit.", "gparam."})
      if (key.starts_with(role))
        keys[key.substr(std::string_view(role).size())] = key;
  for (const auto &[name, key] : keys) {
    upstream.wanted.push_back(name);
    if (const std::vector<int64_t> &shape = c.array(key).shape; key.starts_with("gparam.") && !shape.empty())
      upstream.paramShapes[name] = shape;
  }
  Kernel::Gradients gradients = kernel->train(callOf(c, model, *kernel), upstream);
  results.refused = gradients.error;
  if (gradients.error.empty())
    for (const auto &[name, key] : keys)
      results.arrays[key] = gradients.arrays.at(name);
  return results;
}

} // namespace flexsn::conformance
