// hoist-invariants: what follows from the parameters alone is computed once a launch, in the prologue.
#include "compiler/Passes.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;

namespace flexsn {

#define GEN_PASS_DEF_HOISTINVARIANTSPASS
#include "compiler/Passes.h.inc"

namespace {

bool isConstant(mlir::Value value) { return matchPattern(value, m_Constant()); }

/// Moves the invariants of one kernel. Between the phases the other regions read the prologue's values directly.
class Hoisting {
public:
  explicit Hoisting(scan::KernelOp kernel) : kernel(kernel), prologue(kernel.getPrologue().front()) {}

  unsigned run() {
    moveFrom(kernel.getInit().front());
    moveFrom(kernel.getStep().front());
    mergeRepeated();
    yieldWhatIsRead();
    return hoisted;
  }

private:
  /// A random number is pure too, but another one for each neuron and step.
  bool isInvariant(Operation &op) {
    return isPure(&op) && op.getNumRegions() == 0 && op.getNumOperands() != 0 && !llvm::isa<neuron::RandomOp>(op) &&
           llvm::all_of(op.getOperands(), [&](mlir::Value value) {
             return isConstant(value) || value.getParentBlock() == &prologue || isParam(value);
           });
  }

  bool isParam(mlir::Value value) {
    auto argument = llvm::dyn_cast<BlockArgument>(value);
    return argument && argument.getArgNumber() < prologue.getNumArguments();
  }

  void moveFrom(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
      if (!isInvariant(op))
        continue;
      for (OpOperand &operand : op.getOpOperands())
        operand.set(inPrologue(operand.get()));
      op.moveBefore(prologue.getTerminator());
      ++hoisted;
    }
  }

  /// The prologue's own copy of an operand of a moved op.
  mlir::Value inPrologue(mlir::Value value) {
    if (value.getParentBlock() == &prologue)
      return value;
    if (auto argument = llvm::dyn_cast<BlockArgument>(value))
      return prologue.getArgument(argument.getArgNumber());
    Operation *copy = value.getDefiningOp()->clone();
    prologue.getOperations().insert(prologue.getTerminator()->getIterator(), copy);
    return copy->getResult(0);
  }

  /// `init` and `step` may have computed the same.
  void mergeRepeated() {
    IRRewriter rewriter(kernel.getContext());
    DominanceInfo dominance(kernel);
    eliminateCommonSubExpressions(rewriter, dominance, kernel);
  }

  /// In the prologue's order, so that equal kernels have equal invariants.
  void yieldWhatIsRead() {
    unsigned index = prologue.getNumArguments();
    SmallVector<mlir::Value> invariants;
    for (Operation &op : prologue.without_terminator())
      for (mlir::Value value : op.getResults()) {
        if (!value.isUsedOutsideOfBlock(&prologue))
          continue;
        invariants.push_back(value);
        for (Region *region : {&kernel.getInit(), &kernel.getStep()})
          replaceIn(*region, value, region->insertArgument(index, value.getType(), value.getLoc()));
        ++index;
      }
    prologue.getTerminator()->setOperands(invariants);
  }

  static void replaceIn(Region &region, mlir::Value value, mlir::Value by) {
    value.replaceUsesWithIf(by, [&](OpOperand &use) { return region.isAncestor(use.getOwner()->getParentRegion()); });
  }

  scan::KernelOp kernel;
  Block &prologue;
  unsigned hoisted = 0;
};

struct HoistInvariants : impl::HoistInvariantsPassBase<HoistInvariants> {
  void runOnOperation() override {
    if (getOperation().invariantTypes().empty()) // a prologue is filled in one go
      hoisted += Hoisting(getOperation()).run();
  }
};

} // namespace
} // namespace flexsn
