#include "runtime/Request.h"

#include "runtime/Structs.h"
#include "runtime/Tensor.h"

#include <algorithm>

namespace flexsn {

/// Indexed by flexsn_dtype.
static constexpr Storage dtypes[] = {Storage::F32, Storage::F64, Storage::F16, Storage::BF16};

/// The dims of a set of flexsn_dim bits.
static std::vector<Dim> readDims(const flexsn_param_dims &given) {
  constexpr uint32_t all = FLEXSN_DIM_STEP | FLEXSN_DIM_CHANNEL | FLEXSN_DIM_NEURON;
  if (given.dims == 0 || (given.dims & ~all) != 0 || given.reserved != 0)
    fail(FLEXSN_ERROR_ARGUMENT, "options.dims: {} is no set of dims for '{}'", given.dims, excerpt(given.name));
  std::vector<Dim> dims;
  for (auto [bit, dim] : {std::pair(FLEXSN_DIM_STEP, Dim::Step), std::pair(FLEXSN_DIM_CHANNEL, Dim::Channel),
                          std::pair(FLEXSN_DIM_NEURON, Dim::Neuron)})
    if (given.dims & bit)
      dims.push_back(dim);
  return dims;
}

RequestOptions readOptions(const flexsn_options *given) {
  flexsn_options options = readStruct(given, "flexsn_options", offsetof(flexsn_options, dims));
  RequestOptions result;
  result.data = dtypes[requireEnum(options.dtype, std::size(dtypes), "options.dtype")];
  static constexpr MathMode modes[] = {MathMode::Standard, MathMode::Strict, MathMode::Fast};
  result.math = modes[requireEnum(options.math, std::size(modes), "options.math")];
  result.int8Outputs = requireEnum(options.out_dtype, FLEXSN_OUT_INT8 + 1, "options.out_dtype") == FLEXSN_OUT_INT8;
  result.check.detachReset = options.detach_reset != 0;
  if (options.surrogate)
    result.check.surrogate = options.surrogate;
  if (options.constant_count != 0)
    require(options.constants, "options.constants");
  for (size_t i = 0; i < options.constant_count; ++i) {
    require(options.constants[i].name, "options.constants[].name");
    auto [at, isNew] = result.check.constants.emplace(options.constants[i].name, options.constants[i].value);
    if (!isNew)
      fail(FLEXSN_ERROR_VALUE, "const '{}' is given twice", excerpt(at->first));
  }
  if (options.dims_count != 0)
    require(options.dims, "options.dims");
  for (size_t i = 0; i < options.dims_count; ++i) {
    require(options.dims[i].name, "options.dims[].name");
    auto [at, isNew] = result.check.dims.emplace(options.dims[i].name, readDims(options.dims[i]));
    if (!isNew)
      fail(FLEXSN_ERROR_VALUE, "the dims of '{}' are given twice", excerpt(at->first));
  }
  if (options.outputs || options.output_count != 0)
    result.outputs = readNames(options.outputs, options.output_count, "options.outputs");
  return result;
}

std::vector<std::string> readNames(const char *const *names, size_t count, std::string_view what) {
  if (count != 0)
    require(names, what);
  std::vector<std::string> result;
  for (size_t i = 0; i < count; ++i) {
    require(names[i], fmt::format("{}[{}]", what, i));
    result.emplace_back(names[i]);
  }
  return result;
}

std::vector<std::string> readNames(const flexsn_named *values, size_t count, std::string_view what) {
  std::vector<std::string> result;
  if (count == 0)
    return result;
  require(values, what);
  std::string element = fmt::format("{}[].name", what);
  for (size_t i = 0; i < count; ++i) {
    require(values[i].name, element);
    result.emplace_back(values[i].name);
  }
  return result;
}

KernelKind readKernel(int32_t kernel) {
  return static_cast<KernelKind>(requireEnum(kernel, FLEXSN_BACKWARD + 1, "kernel"));
}

Layout readLayout(int32_t layout) {
  return requireEnum(layout, FLEXSN_STRIDED + 1, "emit_options.layout") == FLEXSN_STRIDED ? Layout::Strided
                                                                                          : Layout::Linear;
}

void requireCpu(DLDevice device) {
  if (device.device_type != kDLCPU)
    fail(FLEXSN_ERROR_UNSUPPORTED, "device {} is not in flexsn {}; flexsn_cpu() is", deviceText(device),
         FLEXSN_VERSION);
  if (device.device_id != 0)
    fail(FLEXSN_ERROR_VALUE, "there is no CPU {}; flexsn_cpu() is CPU 0", device.device_id);
}

Storage storageOf(Type type, Storage data) {
  switch (type) {
  case Type::Float: return data;
  case Type::Int: return Storage::I32;
  case Type::Bool: return Storage::Bool;
  }
  return data;
}

Storage stateStorage(Type type, Storage data) { return storageOf(type, data == Storage::F64 ? data : Storage::F32); }

Type deliveredType(const Model &model, const std::string &name, const Value &value) {
  for (const Output &output : model.outputs)
    if (output.name == name)
      return output.type;
  return value.type == Type::Float && value.whole ? Type::Int : value.type;
}

/// A whole number is stored in the data's type, exactly as far as that goes, or as int8.
static Storage deliveredStorage(Type type, const RequestOptions &options) {
  if (type == Type::Int && options.int8Outputs)
    return Storage::I8;
  return type == Type::Bool ? Storage::Bool : options.data;
}

std::vector<WantedOutput> wantedOutputs(const Model &model, const RequestOptions &options) {
  std::vector<std::string> names;
  if (options.outputs)
    names = *options.outputs;
  else
    for (const Output &output : model.outputs)
      names.push_back(output.name);

  std::vector<WantedOutput> wanted;
  for (const std::string &name : names) {
    const Value *value = model.lastValue(name);
    if (!value)
      failUnknown(model.name, "name", "names", name, model.names());
    if (std::any_of(wanted.begin(), wanted.end(), [&](const WantedOutput &other) { return other.name == name; }))
      fail(FLEXSN_ERROR_VALUE, "{}: output '{}' is asked for twice", model.name, name);
    wanted.push_back({name, deliveredStorage(deliveredType(model, name, *value), options)});
  }
  return wanted;
}

std::vector<bool> stateSet(const Model &model, const std::vector<std::string> &names) {
  std::vector<bool> set(model.states.size());
  for (const std::string &name : names) {
    size_t i = stateIndex(model, name);
    if (set[i])
      fail(FLEXSN_ERROR_VALUE, "{}: state '{}' is given twice", model.name, name);
    set[i] = true;
  }
  return set;
}

size_t stateIndex(const Model &model, const std::string &name) {
  for (size_t i = 0; i < model.states.size(); ++i)
    if (model.states[i].value->name == name)
      return i;
  std::vector<std::string> known;
  for (const State &state : model.states)
    known.push_back(state.value->name);
  failUnknown(model.name, "state", "states", name, known);
}

static std::vector<std::string> stateNames(const Model &model, const std::vector<bool> &set) {
  std::vector<std::string> names;
  for (size_t i = 0; i < set.size(); ++i)
    if (set[i])
      names.push_back(model.states[i].value->name);
  return names;
}

Request makeRequest(const Model &model, const RequestOptions &options, const ProgramWish &wish) {
  Request request;
  request.data = options.data;
  request.math = options.math;
  request.layout = wish.layout;
  request.streaming = wish.streaming;
  if (wish.kernel != KernelKind::FinalState)
    for (WantedOutput &output : wantedOutputs(model, options)) {
      if (output.storage == Storage::I8 && wish.kernel != KernelKind::Backward)
        request.int8Outputs.push_back(output.name);
      request.outputs.push_back(std::move(output.name));
    }
  request.kernel =
      wish.kernel == KernelKind::Inference && request.outputs.empty() ? KernelKind::FinalState : wish.kernel;
  request.initialStates = stateNames(model, wish.initial);
  request.finalStates = stateNames(model, wish.final);
  request.gradFinals = wish.gradients.finals;
  request.gradInputs = wish.gradients.inputs;
  request.gradInitials = wish.gradients.initials;
  request.gradParams = wish.gradients.params;
  return request;
}

} // namespace flexsn
