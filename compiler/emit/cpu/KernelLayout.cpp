// What a kernel's caller provides: symbols, slots of the prologue, rows of the workspace.
#include "compiler/emit/cpu/CpuEmitter.h"
#include "compiler/emit/cpu/Memory.h"

#include <llvm/Support/MathExtras.h>

namespace flexsn::cpu {

KernelLayout layoutOf(scan::KernelOp kernel) {
  KernelLayout layout;
  layout.invariantSlots = static_cast<unsigned>(kernel.paramTypes().size() + kernel.invariantTypes().size());
  const size_t tile = kernel.getCpuSchedule().getTile(), width = kernel.getCpuSchedule().getWidth();
  auto addRow = [&](size_t bytes) {
    size_t row = layout.workspaceBytes;
    layout.workspaceBytes += llvm::alignTo(bytes, 64);
    return row;
  };
  for (mlir::Type type : kernel.stateTypes())
    layout.stateRows.push_back(addRow(tile * bytesOf(storageOf(type))));
  if (kernel.getLayout() == scan::Layout::Strided)
    for (auto operand : kernel.getOperandList().getAsRange<scan::OperandAttr>())
      if (operand.getRole() != scan::Role::Param) {
        size_t offsets = addRow(tile * sizeof(int64_t));
        layout.placeRows.push_back({offsets, addRow(tile / width * sizeof(int64_t))});
      }
  return layout;
}

std::string kernelSymbol(scan::KernelOp kernel) { return kernel.getSymName().str(); }
std::string prologueSymbol(scan::KernelOp kernel) { return kernel.getSymName().str() + "_prologue"; }
std::string placesSymbol(scan::KernelOp kernel) { return kernel.getSymName().str() + "_places"; }

} // namespace flexsn::cpu
