// verify-stage: what a stage of the pipeline may leave behind (docs/ir.md, Stages).
#include "compiler/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace flexsn {

#define GEN_PASS_DEF_VERIFYSTAGEPASS
#include "compiler/Passes.h.inc"

namespace {

template <class... Dialects> bool isOf(Operation *op) { return (llvm::isa<Dialects>(op->getDialect()) || ...); }

/// The frame of a model, which ends with the stage `scan`.
bool isStructure(Operation *op) {
  return llvm::isa<neuron::ModelOp, neuron::InputOp, neuron::ParamOp, neuron::StateOp, neuron::NextOp, neuron::OutputOp,
                   neuron::HistoryOp, neuron::YieldOp>(op);
}

/// neuron-8: constructs and types that `expand` takes away.
bool isUnexpanded(Operation *op) {
  return llvm::isa<neuron::OdeOp, neuron::PrevOp, neuron::DelayOp, neuron::HistoryOp, neuron::RandomOp,
                   neuron::RefractoryOp>(op) ||
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<VectorType>);
}

bool isModel(Operation *op) { return isOf<neuron::NeuronDialect, arith::ArithDialect>(op); }
bool isExpanded(Operation *op) { return isModel(op) && !isUnexpanded(op); }
bool isSimple(Operation *op) { return isExpanded(op) && !isOpTriviallyDead(op); }
bool isContracted(Operation *op) { return llvm::isa<math::FmaOp>(op) || isExpanded(op); }
/// scan-6, and that a backward kernel has its gradients
bool isScan(Operation *op) {
  if (llvm::isa<neuron::DetachOp, neuron::ScaleGradientOp, neuron::SurrogateOp>(op) || isStructure(op))
    return false;
  if (auto kernel = llvm::dyn_cast<scan::KernelOp>(op))
    return kernel.getKind() != scan::Kind::Backward || kernel.hasAdjoint();
  return isOf<scan::ScanDialect>(op) || isContracted(op);
}
bool isScheduled(Operation *op) {
  auto kernel = llvm::dyn_cast<scan::KernelOp>(op);
  return isScan(op) && (!kernel || kernel.getScheduleAttr());
}
bool isCpu(Operation *op) {
  return isOf<LLVM::LLVMDialect, scf::SCFDialect, arith::ArithDialect, math::MathDialect, vector::VectorDialect,
              func::FuncDialect>(op);
}
bool isCuda(Operation *op) {
  return isOf<scan::ScanDialect, scf::SCFDialect, arith::ArithDialect, math::MathDialect, func::FuncDialect>(op);
}
bool isLlvm(Operation *op) { return isOf<LLVM::LLVMDialect>(op); }

/// What may stand behind each stage; the names are those of the pipeline's table.
struct Contract {
  StringRef stage;
  bool (*allows)(Operation *op);
};
constexpr Contract contracts[] = {
    {"neuron", isModel}, {"expand", isExpanded},    {"simplify", isSimple}, {"contract", isContracted},
    {"scan", isScan},    {"schedule", isScheduled}, {"cpu", isCpu},         {"llvm", isLlvm},
    {"cuda", isCuda},
};

struct VerifyStage : impl::VerifyStagePassBase<VerifyStage> {
  using VerifyStagePassBase::VerifyStagePassBase;

  void runOnOperation() override {
    const auto *contract = llvm::find_if(contracts, [&](const Contract &entry) { return entry.stage == stage; });
    if (contract == std::end(contracts)) {
      getOperation().emitError() << "'" << stage << "' is no stage of the pipeline";
      return signalPassFailure();
    }
    WalkResult result = getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op == getOperation() || contract->allows(op))
        return WalkResult::advance();
      op->emitError() << "internal error: stage '" << stage << "' leaves " << op->getName() << " behind";
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace flexsn
