// Registration of the dialect, and what several of its files need to know about types.
#include "dialects/Neuron/Neuron.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

#include "dialects/Neuron/NeuronDialect.cpp.inc"
#include "dialects/Neuron/NeuronEnums.cpp.inc"

namespace flexsn::neuron {

void NeuronDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Neuron/NeuronOps.cpp.inc"
      >();
}

static mlir::Type withElement(mlir::Type type, mlir::Type element) {
  if (auto lanes = llvm::dyn_cast<VectorType>(type))
    return VectorType::get(lanes.getShape(), element);
  return element;
}

mlir::Type boolLike(mlir::Type type) { return withElement(type, IntegerType::get(type.getContext(), 1)); }
mlir::Type intLike(mlir::Type type) { return withElement(type, IntegerType::get(type.getContext(), 32)); }
FloatType floatIn(mlir::Type type) { return llvm::dyn_cast<FloatType>(getElementTypeOrSelf(type)); }

LogicalResult verifyNoFastMath(Operation *root) {
  WalkResult result = root->walk([](arith::ArithFastMathInterface op) {
    arith::FastMathFlagsAttr flags = op.getFastMathFlagsAttr();
    if (!flags || flags.getValue() == arith::FastMathFlags::none)
      return WalkResult::advance();
    op->emitOpError("carries fast-math flags (neuron-2)");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

} // namespace flexsn::neuron
