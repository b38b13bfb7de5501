// The gradients of the values of one block, while reverse mode walks it backwards.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace flexsn::neuron {

/// What has flowed back to each value so far.
///
/// The side of a selection that was not taken receives exactly zero, also where the gradient on its way meets an
/// infinity or a NaN (docs/language.md, rule 3). A product with zero would not do that. So a gradient below a
/// selection keeps on flowing as if its side had been taken, with a guard beside it, the conditions under which it
/// counts; they are applied where ways of different guards meet, and at the end. What two ways of different guards
/// bring is guarded by that one of both counts.
class Gradients {
public:
  /// `varied`: the values that a wanted gradient reaches; others receive none.
  Gradients(mlir::OpBuilder &builder, llvm::DenseSet<mlir::Value> varied)
      : builder(builder), varied(std::move(varied)) {}

  mlir::OpBuilder &builder;

  /// Whether a rule need make anything for `operand`.
  bool wants(mlir::Value operand) const { return varied.contains(operand); }

  /// Adds `gradient` to that of `operand`, if that is wanted: under the conditions of the op at hand, and where
  /// `condition` is given also under that it holds (or, not `holds`, that it does not).
  void add(mlir::Value operand, mlir::Value gradient, mlir::Value condition = {}, bool holds = true);

  /// Adds `gradient` from outside of the block, where it is not null; with `condition` where that holds.
  void seed(mlir::Value value, mlir::Value gradient, mlir::Value condition = {});

  /// The gradient of `value` as far as it is known, for the rule of the op that makes it; null if nothing flows back.
  /// Until the next call, what is added is under its conditions.
  mlir::Value enter(mlir::Value value);

  /// The whole gradient of `value`: zero where its conditions do not hold. Null if nothing flows back.
  mlir::Value take(mlir::Value value);

private:
  struct Condition {
    mlir::Value value;
    bool holds;
    bool operator==(const Condition &) const = default;
  };
  using Guard = llvm::SmallVector<Condition, 2>;
  struct Flow {
    mlir::Value gradient;
    Guard guard;
  };

  Flow merged(Flow a, Flow b);
  /// Whether the conditions of `guard` from number `kept` on all hold; there is one.
  mlir::Value conjunction(llvm::ArrayRef<Condition> guard, size_t kept, mlir::Location location);
  /// `flow` with its conditions from number `kept` on applied.
  mlir::Value applied(const Flow &flow, size_t kept);

  llvm::DenseSet<mlir::Value> varied;
  llvm::DenseMap<mlir::Value, Flow> flows;
  Guard current;
};

} // namespace flexsn::neuron

#include "dialects/Neuron/Differentiable.h.inc"
