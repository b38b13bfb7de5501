#include "runtime/ShapedParameters.h"

#include "runtime/Request.h"

#include <algorithm>
#include <cstring>

namespace flexsn {
namespace {

bool has(const Param &param, Dim dim) {
  return std::find(param.dims.begin(), param.dims.end(), dim) != param.dims.end();
}

double load(const char *at, Storage storage) {
  auto as = [&](auto value) {
    std::memcpy(&value, at, sizeof value);
    return static_cast<double>(value);
  };
  switch (storage) {
  case Storage::F64: return as(double());
  case Storage::I32: return as(int32_t());
  case Storage::Bool: return as(uint8_t()) != 0;
  default: return as(float()); // what floats are computed in
  }
}

/// Calls `each` for every index of a shape, the last dimension fastest.
template <class Each> void forEachIndex(const std::vector<int64_t> &shape, Each each) {
  std::vector<int64_t> index(shape.size());
  for (bool more = std::find(shape.begin(), shape.end(), 0) == shape.end(); more;) {
    each(index);
    size_t d = shape.size();
    while (d > 0 && ++index[d - 1] == shape[d - 1])
      index[--d] = 0;
    more = d > 0;
  }
}

/// Whether setting it can fail or changes what is stored.
bool needsReading(const Param &param, bool raw) {
  bool checked = param.bounds && !param.bounds->clamp && !param.learnable;
  return checked || (!raw && param.transform != Transform::None);
}

std::string dimsText(const Param &param) {
  static constexpr std::string_view names[] = {"step", "channel", "neuron"};
  std::string text;
  for (Dim dim : param.dims)
    text += (text.empty() ? "" : ", ") + std::string(names[static_cast<size_t>(dim)]);
  return text;
}

} // namespace

ShapedValues readShaped(const Param &param, const std::string &name, const DLTensor &tensor, Storage data,
                        std::string label) {
  Storage storage = stateStorage(param.value->type, data);
  ShapedValues values{readTensor(&tensor, std::move(label), storage), {}};
  TensorView &view = values.view;
  bool raw = name != param.value->name;
  if (!needsReading(param, raw))
    return values;
  const bool converts = !raw && param.transform != Transform::None;
  const size_t item = storageBytes(storage);
  std::vector<char> stored;
  forEachIndex(view.shape, [&](const std::vector<int64_t> &index) {
    int64_t offset = 0;
    for (size_t d = 0; d < index.size(); ++d)
      offset += index[d] * view.strides[d];
    const char *at = view.data + offset * static_cast<int64_t>(item);
    uint64_t slotted =
        slot(storedValue(param, {name, load(at, storage)}, data, fmt::format("{} at {}", view.label, shapeText(index))),
             storage);
    if (converts)
      stored.insert(stored.end(), reinterpret_cast<char *>(&slotted), reinterpret_cast<char *>(&slotted) + item);
  });
  if (converts) {
    values.memory.resize((stored.size() + sizeof(uint64_t) - 1) / sizeof(uint64_t));
    std::copy(stored.begin(), stored.end(), reinterpret_cast<char *>(values.memory.data()));
    view.data = reinterpret_cast<char *>(values.memory.data());
    int64_t stride = 1;
    for (size_t d = view.shape.size(); d-- > 0; stride *= view.shape[d])
      view.strides[d] = view.shape[d] == 1 ? 0 : stride;
  }
  return values;
}

DataShape dataShape(int64_t steps, std::vector<int64_t> step, int32_t channelDim, std::string words) {
  DataShape data{steps, std::move(step), {}, {}, std::move(words)};
  auto dims = static_cast<int32_t>(data.step.size()) + 1; // time too
  int32_t channel = channelDim < 0 ? channelDim + dims : channelDim;
  if (channelDim != 0 && (channel < 1 || channel >= dims)) {
    std::string there = dims == 1 ? "" : fmt::format(": from 1 to {}, or from the end, -1 to {}", dims - 1, 1 - dims);
    fail(FLEXSN_ERROR_VALUE, "channel_dim is {}, but {} has {} behind time{}", channelDim, data.words,
         dims == 1   ? "no dimension"
         : dims == 2 ? "1 dimension"
                     : fmt::format("{} dimensions", dims - 1),
         there);
  }
  if (channelDim == 0)
    channel = std::min(2, dims - 1);
  if (channel != 0)
    data.channels.push_back(static_cast<size_t>(channel) - 1);
  for (size_t d = data.step.size() > 1 ? 1 : 0; d < data.step.size(); ++d) // the batch is none of a sample's
    data.neurons.push_back(d);
  return data;
}

TensorView spreadOver(const DataShape &data, const Param &param, const TensorView &given) {
  const std::vector<size_t> none, &inner = has(param, Dim::Neuron)    ? data.neurons
                                           : has(param, Dim::Channel) ? data.channels
                                                                      : none;
  const bool perStep = has(param, Dim::Step);
  std::vector<int64_t> wanted;
  if (perStep)
    wanted.push_back(data.steps);
  for (size_t d : inner)
    wanted.push_back(data.step[d]);
  if (inner.empty() && param.dims.back() != Dim::Step) // [T] is one neuron
    wanted.push_back(1);
  if (given.shape != wanted)
    fail(FLEXSN_ERROR_VALUE, "{} has shape {}, but its dims [{}] have shape {} for {}", given.label,
         shapeText(given.shape), dimsText(param), shapeText(wanted), data.words);
  TensorView view = given;
  view.shape = data.step;
  view.strides.assign(data.step.size(), 0);
  for (size_t i = 0; i < inner.size(); ++i)
    view.strides[inner[i]] = given.strides[i + (perStep ? 1 : 0)];
  if (perStep) {
    view.shape.insert(view.shape.begin(), data.steps);
    view.strides.insert(view.strides.begin(), given.strides.front());
  }
  return view;
}

} // namespace flexsn
