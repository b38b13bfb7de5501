// emit-cpu: scan.kernel -> kernel and prologue functions over memory.
#include "compiler/emit/cpu/CpuPasses.h"
#include "compiler/emit/cpu/KernelBuilder.h"
#include "compiler/emit/cpu/Memory.h"

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
  if (kernel.getKind() != scan::Kind::Inference && kernel.getKind() != scan::Kind::FinalState)
    return kernel.emitOpError() << "of kind " << scan::stringifyKind(kernel.getKind()) << " has no form on a CPU";
  for (auto operand : kernel.getOperandList().getAsRange<scan::OperandAttr>()) {
    if (!operand.getDims().empty())
      return kernel.emitOpError() << "operand '" << operand.getName() << "' has dims, which have no form on a CPU";
  }
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
      if (failed(buildKernel(builder, kernel, halfInstructions)))
        return signalPassFailure();
      kernel.erase();
    }
    eraseUncalled(getOperation());
  }
};
} // namespace

} // namespace flexsn::cpu
