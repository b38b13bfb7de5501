// simplify: no repeated and no unused computation, and nothing that decides nothing; every value unchanged to the bit.
#include "compiler/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;

namespace flexsn {

#define GEN_PASS_DEF_SIMPLIFYPASS
#include "compiler/Passes.h.inc"

namespace {

/// Whether MLIR's folding of `op` keeps every bit for every operand, and is wanted: of truths and of what they select,
/// and of two negations. The other folders of arith know algebra that scan-7 has nothing of.
bool hasExactFolder(Operation *op) {
  if (llvm::isa<arith::SelectOp, arith::CmpIOp, arith::CmpFOp, arith::NegFOp>(op))
    return true;
  return llvm::isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) && op->getResultTypes().front().isInteger(1);
}

/// What `op` comes to without computing; null where that is nothing simpler.
mlir::Value simpler(RewriterBase &rewriter, Operation *op) {
  if (auto difference = llvm::dyn_cast<arith::SubFOp>(op))
    if (auto negation = difference.getRhs().getDefiningOp<arith::NegFOp>())
      return arith::AddFOp::create(rewriter, op->getLoc(), difference.getLhs(), negation.getOperand());
  SmallVector<OpFoldResult> results;
  if (!hasExactFolder(op) || failed(op->fold(results)) || results.size() != 1)
    return {};
  if (auto value = llvm::dyn_cast<mlir::Value>(results.front()))
    return value == op->getResult(0) ? mlir::Value() : value; // itself: changed in place, or nothing to say
  return arith::ConstantOp::create(rewriter, op->getLoc(),
                                   llvm::cast<TypedAttr>(llvm::cast<Attribute>(results.front())));
}

struct Simplify : impl::SimplifyPassBase<Simplify> {
  void runOnOperation() override {
    do // two sides that are one value may be seen only when repetitions are gone
      removeRepeated();
    while (fold());
    removeUnused(getOperation());
  }

private:
  void removeRepeated() {
    size_t before = count();
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
    repeated += before - count();
  }

  /// In the order of the ops, so that what an op folds to is seen by the ones behind it.
  bool fold() {
    IRRewriter rewriter(&getContext());
    bool changed = false;
    getOperation()->walk([&](Operation *op) {
      rewriter.setInsertionPoint(op);
      mlir::Value value = simpler(rewriter, op);
      if (!value)
        return;
      rewriter.replaceOp(op, value);
      ++folded;
      changed = true;
    });
    return changed;
  }

  size_t count() {
    size_t ops = 0;
    getOperation()->walk([&](Operation *) { ++ops; });
    return ops;
  }

  /// From the last op to the first, so that a whole chain that ends in nothing goes in one sweep.
  void removeUnused(Operation *root) {
    for (Region &region : root->getRegions())
      for (Block &block : region)
        for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
          if (isOpTriviallyDead(&op)) {
            op.erase();
            ++unused;
          } else {
            removeUnused(&op);
          }
        }
  }
};

} // namespace
} // namespace flexsn
