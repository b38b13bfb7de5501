// simplify: no repeated and no unused computation; every value unchanged to the bit.
#include "compiler/Passes.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;

namespace flexsn {

#define GEN_PASS_DEF_SIMPLIFYPASS
#include "compiler/Passes.h.inc"

namespace {

struct Simplify : impl::SimplifyPassBase<Simplify> {
  void runOnOperation() override {
    removeRepeated();
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
