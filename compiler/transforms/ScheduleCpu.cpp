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

/// Operands with a row of offsets: all that lie in memory.
size_t offsetsOf(scan::KernelOp kernel) {
  if (kernel.getLayout() == scan::Layout::Linear)
    return 0;
  return kernel.getOperandList().size() - kernel.operandsOf(scan::Role::Param).size();
}

/// Rows of a tile that the cache has to hold.
size_t keptRows(scan::KernelOp kernel, bool streaming) {
  return streaming ? kernel.getStates().size() + 2 * kernel.operandsOf(scan::Role::Input).size() : rowsOf(kernel);
}

struct ScheduleCpu : impl::ScheduleCpuPassBase<ScheduleCpu> {
  using ScheduleCpuPassBase::ScheduleCpuPassBase;

  void runOnOperation() override {
    scan::KernelOp kernel = getOperation();
    if (!llvm::isPowerOf2_32(vectorBits) || vectorBits > 64 * 32) {
      kernel.emitError() << "vector-bits " << vectorBits.getValue() << " is no power of two up to 2048";
      return signalPassFailure();
    }
    if (failed(checkSize(kernel, mostRows, mostOperations)))
      return signalPassFailure();
    unsigned bits = computeBits(kernel);
    unsigned width = std::max(1U, vectorBits / bits);
    size_t rows = keptRows(kernel, streaming);
    size_t rowBytes = bits / 8;
    size_t offsets = offsetsOf(kernel);
    size_t neuronBytes = rows * rowBytes + offsets * sizeof(int64_t);
    size_t cache = streaming ? streamBytes : cacheBytes;
    size_t fits = cache / std::max(neuronBytes, rowBytes);
    auto tile = static_cast<unsigned>(
        std::clamp<size_t>(llvm::bit_floor(std::max<size_t>(fits, 1)), smallestTile, largestTile));
    std::string reason = fmt::format(
        "{} lanes of {} bits fill a vector register; {} neurons x {} rows ({}) x {} "
        "bytes{} are {} KiB of {} KiB",
        width, bits, tile, rows, streaming ? "states, inputs of this step and the next" : "states, inputs, outputs",
        rowBytes, offsets == 0 ? "" : fmt::format(" and {} offsets", offsets), tile * neuronBytes / 1024, cache / 1024);
    kernel.setScheduleAttr(scan::CpuScheduleAttr::get(&getContext(), tile, width,
                                                      streaming ? BoolAttr::get(&getContext(), true) : BoolAttr(),
                                                      StringAttr::get(&getContext(), reason)));
  }
};

} // namespace
} // namespace flexsn
