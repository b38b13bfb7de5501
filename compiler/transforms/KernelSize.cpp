#include "compiler/transforms/KernelSize.h"

#include <algorithm>

using namespace mlir;

namespace flexsn {

unsigned computeBits(scan::KernelOp kernel) {
  unsigned bits = 32;
  auto widen = [&](mlir::Type type) {
    if (auto real = llvm::dyn_cast<FloatType>(type))
      bits = std::max(bits, real.getWidth());
  };
  llvm::for_each(kernel.getStep().getArgumentTypes(), widen);
  llvm::for_each(kernel.yieldOf(kernel.getStep()).getValues().getTypes(), widen);
  if (kernel.hasAdjoint())
    llvm::for_each(kernel.getAdjoint().getArgumentTypes(), widen);
  return bits;
}

size_t operationsOf(scan::KernelOp kernel) {
  size_t operations = 0;
  kernel->walk([&](Operation *) { ++operations; });
  return operations;
}

size_t rowsOf(scan::KernelOp kernel) {
  size_t rows = kernel.getStates().size() + kernel.operandsOf(scan::Role::Input).size() + kernel.stepResults().size();
  if (kernel.hasAdjoint())
    rows += kernel.carriedNames().size() + kernel.operandsOf(scan::Role::GradOutput).size() +
            kernel.gradReads().size() + kernel.summandTypes().size();
  return rows;
}

size_t bytesOf(mlir::TypeRange types) {
  size_t bytes = 0;
  for (mlir::Type type : types)
    bytes += scan::bytesOf(scan::storageFor(type));
  return bytes;
}

bool overlapsChunks(scan::KernelOp kernel) {
  auto hasPlaces = [&](scan::OperandAttr param) { return param.hasPlaces(kernel.getLayout()); };
  return kernel.getEvery().value_or(1) > 1 && llvm::none_of(kernel.paramsOf(scan::Variation::Step), hasPlaces);
}

LogicalResult checkSchedulable(scan::KernelOp kernel, size_t mostRows, size_t mostOperations) {
  if (kernel.getKind() == scan::Kind::Backward && !kernel.hasAdjoint())
    return kernel.emitError("a backward kernel has no schedule before it has an adjoint");
  if (size_t rows = rowsOf(kernel); rows > mostRows)
    return kernel.emitError() << "the step has " << rows << " states, inputs and outputs"
                              << (kernel.hasAdjoint() ? ", gradients and kept values" : "")
                              << "; a kernel takes at most " << mostRows;
  if (size_t operations = operationsOf(kernel); operations > mostOperations)
    return kernel.emitError() << "the step is about " << operations << " operations long; a kernel takes at most "
                              << mostOperations;
  return success();
}

} // namespace flexsn
