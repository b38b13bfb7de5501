// Groups of differential equations as neuron.ode.
#pragma once

#include "compiler/import/ExprImport.h"

namespace flexsn {

/// Finds what belongs to a group's right-hand sides (docs/language.md, rule 2) and emits it into the op's region: the
/// names that the step computed from the states' values before the group, so that a solver may evaluate them at any
/// point. Results of earlier groups, silenced spikes, inputs and history are constant within the step.
class OdeImport {
public:
  OdeImport(const Model &model, ExprImport &expressions, mlir::OpBuilder &builder);

  /// Emits the group that is statement number `index` and binds its results. False if the copies of what equations
  /// share have grown beyond Limits::expressions: then nothing is emitted.
  bool emit(size_t index);

private:
  std::vector<size_t> statementsBehind(const std::vector<Ode> &system);
  llvm::SmallVector<size_t> dependent(const std::vector<Ode> &system, const std::vector<size_t> &behind);
  void fillRegion(mlir::Region &region, const std::vector<Ode> &system, llvm::ArrayRef<size_t> repeated);

  const Model &model;
  ExprImport &expressions;
  mlir::OpBuilder &builder;
  llvm::DenseMap<const Value *, size_t> definedBy; ///< the plain assignment of a value, where it has one
  size_t visited = 0;
};

} // namespace flexsn
