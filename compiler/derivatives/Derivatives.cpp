#include "compiler/derivatives/Derivatives.h"

#include "compiler/derivatives/Rule.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectRegistry.h"

namespace flexsn {

void registerDerivatives(mlir::DialectRegistry &registry) {
  // Rules make ops of all three, so they come together.
  registry.addExtension(
      +[](mlir::MLIRContext *context, neuron::NeuronDialect *, mlir::arith::ArithDialect *, mlir::math::MathDialect *) {
        derivatives::attachArithmetic(context);
        derivatives::attachFunctions(context);
        derivatives::attachSpikes(context);
      });
}

} // namespace flexsn
