// What an op of the neuron dialect is made of.
#pragma once

#include "mlir/IR/Value.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace flexsn {

/// The value of an op of the neuron dialect by its expansion from compiler/math, made in front of it; null if it has
/// none. Platform functions are called by name, and not declared.
mlir::Value expansionOf(mlir::Operation *op);

} // namespace flexsn
