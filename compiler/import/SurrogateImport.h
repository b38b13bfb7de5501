// The derivatives of built-in surrogates as ops, for whoever differentiates a step.
#pragma once

#include "dialects/Neuron/Neuron.h"

#include "mlir/IR/Builders.h"

namespace flexsn {

/// The derivative of `spike` at its x, by the formula of its surrogate (compiler/frontend/Surrogates.def): ops at the
/// builder's insertion point, all at `location`, over x and the values that the op has for arguments, which may be a
/// model's parameters. The result has x's type, lanes included. No gradient belongs to the arguments themselves. Null,
/// and an error at the op, where there is no such formula: an unknown surrogate, a wrong number of arguments, a number
/// of terms that is no constant. No text leads there: the front end has checked the call.
mlir::Value importSurrogateGradient(mlir::OpBuilder &builder, mlir::Location location, neuron::SpikeOp spike);

} // namespace flexsn
