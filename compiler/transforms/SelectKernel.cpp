// select-kernel: of the two kernels of a training step, the one that was asked for.
#include "compiler/Passes.h"

using namespace mlir;

namespace flexsn {

#define GEN_PASS_DEF_SELECTKERNELPASS
#include "compiler/Passes.h.inc"

namespace {

struct SelectKernel : impl::SelectKernelPassBase<SelectKernel> {
  using SelectKernelPassBase::SelectKernelPassBase;

  void runOnOperation() override {
    std::optional<scan::Kind> wanted = scan::symbolizeKind(kind);
    if (!wanted) {
      getOperation().emitError() << "'" << kind << "' is no kind of kernel";
      return signalPassFailure();
    }
    for (scan::KernelOp kernel : llvm::make_early_inc_range(getOperation().getOps<scan::KernelOp>()))
      if (kernel.getKind() != *wanted)
        kernel.erase();
  }
};

} // namespace
} // namespace flexsn
