// What a kernel's caller provides: symbols, slots of the prologue, rows of the workspace.
#include "compiler/emit/cpu/CpuEmitter.h"
#include "compiler/emit/cpu/Memory.h"

#include <llvm/Support/MathExtras.h>

namespace flexsn::cpu {

KernelLayout layoutOf(scan::KernelOp kernel) {
  KernelLayout layout;
  layout.invariantSlots = static_cast<unsigned>(kernel.paramTypes().size() + kernel.invariantTypes().size());
  const size_t tile = kernel.getScheduleAttr().getTile();
  for (mlir::Type type : kernel.stateTypes()) {
    layout.stateRows.push_back(layout.workspaceBytes);
    layout.workspaceBytes += llvm::alignTo(tile * bytesOf(storageOf(type)), 64);
  }
  return layout;
}

std::string kernelSymbol(scan::KernelOp kernel) { return kernel.getSymName().str(); }
std::string prologueSymbol(scan::KernelOp kernel) { return kernel.getSymName().str() + "_prologue"; }

} // namespace flexsn::cpu
