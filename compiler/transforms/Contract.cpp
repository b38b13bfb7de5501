// contract: sums of products become math.fma, decided once: of a model where math = fast, of a kernel's
// gradients where it is not strict.
#include "compiler/Passes.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace flexsn {

#define GEN_PASS_DEF_CONTRACTPASS
#include "compiler/Passes.h.inc"

namespace {

/// Fuses in the regions of one op; which products, its user says.
class Fusion {
public:
  /// Everything.
  void run(Region &region) {
    for (Operation &op : llvm::make_early_inc_range(region.front()))
      fuse(op);
  }

  /// What follows from the arguments of `region` from number `first` on, and nothing else.
  void run(Region &region, size_t first) {
    isLimited = true;
    for (mlir::Value gradient : region.getArguments().drop_front(first))
      followers.insert(gradient);
    for (Operation &op : llvm::make_early_inc_range(region.front())) {
      if (llvm::any_of(op.getOperands(), [&](mlir::Value value) { return followers.contains(value); }))
        followers.insert(op.result_begin(), op.result_end());
      fuse(op);
    }
  }

  unsigned fused = 0;

private:
  void fuse(Operation &op) {
    if (auto add = llvm::dyn_cast<arith::AddFOp>(op))
      fuseSum(add, add.getLhs(), add.getRhs(), /*subtracted=*/false);
    else if (auto sub = llvm::dyn_cast<arith::SubFOp>(op))
      fuseSum(sub, sub.getLhs(), sub.getRhs(), /*subtracted=*/true);
  }

  /// The product that `value` is, if it stands in the same block. Whether it has other uses is no matter: a caller who
  /// asks for it as a monitor must not change what is computed from it.
  arith::MulFOp product(mlir::Value value, Operation *user) {
    auto product = value.getDefiningOp<arith::MulFOp>();
    bool isAllowed = !isLimited || followers.contains(value);
    return product && isAllowed && product->getBlock() == user->getBlock() ? product : nullptr;
  }

  /// left + right, or left - right. The left product is preferred, so that the choice does not depend on anything else.
  void fuseSum(Operation *sum, mlir::Value left, mlir::Value right, bool subtracted) {
    if (left == right) // twice a product, or exactly nothing
      return;
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
    if (isLimited)
      followers.insert(fma);
    sum->getResult(0).replaceAllUsesWith(fma);
    remove(sum);
    if (arith::MulFOp fusedOne = ofLeft ? ofLeft : ofRight; fusedOne->use_empty())
      remove(fusedOne);
    ++fused;
  }

  void remove(Operation *op) {
    followers.erase(op->getResult(0)); // another value may come to stand where it was
    op->erase();
  }

  bool isLimited = false;
  llvm::DenseSet<mlir::Value> followers;
};

struct Contract : impl::ContractPassBase<Contract> {
  void runOnOperation() override {
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto surrogate = llvm::dyn_cast<neuron::SurrogateOp>(op)) {
        contractIn(surrogate.getValue());
        return WalkResult::skip(); // its other regions are no forward values
      }
      if (auto kernel = llvm::dyn_cast<scan::KernelOp>(op)) {
        contractGradients(kernel);
        return WalkResult::skip();
      }
      if (llvm::isa<neuron::ModelOp, neuron::StateOp, neuron::OdeOp>(op))
        contractIn(op->getRegion(0));
      return WalkResult::advance();
    });
  }

private:
  void contractIn(Region &region) {
    Fusion fusion;
    fusion.run(region);
    fused += fusion.fused;
  }

  /// Of a step that is computed again no value may change: only what follows from a gradient is fused.
  void contractGradients(scan::KernelOp kernel) {
    if (!kernel.hasAdjoint())
      return;
    unsigned fixed = kernel.fixedCount();
    contractBehind(kernel.getAdjoint(), fixed + kernel.stepReads().size() + kernel.stepResults().size());
    contractBehind(kernel.getInitAdjoint(), fixed);
    if (kernel.hasSites())
      contractBehind(kernel.getSiteAdjoint(), kernel.getSite().getNumArguments());
    contractBehind(kernel.getEpilogue(), kernel.paramTypes().size());
  }

  void contractBehind(Region &region, size_t first) {
    Fusion fusion;
    fusion.run(region, first);
    fused += fusion.fused;
  }
};

} // namespace
} // namespace flexsn
