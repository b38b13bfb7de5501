// Where the adjoint of a kernel computes what its step computes.
#pragma once

#include "dialects/Scan/Scan.h"

#include "llvm/ADT/DenseMap.h"

#include <unordered_map>

namespace flexsn {

/// The values of `adjoint` in `step`, of a kernel whose kept values are what `step` yields for them.
class StepValues {
public:
  explicit StepValues(scan::KernelOp kernel);

  /// What `value` of `adjoint` is in `step`; null if `step` does not compute it.
  mlir::Value find(mlir::Value value) const { return inStep.lookup(value); }
  /// The same; what `step` does not compute is added at its end. `value` must depend on no gradient.
  mlir::Value make(mlir::Value value);

private:
  size_t hashOf(mlir::Operation &op, bool isOfStep) const;
  bool isEqual(mlir::Operation &ofAdjoint, mlir::Operation &ofStep) const;
  void match(mlir::Operation &op);

  mlir::Block &step;
  llvm::DenseMap<mlir::Value, mlir::Value> inStep;
  std::unordered_map<size_t, llvm::SmallVector<mlir::Operation *, 1>> byHash; ///< ops of `step`
};

} // namespace flexsn
