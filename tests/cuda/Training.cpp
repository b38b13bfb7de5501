#include "tests/cuda/Training.h"

#include "tests/cuda/CudaRun.h"
#include "tests/cuda/Shared.h"

#include <fmt/format.h>

namespace flexsn::test {

// ---- Programs -------------------------------------------------------------------------------------------------------

std::vector<TrainingVariant> trainingVariants() {
  std::vector<TrainingVariant> variants;
  constexpr unsigned all = ~0u, some = 0x55555555, others = 0xaaaaaaaa;
  unsigned number = 0;
  for (MathMode math : {MathMode::Strict, MathMode::Standard, MathMode::Fast})
    for (Storage data : {Storage::F32, Storage::BF16, Storage::F16, Storage::F64})
      for (Layout layout : {Layout::Linear, Layout::Strided})
        for (AccessPath access : {AccessPath::Vector, AccessPath::Scalar}) {
          bool states = (number / 2 + number / 4) % 2 != 0;
          variants.push_back({data, layout, access, math, states,
                              number % 3 == 0   ? all
                              : number % 3 == 1 ? some
                                                : others});
          ++number;
        }
  return variants;
}

/// Adds the names whose bit is set, one bit a name from `bit` on.
static void choose(std::vector<std::string> &to, const std::string &name, unsigned wanted, unsigned &bit) {
  if (wanted >> bit++ % 32 & 1)
    to.push_back(name);
}

bool Training::wantsGradients() const {
  const Request &request = backward.request;
  return !request.gradInputs.empty() || !request.gradParams.empty() || !request.gradInitials.empty();
}

Training trainingOf(const std::shared_ptr<const Model> &model, const TrainingVariant &variant) {
  Request request;
  request.data = variant.data;
  request.math = variant.math;
  request.layout = variant.layout;
  for (const Output &output : model->outputs)
    request.outputs.push_back(output.name);
  unsigned bit = 0;
  for (const Input &input : model->inputs)
    if (input.value->type == Type::Float)
      choose(request.gradInputs, input.value->name, variant.wanted, bit);
  for (const Param &param : model->params)
    if (param.value->type == Type::Float)
      choose(request.gradParams, param.operandName(), variant.wanted, bit);
  for (const State &state : model->states) {
    const std::string &name = state.value->name;
    if (!variant.states)
      continue;
    request.initialStates.push_back(name);
    request.finalStates.push_back(name);
    if (state.value->type != Type::Float)
      continue;
    request.gradFinals.push_back(name);
    choose(request.gradInitials, name, variant.wanted, bit);
  }
  Training training;
  const char *math = variant.math == MathMode::Strict ? "strict" : variant.math == MathMode::Fast ? "fast" : "standard";
  training.label =
      fmt::format("{} {} {} {} {}{} wanted {:x}", model->name, storageName(variant.data), layoutName(variant.layout),
                  accessName(variant.access), math, variant.states ? " states" : "", variant.wanted);
  for (KernelKind kernel : {KernelKind::Forward, KernelKind::Backward}) {
    request.kernel = kernel;
    (kernel == KernelKind::Forward ? training.forward : training.backward) =
        Both{fmt::format("{} {}", kernelName(kernel), training.label), model, request, variant.access, {}, {}};
  }
  return training;
}

std::string prepare(Training &training) {
  std::string words = prepare(training.forward);
  return words.empty() ? prepare(training.backward) : words;
}

// ---- Operands -------------------------------------------------------------------------------------------------------

TrainingOperands drawOperands(const Training &training, const Arrangement &arrangement, unsigned seed) {
  std::mt19937 random(seed);
  TrainingOperands operands;
  for (const CpuProgram *program : {&training.forward.cpu, &training.backward.cpu})
    for (const KernelOperand &operand : program->operands)
      if (std::pair place{operand.role, operand.name}; operand.role != Role::Checkpoint && !operands.contains(place))
        operands.emplace(place, placed(operand, isOfStepAlone(*training.backward.model, operand), arrangement,
                                       operands.size(), random));
  return operands;
}

/// Bytes of one neuron's checkpoint.
static int64_t checkpointItem(const std::vector<KernelOperand> &operands) {
  int64_t bytes = 0;
  for (const KernelOperand &operand : operands)
    if (operand.role == Role::Checkpoint)
      bytes += static_cast<int64_t>(storageBytes(operand.storage));
  return bytes;
}

template <class Program> static size_t bytesOfCheckpoints(const Program &program, const Arrangement &arrangement) {
  int64_t rows = program.every == 0 ? 0 : (arrangement.steps - 1) / program.every;
  return static_cast<size_t>(rows * arrangement.neurons() * checkpointItem(program.operands));
}

/// `save` makes an operand of an address, the bytes from row to row, and those of an item.
template <class Operand, class Program, class Save, class Bind>
static std::vector<Operand> ordered(const Program &program, void *checkpoints, const Arrangement &arrangement,
                                    TrainingOperands &operands, Save save, Bind bind) {
  std::vector<Operand> bound;
  auto *at = static_cast<std::byte *>(checkpoints);
  int64_t row = arrangement.neurons() * checkpointItem(program.operands);
  for (const KernelOperand &operand : program.operands) {
    if (operand.role != Role::Checkpoint) {
      bound.push_back(bind(operands.at({operand.role, operand.name})));
      continue;
    }
    auto item = static_cast<int64_t>(storageBytes(operand.storage));
    bound.push_back(save(at, row, item));
    at += item * arrangement.neurons();
  }
  return bound;
}

size_t checkpointBytes(const CpuProgram &program, const Arrangement &arrangement) {
  return bytesOfCheckpoints(program, arrangement);
}

size_t checkpointBytes(const CudaProgram &program, const Arrangement &arrangement) {
  return bytesOfCheckpoints(program, arrangement);
}

std::vector<CpuOperand> orderedOperands(const CpuProgram &program, void *checkpoints, const Arrangement &arrangement,
                                        TrainingOperands &operands) {
  auto save = [](void *at, int64_t row, int64_t item) { return CpuOperand{at, row, item}; };
  return ordered<CpuOperand>(program, checkpoints, arrangement, operands, save, cpuOperand);
}

std::vector<CudaOperand> orderedOperands(const CudaProgram &program, void *checkpoints, const Arrangement &arrangement,
                                         TrainingOperands &operands,
                                         const std::function<CudaOperand(PlacedOperand &)> &bind) {
  auto save = [](void *at, int64_t row, int64_t item) { return CudaOperand{at, row, {0, 0, 0, 0, item}}; };
  return ordered<CudaOperand>(program, checkpoints, arrangement, operands, save, bind);
}

// ---- Runs -----------------------------------------------------------------------------------------------------------

std::vector<uint64_t> TrainingRun::run(TrainingOperands &operands, const Arrangement &arrangement) const {
  std::vector<std::byte> checkpoints(checkpointBytes(training.forward.cpu, arrangement) + 1, std::byte{0xa5});
  auto bound = [&](const CpuProgram &program) {
    return orderedOperands(program, checkpoints.data(), arrangement, operands);
  };
  forward.run(bound(training.forward.cpu), arrangement);
  std::vector<CpuOperand> places = bound(training.backward.cpu);
  std::vector<uint64_t> gradients;
  runShared(places, sharedOperands(*training.backward.model, training.backward.cpu.operands, places, arrangement),
            arrangement.neurons(),
            [&](const std::vector<CpuOperand> &operands) { gradients = backward.run(operands, arrangement); });
  return gradients;
}

static bool isNan(uint64_t slot, Storage storage) {
  return storage == Storage::F64 ? (slot & 0x7fffffffffffffff) > 0x7ff0000000000000 : (slot & 0x7fffffff) > 0x7f800000;
}

std::string TrainingRun::compare(const CudaStep &step, const Arrangement &arrangement, unsigned seed) const {
  TrainingOperands expected = drawOperands(training, arrangement, seed);
  const TrainingOperands fresh = expected;
  std::vector<uint64_t> want = run(expected, arrangement);
  for (bool otherWay : {false, true}) {
    auto words = [&](const std::string &what) {
      return fmt::format("{} with T = {}, N = {}{}", what, arrangement.steps, arrangement.neurons(),
                         otherWay ? ", the other way" : "");
    };
    TrainingOperands found = fresh;
    std::vector<uint64_t> got = step(found, arrangement, otherWay);
    for (auto &[place, operand] : found)
      if (std::string what = difference(expected.at(place), operand, arrangement);
          !what.empty() && !isRead(operand.operand))
        return words(fmt::format("{} {}", roleName(place.first), what));
    const std::vector<KernelOperand> &params = training.backward.cpu.gradParams;
    for (size_t i = 0; i < params.size(); ++i)
      if (got.at(i) != want[i] && !(isNan(got[i], params[i].storage) && isNan(want[i], params[i].storage)))
        return words(fmt::format("the gradient of {} is {:#x} and not {:#x}", params[i].name, got[i], want[i]));
  }
  return {};
}

std::string runTraining(const Training &training, const CompiledTexts &texts, size_t index,
                        const Arrangement &arrangement, unsigned seed) {
  TrainingRun cpu(training);
  CudaRun forward(training.forward.cuda, texts, index, cpu.forwardParams());
  CudaRun backward(training.backward.cuda, texts, index + 1, cpu.backwardParams());
  auto step = [&](TrainingOperands &operands, const Arrangement &at, bool backwards) {
    std::vector<std::byte> checkpoints(checkpointBytes(training.forward.cuda, at) + 1, std::byte{0xa5});
    auto bound = [&](const CudaProgram &program) {
      return orderedOperands(program, checkpoints.data(), at, operands,
                             [&](PlacedOperand &placed) { return cudaOperand(placed, /*byAddress=*/backwards); });
    };
    forward.run(bound(training.forward.cuda), at, backwards, backwards);
    std::vector<CudaOperand> places = bound(training.backward.cuda);
    auto shared = sharedOperands(*training.backward.model, training.backward.cuda.operands, places, at);
    return backward.run(std::move(places), at, backwards, backwards, shared);
  };
  return cpu.compare(step, arrangement, seed);
}

std::vector<Arrangement> trainingArrangements(const Training &training) {
  bool vector = training.forward.access == AccessPath::Vector;
  std::vector<Arrangement> all;
  for (int64_t steps : {1, 2, 5, 17, 40}) {
    Arrangement each;
    each.steps = steps;
    each.layout = training.forward.request.layout;
    if (each.layout == Layout::Linear) {
      // Of several blocks, and of more than one group of sums; ragged where accesses are single.
      each.extents[maxDims - 1] = (vector ? 8 : 1) * (steps == 5 ? (vector ? 157 : 1203) : steps == 17 ? 131 : steps);
    } else {
      each.denseInside = vector;
      each.extents[maxDims - 1] = vector ? 24 : 7;
      each.extents[maxDims - 2] = 3;
      if (steps != 2)
        each.extents[maxDims - 3] = 5;
      if (steps == 5)
        each.extents[1] = 2, each.extents[0] = 2;
    }
    all.push_back(each);
  }
  return all;
}

} // namespace flexsn::test
