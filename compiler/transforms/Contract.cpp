// contract: products that are only added become math.fma, decided once for the model (math = fast).
#include "compiler/Passes.h"

using namespace mlir;

namespace flexsn {

#define GEN_PASS_DEF_CONTRACTPASS
#include "compiler/Passes.h.inc"

namespace {

struct Contract : impl::ContractPassBase<Contract> {
  void runOnOperation() override {
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto surrogate = llvm::dyn_cast<neuron::SurrogateOp>(op)) {
        contractIn(surrogate.getValue());
        return WalkResult::skip(); // its other regions are no forward values
      }
      if (llvm::isa<neuron::ModelOp, neuron::StateOp, neuron::OdeOp>(op))
        contractIn(op->getRegion(0));
      return WalkResult::advance();
    });
  }

private:
  void contractIn(Region &region) {
    for (Block &block : region)
      for (Operation &op : llvm::make_early_inc_range(block)) {
        if (auto add = llvm::dyn_cast<arith::AddFOp>(op))
          fuseSum(add, add.getLhs(), add.getRhs(), /*subtracted=*/false);
        else if (auto sub = llvm::dyn_cast<arith::SubFOp>(op))
          fuseSum(sub, sub.getLhs(), sub.getRhs(), /*subtracted=*/true);
      }
  }

  /// The product that `value` is, if `value` has no other use and stands in the same block.
  static arith::MulFOp product(mlir::Value value, Operation *user) {
    auto product = value.getDefiningOp<arith::MulFOp>();
    return product && value.hasOneUse() && product->getBlock() == user->getBlock() ? product : nullptr;
  }

  /// left + right, or left - right. The left product is preferred, so that the choice does not depend on anything else.
  void fuseSum(Operation *sum, mlir::Value left, mlir::Value right, bool subtracted) {
    OpBuilder builder(sum);
    mlir::Location location = sum->getLoc();
    auto negate = [&](mlir::Value value) -> mlir::Value {
      return subtracted ? mlir::Value(arith::NegFOp::create(builder, location, value)) : value;
    };
    arith::MulFOp ofLeft = product(left, sum), ofRight = product(right, sum);
    if (!ofLeft && !ofRight)
      return;
    mlir::Value fma = ofLeft ? math::FmaOp::create(builder, location, ofLeft.getLhs(), ofLeft.getRhs(), negate(right))
                             : math::FmaOp::create(builder, location, negate(ofRight.getLhs()), ofRight.getRhs(), left);
    sum->getResult(0).replaceAllUsesWith(fma);
    sum->erase();
    (ofLeft ? ofLeft : ofRight).erase();
    ++fused;
  }
};

} // namespace
} // namespace flexsn
