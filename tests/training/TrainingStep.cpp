#include "tests/training/TrainingStep.h"

#include "runtime/Request.h"
#include "runtime/Residuals.h"

#include <cmath>
#include <cstring>

namespace flexsn::test {

// ---- Numbers --------------------------------------------------------------------------------------------------------

template <class T> static T read(const uint8_t *bytes, size_t index) {
  T value;
  std::memcpy(&value, bytes + index * sizeof(T), sizeof(T));
  return value;
}

template <class T> static void write(uint8_t *bytes, size_t index, T value) {
  std::memcpy(bytes + index * sizeof(T), &value, sizeof(T));
}

static double halfNumber(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double size = exponent == 31  ? (fraction ? NAN : INFINITY)
                : exponent == 0 ? std::ldexp(fraction, -24)
                                : std::ldexp(1024 + fraction, exponent - 25);
  return bits >> 15 ? -size : size;
}

static uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Of what is no subnormal and no infinity of float16.
static uint16_t halfBits(float value) {
  uint32_t bits = bitsOf(value);
  int exponent = static_cast<int>(bits >> 23 & 255) - 127 + 15;
  return static_cast<uint16_t>((bits >> 16 & 0x8000) | (exponent <= 0 ? 0 : exponent << 10 | (bits >> 13 & 1023)));
}

void Cells::set(size_t index, double value) {
  uint8_t *bytes = data();
  switch (storage) {
  case Storage::F64: return write(bytes, index, value);
  case Storage::F32: return write(bytes, index, static_cast<float>(value));
  case Storage::F16: return write(bytes, index, halfBits(static_cast<float>(value)));
  case Storage::BF16: return write(bytes, index, static_cast<uint16_t>(bitsOf(static_cast<float>(value)) >> 16));
  case Storage::I32: return write(bytes, index, static_cast<int32_t>(value));
  case Storage::I8: return write(bytes, index, static_cast<int8_t>(value));
  case Storage::Bool: return write(bytes, index, static_cast<uint8_t>(value != 0));
  }
}

double Cells::get(size_t index) const {
  const uint8_t *bytes = lines.data()->bytes;
  switch (storage) {
  case Storage::F64: return read<double>(bytes, index);
  case Storage::F32: return read<float>(bytes, index);
  case Storage::F16: return halfNumber(read<uint16_t>(bytes, index));
  case Storage::BF16: {
    uint32_t bits = static_cast<uint32_t>(read<uint16_t>(bytes, index)) << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  case Storage::I32: return read<int32_t>(bytes, index);
  case Storage::I8: return read<int8_t>(bytes, index);
  case Storage::Bool: return read<uint8_t>(bytes, index);
  }
  return 0;
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

/// All operands of both programs by role and name, and the checkpoints.
struct TrainingStep::Memory {
  std::map<std::pair<Role, std::string>, Cells> operands;
  std::vector<uint8_t> residuals;
};

/// Whether a parameter with dims varies by step, and by neuron.
struct Varies {
  bool step = false, neuron = false;
};
static Varies variationOf(const Model &model, const std::string &name) {
  Varies varies;
  for (const Param &param : model.params)
    for (Dim dim : param.dims)
      if (param.operandName() == name)
        (dim == Dim::Step ? varies.step : varies.neuron) = true;
  return varies;
}

/// The number of one neuron and step that a call reads; nothing for what is written.
static const double *numberOf(const KernelOperand &operand, const TrainingBatch &batch, size_t time, size_t neuron) {
  static const double nothing = 0; // flows into what is not named
  const reference::NeuronCall &call = batch.calls[neuron];
  const reference::Upstream &upstream = batch.upstream[neuron];
  switch (operand.role) {
  case Role::Param: // with dims
    if (auto steps = call.stepSettings.find(operand.name); steps != call.stepSettings.end())
      return &steps->second[time];
    return &call.settings.at(operand.name);
  case Role::Input: return &call.inputs.at(operand.name)[time];
  case Role::Initial: return &call.initialStates.at(operand.name);
  case Role::GradOutput: {
    auto found = upstream.outputs.find(operand.name);
    return found == upstream.outputs.end() ? &nothing : &found->second[time];
  }
  case Role::GradFinal: {
    auto found = upstream.finalStates.find(operand.name);
    return found == upstream.finalStates.end() ? &nothing : &found->second;
  }
  default: return nullptr;
  }
}

static Cells cellsOf(const KernelOperand &operand, const TrainingBatch &batch) {
  bool mayHaveSteps = isSequence(operand.role) || operand.role == Role::Param || operand.role == Role::GradParam;
  size_t steps = mayHaveSteps ? batch.steps() : 1;
  Cells cells(operand.storage, steps * batch.neurons());
  for (size_t time = 0; time < steps; ++time)
    for (size_t neuron = 0; neuron < batch.neurons(); ++neuron)
      if (const double *number = numberOf(operand, batch, time, neuron))
        cells.set(time * batch.neurons() + neuron, *number);
      else
        cells.set(time * batch.neurons() + neuron, -77); // what is written must have been
  return cells;
}

BoundCall TrainingStep::bind(const Program &program, const TrainingBatch &batch, Memory &memory) const {
  BoundCall call;
  call.steps = static_cast<int64_t>(batch.steps());
  call.neurons = static_cast<int64_t>(batch.neurons());
  call.extents[maxDims - 1] = call.paramExtents[maxDims - 1] = call.neurons;
  if (request.streaming)
    call.streamingHead = 0;
  std::vector<CpuOperand> checkpoints = checkpointOperands(program, memory.residuals.data(), call.neurons);
  auto checkpoint = checkpoints.begin();
  for (const KernelOperand &operand : program.operands) {
    if (operand.role == Role::Checkpoint) {
      call.operands.push_back(*checkpoint++);
      continue;
    }
    auto [at, isNew] = memory.operands.try_emplace({operand.role, operand.name});
    if (isNew)
      at->second = cellsOf(operand, batch);
    auto item = static_cast<int64_t>(storageBytes(operand.storage));
    if (operand.role == Role::GradParam) {
      Varies varies = variationOf(*model, operand.name);
      CpuOperand place{at->second.data(), varies.step ? item * (varies.neuron ? call.neurons : 1) : 0, 0};
      place.strides[maxDims - 1] = varies.neuron ? item : 0;
      call.sharedGradients.push_back(
          {call.operands.size(),
           SharedElements::of(place, call.extents, varies.step ? call.steps : 1, operand.storage)});
    }
    CpuOperand &bound = call.operands.emplace_back(CpuOperand{at->second.data(), item * call.neurons, item});
    bound.strides[maxDims - 1] = item;
  }
  std::vector<NamedNumber> numbers;
  for (const auto &[name, value] : batch.calls.front().settings)
    numbers.push_back({name, value});
  call.params = parameterSlots(*model, storedParameters(*model, numbers, request.data), program.params);
  return call;
}

// ---- Both programs --------------------------------------------------------------------------------------------------

TrainingStep::TrainingStep(std::shared_ptr<const Model> given, Request wanted)
    : model(std::move(given)), request(std::move(wanted)) {
  static Cache none(CacheSettings{.mode = CacheMode::Off, .folder = {}, .problem = {}});
  auto obtain = [&](KernelKind kind) {
    request.kernel = kind;
    return Program::obtain(programKey(*model, request), *model, request, none);
  };
  forward = obtain(KernelKind::Forward);
  backward = obtain(KernelKind::Backward);
}

TrainingResults TrainingStep::run(const TrainingBatch &batch) const {
  Memory memory;
  auto neurons = static_cast<int64_t>(batch.neurons()), steps = static_cast<int64_t>(batch.steps());
  memory.residuals.resize(residualBytes(*forward, steps, neurons));
  Invocation(forward, bind(*forward, batch, memory)).run();
  Invocation back(backward, bind(*backward, batch, memory));
  back.run();
  TrainingResults results;
  for (auto &[key, cells] : memory.operands) {
    auto &[role, name] = key;
    if (role == Role::Output)
      results.outputs[name] = std::move(cells);
    if (role == Role::Final)
      results.finals[name] = std::move(cells);
    if (role == Role::GradInput)
      results.gradInputs[name] = std::move(cells);
    if (role == Role::GradParam)
      results.gradShaped[name] = std::move(cells);
    if (role == Role::GradInitial)
      results.gradInitials[name] = std::move(cells);
  }
  for (size_t i = 0; i < backward->gradParams.size(); ++i)
    results.gradParams[backward->gradParams[i].name] = back.paramGradients()[i];
  results.residuals = std::move(memory.residuals);
  return results;
}

} // namespace flexsn::test
