// hoist-invariants: what follows from the parameters alone is computed once a launch, in the prologue.
#include "compiler/Passes.h"
#include "compiler/transforms/Invariants.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
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
  explicit Hoisting(scan::KernelOp kernel)
      : kernel(kernel), prologue(kernel.getPrologue().front()), regions(regionsWithUniforms(kernel)),
        invariants(kernel.yieldOf(kernel.getPrologue()).getValues()) {}

  unsigned run() {
    for (Region *region : regions)
      moveFrom(region->front());
    mergeRepeated();
    yieldWhatIsRead();
    return hoisted;
  }

private:
  size_t uniforms() { return prologue.getNumArguments() + invariants.size(); }

  bool isInvariant(Operation &op) {
    return followsFromOperands(op) && op.getNumOperands() != 0 &&
           llvm::all_of(op.getOperands(), [&](mlir::Value value) {
             return isConstant(value) || value.getParentBlock() == &prologue || isUniform(value);
           });
  }

  bool isUniform(mlir::Value value) {
    auto argument = llvm::dyn_cast<BlockArgument>(value);
    return argument && argument.getArgNumber() < uniforms();
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
    if (auto argument = llvm::dyn_cast<BlockArgument>(value)) {
      unsigned number = argument.getArgNumber(), params = prologue.getNumArguments();
      return number < params ? mlir::Value(prologue.getArgument(number)) : invariants[number - params];
    }
    Operation *copy = value.getDefiningOp()->clone();
    prologue.getOperations().insert(prologue.getTerminator()->getIterator(), copy);
    return copy->getResult(0);
  }

  /// Two regions may have computed the same, and the prologue may have had it already.
  void mergeRepeated() {
    IRRewriter rewriter(kernel.getContext());
    DominanceInfo dominance(kernel);
    eliminateCommonSubExpressions(rewriter, dominance, kernel);
    invariants = SmallVector<mlir::Value>(prologue.getTerminator()->getOperands());
  }

  /// Behind the invariants that there are, whose numbers `sums` knows, and in the prologue's order, so that equal
  /// kernels have equal ones.
  void yieldWhatIsRead() {
    for (size_t known = 0; known < invariants.size(); ++known)
      for (Region *region : regions)
        replaceIn(*region, invariants[known], region->getArgument(prologue.getNumArguments() + known));
    for (Operation &op : prologue.without_terminator())
      for (mlir::Value value : op.getResults()) {
        if (!value.isUsedOutsideOfBlock(&prologue))
          continue;
        for (Region *region : regions)
          replaceIn(*region, value, region->insertArgument(uniforms(), value.getType(), value.getLoc()));
        invariants.push_back(value);
      }
    prologue.getTerminator()->setOperands(invariants);
  }

  static void replaceIn(Region &region, mlir::Value value, mlir::Value by) {
    value.replaceUsesWithIf(by, [&](OpOperand &use) { return region.isAncestor(use.getOwner()->getParentRegion()); });
  }

  scan::KernelOp kernel;
  Block &prologue;
  SmallVector<Region *> regions;
  SmallVector<mlir::Value> invariants; ///< of the prologue, in the order of their numbers
  unsigned hoisted = 0;
};

struct HoistInvariants : impl::HoistInvariantsPassBase<HoistInvariants> {
  void runOnOperation() override { hoisted += Hoisting(getOperation()).run(); }
};

} // namespace
} // namespace flexsn
