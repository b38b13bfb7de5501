// schedule-cpu: tile and vector width of a kernel on a CPU.
#include "compiler/Passes.h"
#include "compiler/transforms/KernelSize.h"

#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

#include <algorithm>

using namespace mlir;

namespace flexsn {

#define GEN_PASS_DEF_SCHEDULECPUPASS
#include "compiler/Passes.h.inc"

namespace {

/// Below, the loop over time costs more than the cache saves; above, few tiles are left for the threads.
constexpr unsigned smallestTile = 256, largestTile = 8192;

/// What the code generator can be asked for in seconds; its time grows faster than the step beyond. Models that people
/// write have some hundred operations and a handful of rows.
constexpr size_t mostRows = 512, mostOperations = 30'000;

/// What the cache has to hold of each neuron of a tile, in bytes and in words.
struct Footprint {
  size_t bytes;
  std::string words;
};

/// Operands with a row of offsets that each step reads: all that lie in memory but the params of a neuron.
size_t offsetsOf(scan::KernelOp kernel) {
  return llvm::count_if(kernel.getOperandList().getAsRange<scan::OperandAttr>(), [&](scan::OperandAttr operand) {
    bool once = operand.getRole() == scan::Role::Param && operand.variation() == scan::Variation::Neuron;
    return operand.hasPlaces(kernel.getLayout()) && !once;
  });
}

Footprint forwardFootprint(scan::KernelOp kernel, bool streaming, size_t rowBytes) {
  size_t inStreaming = kernel.getStates().size() + 2 * kernel.operandsOf(scan::Role::Input).size();
  size_t sites = kernel.siteTypes().size(), rows = (streaming ? inStreaming : rowsOf(kernel)) + sites;
  return {rows * rowBytes,
          fmt::format("{} rows ({}{}) x {} bytes", rows,
                      streaming ? "states, inputs of this step and the next" : "states, inputs, outputs",
                      sites == 0 ? "" : ", what neurons have of parameters", rowBytes)};
}

/// The values kept for a chunk of steps, and inputs that both ways read, are there until gradients have flowed through.
Footprint backwardFootprint(scan::KernelOp kernel) {
  ValueRange results = kernel.yieldOf(kernel.getAdjoint()).getValues();
  ValueRange staying = results.drop_front(kernel.gradReads().size()); // carried gradients, sums
  size_t steps = kernel.getEvery().value_or(1);
  size_t once = bytesOf(kernel.stateTypes()) + bytesOf(kernel.siteTypes()) + bytesOf(staying.getTypes());
  size_t each = bytesOf(kernel.stepResults().getTypes());
  for (auto [inStep, inAdjoint, operand] :
       llvm::zip(kernel.stepInputs(), kernel.adjointInputs(), kernel.operandsOf(scan::Role::Input)))
    if (!inStep.use_empty() && !inAdjoint.use_empty())
      each += scan::bytesOf(operand.getStorage());
  return {once + each * steps,
          fmt::format("{} bytes (states, gradients, sums; {} for each of {} steps)", once + each * steps, each, steps)};
}

struct ScheduleCpu : impl::ScheduleCpuPassBase<ScheduleCpu> {
  using ScheduleCpuPassBase::ScheduleCpuPassBase;

  void runOnOperation() override {
    scan::KernelOp kernel = getOperation();
    if (!llvm::isPowerOf2_32(vectorBits) || vectorBits > 64 * 32) {
      kernel.emitError() << "vector-bits " << vectorBits.getValue() << " is no power of two up to 2048";
      return signalPassFailure();
    }
    if (failed(checkSchedulable(kernel, mostRows, mostOperations)))
      return signalPassFailure();
    unsigned bits = computeBits(kernel);
    unsigned width = std::max(1U, vectorBits / bits);
    size_t offsets = offsetsOf(kernel);
    Footprint footprint =
        kernel.hasAdjoint() ? backwardFootprint(kernel) : forwardFootprint(kernel, streaming, bits / 8);
    size_t neuronBytes = footprint.bytes + offsets * sizeof(int64_t);
    size_t cache = bytesFor(kernel);
    size_t fits = cache / std::max<size_t>(neuronBytes, bits / 8);
    auto tile = static_cast<unsigned>(
        std::clamp<size_t>(llvm::bit_floor(std::max<size_t>(fits, 1)), smallestTile, largestTile));
    std::string reason =
        fmt::format("{} lanes of {} bits fill a vector register; {} neurons x {}{} are {} KiB of {} KiB", width, bits,
                    tile, footprint.words, offsets == 0 ? "" : fmt::format(" and {} offsets", offsets),
                    tile * neuronBytes / 1024, cache / 1024);
    kernel.setScheduleAttr(scan::CpuScheduleAttr::get(&getContext(), tile, width,
                                                      streaming ? BoolAttr::get(&getContext(), true) : BoolAttr(),
                                                      StringAttr::get(&getContext(), reason)));
  }

private:
  /// What a tile may take of a cache: of the first level where memory keeps the second one busy, as it does if a
  /// backward kernel's chunks go through a pipeline.
  size_t bytesFor(scan::KernelOp kernel) const {
    if (streaming && (!kernel.hasAdjoint() || overlapsChunks(kernel)))
      return streamBytes;
    return kernel.hasAdjoint() ? chunkBytes : cacheBytes;
  }
};

} // namespace
} // namespace flexsn
