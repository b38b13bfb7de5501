// What a kernel's caller provides: symbols, slots of the prologue, rows of the workspace.
#include "compiler/emit/cpu/KernelLayout.h"

#include "compiler/emit/cpu/Memory.h"
#include "runtime/KernelAbi.h"

#include <algorithm>
#include <llvm/Support/MathExtras.h>

namespace flexsn::cpu {

int64_t chunkSteps(scan::KernelOp kernel) { return kernel.getEvery().value_or(1); }

int64_t spanOf(scan::KernelOp kernel) {
  return std::max(int64_t{kernel.getCpuSchedule().getTile()}, int64_t{sumGroup});
}

namespace {

/// Takes rows from the workspace, one behind the other.
class Workspace {
public:
  explicit Workspace(size_t &bytes) : bytes(bytes) {}

  size_t addRow(size_t rowBytes) {
    size_t row = bytes;
    bytes += llvm::alignTo(rowBytes, 64);
    return row;
  }

  std::vector<size_t> addRows(mlir::TypeRange types, size_t neurons) {
    std::vector<size_t> rows;
    for (mlir::Type type : types)
      rows.push_back(addRow(neurons * bytesOf(storageOf(type))));
    return rows;
  }

private:
  size_t &bytes;
};

} // namespace

KernelLayout layoutOf(scan::KernelOp kernel) {
  KernelLayout layout;
  layout.invariantSlots = kernel.uniformCount();
  const size_t tile = kernel.getCpuSchedule().getTile(), width = kernel.getCpuSchedule().getWidth();
  Workspace workspace(layout.workspaceBytes);
  layout.stateRows = workspace.addRows(kernel.stateTypes(), tile);
  layout.siteRows = workspace.addRows(kernel.siteTypes(), tile);
  if (kernel.hasAdjoint()) {
    if (isPipelined(kernel))
      layout.siteRowsBack = workspace.addRows(kernel.siteTypes(), tile);
    layout.carriedRows = workspace.addRows(kernel.carriedTypes(), tile);
    llvm::SmallVector<mlir::Type> summands = kernel.summandTypes();
    layout.sumRows = workspace.addRows(mlir::TypeRange(summands).take_front(kernel.getSums()->size()), spanOf(kernel));
    layout.siteSumRows = workspace.addRows(kernel.siteSumTypes(), tile);
    if (int64_t steps = chunkSteps(kernel); steps > 1) { // else values go on in registers
      size_t start = layout.workspaceBytes;
      layout.keptRows = workspace.addRows(kernel.stepResults().getTypes(), tile);
      layout.keptStride = layout.workspaceBytes - start;
      layout.workspaceBytes = start + layout.keptStride * steps;
    }
  }
  for (auto operand : kernel.getOperandList().getAsRange<scan::OperandAttr>())
    if (operand.hasPlaces(kernel.getLayout())) {
      size_t offsets = workspace.addRow(tile * sizeof(int64_t));
      layout.placeRows.push_back({offsets, workspace.addRow(tile / width * sizeof(int64_t))});
    }
  return layout;
}

std::string kernelSymbol(scan::KernelOp kernel) { return kernel.getSymName().str(); }
std::string prologueSymbol(scan::KernelOp kernel) { return kernel.getSymName().str() + "_prologue"; }
std::string epilogueSymbol(scan::KernelOp kernel) { return kernel.getSymName().str() + "_epilogue"; }
std::string placesSymbol(scan::KernelOp kernel) { return kernel.getSymName().str() + "_places"; }
std::string sumSymbol(scan::KernelOp kernel) { return kernel.getSymName().str() + "_sum"; }

} // namespace flexsn::cpu
