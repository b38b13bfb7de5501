#include "runtime/Invocation.h"

#include "runtime/FloatEnvironment.h"

#include <algorithm>

namespace flexsn {

/// A processor's prefetcher reads ahead within a page and into the next one. If that belonged to another thread's
/// workspace, it would take away the lines that this one writes: measured, two threads were no faster than 1.3.
static constexpr size_t workspaceAlignment = 4096;
static constexpr size_t workspaceGap = 4096;

static std::byte *allocateAligned(size_t bytes) {
  if (bytes == 0)
    return nullptr;
  void *memory = std::aligned_alloc(workspaceAlignment, bytes);
  if (!memory)
    fail(FLEXSN_ERROR_MEMORY, "out of memory for the workspace of the call, {} bytes", bytes);
  return static_cast<std::byte *>(memory);
}

/// `value` or the next multiple of `unit`.
static constexpr int64_t roundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

/// The memory of one operand of the program, among those of the call.
static const CpuOperand *find(const KernelOperand &wanted, const Model &model, const std::vector<WantedOutput> &outputs,
                              const CallOperands &call) {
  switch (wanted.role) {
  case Role::Input:
    for (size_t i = 0; i < model.inputs.size(); ++i)
      if (model.inputs[i].value->name == wanted.name)
        return &call.inputs[i];
    return nullptr;
  case Role::Output:
    for (size_t i = 0; i < outputs.size(); ++i)
      if (outputs[i].name == wanted.name && outputs[i].storage == wanted.storage)
        return &call.outputs[i];
    return nullptr;
  case Role::Initial:
  case Role::Final: {
    bool initial = wanted.role == Role::Initial;
    for (size_t i = 0; i < model.states.size(); ++i)
      if (model.states[i].value->name == wanted.name && (initial ? call.initialGiven : call.finalGiven)[i])
        return &(initial ? call.initials : call.finals)[i];
    return nullptr;
  }
  case Role::Param: return nullptr;
  }
  return nullptr;
}

Invocation::Invocation(std::shared_ptr<const Program> compiled, const Model &model,
                       const std::vector<WantedOutput> &outputs, CallOperands call)
    : program(std::move(compiled)), steps(call.steps), neurons(call.neurons),
      head(std::min(call.streamingHead.value_or(0), neurons)), sliceLength(neurons),
      invariants(program->invariantSlots),
      workspaceStride(roundUp(static_cast<int64_t>(program->workspaceBytes), workspaceAlignment) + workspaceGap) {
  planSlices();
  workspaces.reset(allocateAligned(workspaceStride * (pool ? pool->size() : 1)));
  for (const KernelOperand &wanted : program->operands) {
    const CpuOperand *operand = find(wanted, model, outputs, call);
    if (!operand)
      fail(FLEXSN_ERROR_INTERNAL, "the program of {} wants an unknown operand '{}' of {}", model.name, wanted.name,
           storageName(wanted.storage));
    operands.push_back(*operand);
  }
  std::copy_n(call.extents, maxDims, extents);
  numbers = std::move(call.numbers); // moving a vector keeps its elements where they are
  std::vector<uint64_t> params = parameterSlots(model, call.params, program->params);
  DefaultFloatEnvironment environment;
  program->prologue(params.data(), invariants.data());
}

// ---- Slices ---------------------------------------------------------------------------------------------------------

/// Below, waking other threads costs more than they save.
static constexpr double leastSharedBytes = 256 * 1024;
/// Neurons in a slice are a multiple of this: a vector is never cut, and threads do not write to one cache line.
static constexpr int64_t sliceUnit = 64;
/// Slices a thread, so that one that the system holds up leaves work to the others.
static constexpr int64_t slicesPerThread = 4;

/// Decides whether and how the neurons are shared among threads. Results do not depend on it.
void Invocation::planSlices() {
  unsigned threads = ThreadPool::threads();
  double bytes = 0; // expanded operands may have more elements than memory holds
  for (const KernelOperand &operand : program->operands) {
    bool sequence = operand.role == Role::Input || operand.role == Role::Output;
    bytes += static_cast<double>(storageBytes(operand.storage)) * static_cast<double>(neurons) *
             static_cast<double>(sequence ? steps : 1);
  }
  if (threads == 1 || neurons < 2 * sliceUnit || bytes < leastSharedBytes)
    return;
  pool = ThreadPool::shared();
  int64_t tile = program->tile;
  int64_t shares = slicesPerThread * pool->size();
  // Whole tiles where there are enough of them for everybody; else one slice a thread.
  if (neurons < shares * tile)
    shares = pool->size();
  sliceLength = roundUp((neurons - head + shares - 1) / shares, sliceUnit);
  if (sliceLength > tile)
    sliceLength = roundUp(sliceLength, tile);
  slices = static_cast<unsigned>((neurons - head + sliceLength - 1) / sliceLength);
}

void Invocation::runRange(unsigned seat, int64_t begin, int64_t end) noexcept {
  CpuCall call{operands.data(), invariants.data(), steps, begin, end, workspaces.get() + seat * workspaceStride};
  std::copy_n(extents, maxDims, call.extents);
  program->kernel(&call);
}

void Invocation::runSlice(unsigned seat, unsigned slice) noexcept {
  DefaultFloatEnvironment environment;
  int64_t begin = head + slice * sliceLength;
  // Less than a vector at a time is masked, which needs no alignment.
  int64_t few = std::max(1U, program->width - 1);
  for (int64_t first = 0; slice == 0 && first < head; first += few)
    runRange(seat, first, std::min(first + few, head));
  runRange(seat, begin, std::min(begin + sliceLength, neurons));
}

void Invocation::run() noexcept {
  if (neurons == 0)
    return;
  if (!pool)
    return runSlice(0, 0);
  auto task = [](void *self, unsigned seat, unsigned slice) { static_cast<Invocation *>(self)->runSlice(seat, slice); };
  pool->run(slices, task, this);
}

} // namespace flexsn
