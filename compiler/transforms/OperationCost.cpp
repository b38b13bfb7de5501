#include "compiler/transforms/OperationCost.h"

#include "compiler/transforms/LowerOps.h"
#include "dialects/Scan/Scan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace flexsn {

size_t OperationCosts::of(Operation *op) {
  constexpr size_t division = 10, root = 10, remainder = 60, platformFunction = 60, wideRemainder = 180;
  if (llvm::isa<neuron::NeuronDialect>(op->getDialect()) && op->getNumRegions() == 0 && op->getNumOperands() != 0)
    return ofExpansion(op);
  if (llvm::isa<arith::DivFOp, scan::DivideOp>(op))
    return division;
  if (llvm::isa<math::SqrtOp>(op))
    return root;
  if (llvm::isa<arith::RemFOp>(op))
    return op->getResultTypes().front().isF64() ? wideRemainder : remainder;
  if (llvm::isa<func::CallOp>(op))
    return platformFunction;
  return op->hasTrait<OpTrait::ConstantLike>() ? 0 : 1;
}

size_t OperationCosts::of(Region &region) {
  size_t operations = 0;
  for (Operation &op : region.front())
    operations += of(&op);
  return operations;
}

/// A function's expansion is made once for each type: a step may use it a thousand times.
size_t OperationCosts::ofExpansion(Operation *op) {
  bool isFixed = !llvm::isa<neuron::IntPowOp>(op); // what else the op says changes little
  std::pair key(op->getName(), op->getOperandTypes().front());
  if (auto found = known.find(key); isFixed && found != known.end())
    return found->second;
  size_t operations = 0;
  walkExpansion(op, [&](Operation *made) { operations += of(made); });
  if (isFixed)
    known[key] = operations;
  return operations;
}

} // namespace flexsn
