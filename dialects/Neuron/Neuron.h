// The neuron dialect: what one time step of a model means (docs/ir.md).
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Neuron/NeuronDialect.h.inc"
#include "dialects/Neuron/NeuronEnums.h.inc"

namespace flexsn::neuron {

/// i1, or a vector of as many i1 as `type` has lanes.
mlir::Type boolLike(mlir::Type type);
/// i32, or a vector of as many i32 as `type` has lanes.
mlir::Type intLike(mlir::Type type);
/// The float type in `type` (a scalar or a vector), or null.
mlir::FloatType floatIn(mlir::Type type);

/// Whether `value` is a float, and may have a gradient.
inline bool isReal(mlir::Value value) { return llvm::isa<mlir::FloatType>(value.getType()); }

/// neuron-2: no op below `root` carries fast-math flags.
mlir::LogicalResult verifyNoFastMath(mlir::Operation *root);

} // namespace flexsn::neuron

#define GET_OP_CLASSES
#include "dialects/Neuron/NeuronOps.h.inc"
