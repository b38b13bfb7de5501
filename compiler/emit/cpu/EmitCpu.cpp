// emit-cpu: scan.kernel -> kernel and prologue functions over memory.
#include "compiler/emit/cpu/CpuPasses.h"
#include "compiler/emit/cpu/KernelBuilder.h"
#include "compiler/emit/cpu/Memory.h"
#include "runtime/KernelAbi.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>

namespace flexsn::cpu {

#define GEN_PASS_DEF_EMITCPUPASS
#include "compiler/emit/cpu/CpuPasses.h.inc"

using namespace mlir;

/// Refuses what the skeleton on CPUs cannot do yet, before anything is made.
static LogicalResult checkKernel(scan::KernelOp kernel) {
  bool isBackward = kernel.getKind() == scan::Kind::Backward;
  if (isBackward && !kernel.hasAdjoint())
    return kernel.emitOpError("of kind backward has no adjoint yet, and no form on a CPU");
  if (isBackward && !kernel.getStates().empty() && !kernel.getEvery())
    return kernel.emitOpError("recomputes states without checkpoints, which has no form on a CPU");
  unsigned tile = kernel.getCpuSchedule().getTile();
  if (isBackward && !kernel.getSums()->empty() && tile % sumGroup != 0 && sumGroup % tile != 0)
    return kernel.emitOpError() << "with sums has tiles of " << tile << " neurons, which do not fit groups of "
                                << sumGroup;
  return success();
}

/// What was called in its form for vectors alone.
static void eraseUncalled(ModuleOp module) {
  for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!function.isExternal() && function.isPrivate() && SymbolTable::symbolKnownUseEmpty(function, module))
      function.erase();
}

namespace {
class EmitCpu : public impl::EmitCpuPassBase<EmitCpu> {
public:
  using EmitCpuPassBase::EmitCpuPassBase;

private:
  void runOnOperation() override {
    SmallVector<scan::KernelOp> kernels;
    for (auto kernel : getOperation().getOps<scan::KernelOp>())
      if (kernel.getCpuSchedule())
        kernels.push_back(kernel);
    for (scan::KernelOp kernel : kernels) {
      OpBuilder builder(kernel);
      if (failed(checkKernel(kernel)))
        return signalPassFailure();
      buildPrologue(builder, kernel);
      if (kernel.hasAdjoint())
        buildEpilogue(builder, kernel);
      if (failed(buildKernel(builder, kernel, halfInstructions)))
        return signalPassFailure();
      kernel.erase();
    }
    eraseUncalled(getOperation());
  }
};
} // namespace

} // namespace flexsn::cpu
