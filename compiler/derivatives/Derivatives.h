// The derivative rule of every op that has one (docs/language.md, rules 3 to 5 and 8).
#pragma once

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace flexsn {

/// Makes the ops of `arith`, `math` and the neuron dialect neuron::Differentiable, whenever their dialects are loaded.
void registerDerivatives(mlir::DialectRegistry &registry);

} // namespace flexsn
