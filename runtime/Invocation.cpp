#include "runtime/Invocation.h"

#include "runtime/FloatEnvironment.h"
#include "runtime/Reduction.h"

#include <algorithm>
#include <cstring>

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

Invocation::Invocation(std::shared_ptr<const Program> compiled, BoundCall bound)
    : program(std::move(compiled)), call(std::move(bound)),
      head(std::min(call.streamingHead.value_or(0), call.neurons)), sliceLength(call.neurons),
      invariants(program->invariantSlots), sums(program->sums), gradients(program->gradParams.size()),
      workspaceStride(roundUp(static_cast<int64_t>(program->workspaceBytes), workspaceAlignment) + workspaceGap) {
  if (call.operands.size() != program->operands.size() || call.params.size() != program->params.size() ||
      ((program->sums != 0 || !call.sharedGradients.empty()) && head != 0))
    fail(FLEXSN_ERROR_INTERNAL, "a call of {} operands and {} parameters does not fit its program",
         call.operands.size(), call.params.size());
  planSlices();
  placeShared(pool ? pool->size() : 1);
  workspaces.reset(allocateAligned(workspaceStride * (pool ? pool->size() : 1)));
  size_t groups = (call.neurons + sumGroup - 1) / sumGroup;
  partialStride = static_cast<int64_t>(groups * storageBytes(program->sumStorage));
  partials.resize(partialStride * program->sums);
  DefaultFloatEnvironment environment;
  program->prologue(call.params.data(), invariants.data());
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
  int64_t neurons = call.neurons;
  unsigned threads = ThreadPool::threads();
  double bytes = 0; // expanded operands may have more elements than memory holds
  for (const KernelOperand &operand : program->operands) {
    bytes += static_cast<double>(storageBytes(operand.storage)) * static_cast<double>(neurons) *
             static_cast<double>(isSequence(operand.role) ? call.steps : 1);
  }
  int64_t unit = program->sums == 0 && call.sharedGradients.empty() ? sliceUnit : sumGroup;
  if (threads == 1 || neurons < 2 * unit || bytes < leastSharedBytes)
    return;
  pool = ThreadPool::shared();
  int64_t tile = program->tile;
  int64_t shares = slicesPerThread * pool->size();
  // Whole tiles where there are enough of them for everybody; else one slice a thread.
  if (neurons < shares * tile)
    shares = pool->size();
  sliceLength = roundUp((neurons - head + shares - 1) / shares, unit);
  if (sliceLength > tile)
    sliceLength = roundUp(sliceLength, tile);
  slices = static_cast<unsigned>((neurons - head + sliceLength - 1) / sliceLength);
}

/// Rows of a range stay in the second-level cache until they are added up.
static constexpr size_t mostRowBytes = 256 * 1024;

/// Finds memory for what neurons have of the gradients of parameters with dims.
void Invocation::placeShared(unsigned seats) {
  size_t neuronBytes = 0;
  for (const BoundCall::Shared &gradient : call.sharedGradients) {
    shared.emplace_back(gradient.elements, seats);
    call.operands[gradient.operand] = shared.back().place();
    neuronBytes += shared.back().rowBytes(1);
  }
  if (neuronBytes == 0)
    return;
  int64_t unit = std::max<int64_t>(sumGroup, program->tile); // powers of two
  rowLength = std::max(unit, static_cast<int64_t>(mostRowBytes / neuronBytes) / unit * unit);
  rowLength = std::min(rowLength, roundUp(call.neurons, unit));
  for (unsigned seat = 0; seat < seats; ++seat) {
    seatOperands.push_back(call.operands);
    seatRows.emplace_back(neuronBytes * static_cast<size_t>(rowLength));
  }
}

/// Runs the kernel on ranges short enough for their rows, and takes these.
void Invocation::addRange(unsigned seat, int64_t begin, int64_t end) noexcept {
  for (int64_t first = begin; first < end; first += rowLength) {
    int64_t last = std::min(first + rowLength, end);
    char *rows = seatRows[seat].data();
    for (size_t i = 0; i < shared.size(); ++i) {
      if (!shared[i].hasRows())
        continue;
      auto item = static_cast<int64_t>(storageBytes(call.sharedGradients[i].elements.storage));
      // Neuron `first` is the rows' first one.
      auto address = reinterpret_cast<uintptr_t>(rows) - static_cast<uintptr_t>(first * item);
      seatOperands[seat][call.sharedGradients[i].operand] = {reinterpret_cast<void *>(address), rowLength * item, 0};
      rows += shared[i].rowBytes(rowLength);
    }
    runRange(seat, first, last);
    rows = seatRows[seat].data();
    for (SharedGradient &gradient : shared) {
      if (gradient.hasRows())
        gradient.addRange(rows, rowLength, first, last);
      rows += gradient.rowBytes(rowLength);
    }
  }
}

void Invocation::runRange(unsigned seat, int64_t begin, int64_t end) noexcept {
  const CpuOperand *operands = rowLength == 0 ? call.operands.data() : seatOperands[seat].data();
  CpuCall range{operands, invariants.data(), call.steps, begin, end, workspaces.get() + seat * workspaceStride};
  std::copy_n(call.extents, maxDims, range.extents);
  std::copy_n(call.paramExtents, maxDims, range.paramExtents);
  range.partials = partials.data();
  range.partialStride = partialStride;
  program->kernel(&range);
}

void Invocation::runSlice(unsigned seat, unsigned slice) noexcept {
  DefaultFloatEnvironment environment;
  int64_t begin = head + slice * sliceLength;
  // Less than a vector at a time is masked, which needs no alignment.
  int64_t few = std::max(1U, program->width - 1);
  for (int64_t first = 0; slice == 0 && first < head; first += few)
    runRange(seat, first, std::min(first + few, head));
  int64_t end = std::min(begin + sliceLength, call.neurons);
  if (rowLength == 0)
    runRange(seat, begin, end);
  else
    addRange(seat, begin, end);
}

void Invocation::run() noexcept {
  if (call.neurons != 0)
    runSlices();
  if (program->epilogue)
    finishSums();
  finishShared();
}

void Invocation::runSlices() noexcept {
  if (!pool)
    return runSlice(0, 0);
  auto task = [](void *self, unsigned seat, unsigned slice) { static_cast<Invocation *>(self)->runSlice(seat, slice); };
  pool->run(slices, task, this);
}

/// From what neurons have of the gradients of parameters with dims to what elements have.
void Invocation::finishShared() noexcept {
  auto task = [](void *gradient, unsigned seat, unsigned slice) {
    DefaultFloatEnvironment environment;
    static_cast<SharedGradient *>(gradient)->addSlice(seat, slice);
  };
  DefaultFloatEnvironment environment;
  for (SharedGradient &gradient : shared) {
    if (pool)
      pool->run(gradient.slices(), task, &gradient);
    else
      for (unsigned slice = 0; slice < gradient.slices(); ++slice)
        gradient.addSlice(0, slice);
    gradient.finish();
  }
}

/// From the sums of groups to the gradients of parameters.
void Invocation::finishSums() noexcept {
  DefaultFloatEnvironment environment;
  size_t groups = partialStride / storageBytes(program->sumStorage);
  for (size_t i = 0; i < sums.size(); ++i)
    sums[i] = sumByTree(partials.data() + i * partialStride, groups, program->sumStorage);
  program->epilogue(call.params.data(), sums.data(), gradients.data());
  for (size_t i = 0; i < call.paramGradients.size(); ++i) // slots hold values at their beginning
    std::memcpy(call.paramGradients[i].data, &gradients[i], call.paramGradients[i].bytes);
}

} // namespace flexsn
