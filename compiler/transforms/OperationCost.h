// What operations of a step cost, in plain ones.
#pragma once

#include "mlir/IR/Operation.h"

#include "llvm/ADT/DenseMap.h"

namespace flexsn {

/// Counts what an operation becomes in machine code, about: a multiplication is one, a function its expansion.
class OperationCosts {
public:
  size_t of(mlir::Operation *op);
  /// All of a region.
  size_t of(mlir::Region &region);

private:
  size_t ofExpansion(mlir::Operation *op);

  llvm::DenseMap<std::pair<mlir::OperationName, mlir::Type>, size_t> known; ///< of functions, by their operand's type
};

} // namespace flexsn
