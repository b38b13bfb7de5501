// What an op of the neuron dialect is made of.
#pragma once

#include "dialects/Neuron/Neuron.h"

#include "mlir/IR/Builders.h"

namespace flexsn {

/// The value of an op of the neuron dialect by its expansion from compiler/math, made in front of it; null if it has
/// none. Platform functions are called by name, and not declared.
mlir::Value expansionOf(mlir::Operation *op);

/// Puts a user's surrogate's value region in its place.
void inlineValue(neuron::SurrogateOp surrogate);

/// What an expansion reads of `op`: a surrogate's arguments steer gradients alone.
mlir::OperandRange expandedOperands(mlir::Operation *op);

/// A copy of `op` on `operands`, as expandedOperands gives them.
mlir::Value copyForExpansion(mlir::Operation *op, mlir::OpBuilder &builder, mlir::ValueRange operands);

/// Shows `visit` each operation of the expansion of `op`, which is made and thrown away; none where there is none.
void walkExpansion(mlir::Operation *op, llvm::function_ref<void(mlir::Operation *)> visit);

} // namespace flexsn
