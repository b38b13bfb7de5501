#include "compiler/transforms/RegisterNeed.h"

using namespace mlir;

namespace flexsn {

unsigned wordsOf(mlir::Type type) { return type.isInteger(1) ? 0 : (type.getIntOrFloatBitWidth() + 31) / 32; }

unsigned wordsOf(mlir::TypeRange types) {
  unsigned words = 0;
  for (mlir::Type type : types)
    words += wordsOf(type);
  return words;
}

unsigned widestPoint(scan::KernelOp kernel, Region &region) {
  llvm::DenseSet<mlir::Value> live;
  unsigned words = 0, most = 0;
  unsigned uniforms = kernel.uniformCount();
  auto count = [&](mlir::Value value) {
    auto argument = llvm::dyn_cast<BlockArgument>(value);
    bool free =
        argument ? argument.getArgNumber() < uniforms : value.getDefiningOp()->hasTrait<OpTrait::ConstantLike>();
    if (!free && live.insert(value).second)
      words += wordsOf(value.getType());
  };
  if (&region == &kernel.getStep())
    llvm::for_each(kernel.stepSites(), count); // all through the step, for the next one reads them too
  for (Operation &op : llvm::reverse(region.front())) {
    for (mlir::Value result : op.getResults())
      if (live.erase(result))
        words -= wordsOf(result.getType());
    llvm::for_each(op.getOperands(), count);
    most = std::max(most, words);
  }
  return most;
}

unsigned loopsOverTime(Region &region) {
  auto mayBeInexact = [](scan::DivideOp division) { return !division.getExact().getDefiningOp(); };
  return llvm::any_of(region.getOps<scan::DivideOp>(), mayBeInexact) ? 2 : 1;
}

unsigned uniformsRead(scan::KernelOp kernel) {
  unsigned read = 0;
  for (unsigned i = 0; i < kernel.uniformCount(); ++i) {
    auto reads = [&](Region *region) { return !region->empty() && !region->getArgument(i).use_empty(); };
    read += llvm::any_of(ArrayRef<Region *>{&kernel.getStep(), &kernel.getAdjoint()}, reads);
  }
  return read;
}

} // namespace flexsn
