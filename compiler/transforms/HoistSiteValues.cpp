// hoist-site-values: what varies by neuron alone is computed once a neuron, in `site`.
#include "compiler/Passes.h"
#include "compiler/transforms/Invariants.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;

namespace flexsn {

#define GEN_PASS_DEF_HOISTSITEVALUESPASS
#include "compiler/Passes.h.inc"

namespace {

/// Moves the ops of one kernel. Between the phases the other regions read values of `site` directly.
class Hoisting {
public:
  explicit Hoisting(scan::KernelOp kernel)
      : kernel(kernel), site(kernel.getSite().front()), readers{&kernel.getInit(), &kernel.getStep()},
        leading(kernel.fixedCount()) {
    if (kernel.hasAdjoint())
      readers.append({&kernel.getAdjoint(), &kernel.getInitAdjoint()});
  }

  unsigned run() {
    for (Region *reader : readers)
      moveFrom(reader->front());
    mergeRepeated();
    takeKnown();
    dropUnread();
    yieldWhatIsRead();
    return hoisted;
  }

private:
  bool isOfSite(Operation &op) {
    return followsFromOperands(op) && op.getNumOperands() != 0 &&
           llvm::all_of(op.getOperands(), [&](mlir::Value value) {
             auto argument = llvm::dyn_cast<BlockArgument>(value);
             return argument ? argument.getArgNumber() < leading
                             : value.getParentBlock() == &site || matchPattern(value, m_Constant());
           });
  }

  void moveFrom(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
      if (!isOfSite(op))
        continue;
      for (OpOperand &operand : op.getOpOperands())
        operand.set(inSite(operand.get()));
      op.moveBefore(site.getTerminator());
      ++hoisted;
    }
  }

  /// What an operand of a moved op is in `site`.
  mlir::Value inSite(mlir::Value value) {
    if (value.getParentBlock() == &site)
      return value;
    if (auto argument = llvm::dyn_cast<BlockArgument>(value)) {
      unsigned number = argument.getArgNumber();
      size_t uniforms = kernel.uniformCount();
      return number < uniforms ? mlir::Value(site.getArgument(number))
                               : site.getTerminator()->getOperand(number - static_cast<unsigned>(uniforms));
    }
    Operation *copy = value.getDefiningOp()->clone();
    site.getOperations().insert(site.getTerminator()->getIterator(), copy);
    return copy->getResult(0);
  }

  /// Two regions may have computed the same, and `site` may have had it already.
  void mergeRepeated() {
    IRRewriter rewriter(kernel.getContext());
    DominanceInfo dominance(kernel);
    eliminateCommonSubExpressions(rewriter, dominance, kernel);
  }

  /// What a moved op turned out to be may be a site value already.
  void takeKnown() {
    for (auto [number, value] : llvm::enumerate(kernel.yieldOf(kernel.getSite()).getValues()))
      for (Region *reader : readers)
        replaceIn(*reader, value, reader->getArgument(static_cast<unsigned>(kernel.uniformCount() + number)));
  }

  static void replaceIn(Region &reader, mlir::Value value, mlir::Value by) {
    value.replaceUsesWithIf(by, [&](OpOperand &use) { return reader.isAncestor(use.getOwner()->getParentRegion()); });
  }

  /// A site value has a place of its own in a kernel's memory.
  void dropUnread() {
    auto uniforms = static_cast<unsigned>(kernel.uniformCount());
    Operation *yield = site.getTerminator();
    for (unsigned number = yield->getNumOperands(); number-- > 0;) {
      auto isUnread = [&](Region *reader) { return reader->getArgument(uniforms + number).use_empty(); };
      if (!llvm::all_of(readers, isUnread))
        continue;
      yield->eraseOperand(number);
      for (Region *reader : readers)
        reader->eraseArgument(uniforms + number);
    }
  }

  /// In the order of `site`, so that equal kernels have equal site values.
  void yieldWhatIsRead() {
    Operation *yield = site.getTerminator();
    for (Operation &op : site.without_terminator())
      for (mlir::Value value : op.getResults()) {
        if (!value.isUsedOutsideOfBlock(&site))
          continue;
        auto place = static_cast<unsigned>(kernel.uniformCount()) + yield->getNumOperands();
        for (Region *reader : readers)
          replaceIn(*reader, value, reader->insertArgument(place, value.getType(), value.getLoc()));
        yield->insertOperands(yield->getNumOperands(), value);
      }
  }

  scan::KernelOp kernel;
  Block &site;
  SmallVector<Region *> readers; ///< that take the site values
  size_t leading;                ///< arguments of a reader that are the same in all steps
  unsigned hoisted = 0;
};

struct HoistSiteValues : impl::HoistSiteValuesPassBase<HoistSiteValues> {
  void runOnOperation() override {
    scan::KernelOp kernel = getOperation();
    if (kernel.hasSites())
      hoisted += Hoisting(kernel).run();
  }
};

} // namespace
} // namespace flexsn
