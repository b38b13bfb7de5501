// Which values of a step a backward kernel keeps for the way back, and which it computes there again.
#pragma once

#include "compiler/transforms/StepValues.h"

namespace flexsn {

/// What it costs to have a value of a step on the way back, in operations (OperationCosts).
struct KeepCosts {
  unsigned word;  ///< to keep four bytes
  unsigned input; ///< to read an input once more
};

struct ResidualPlan {
  llvm::SmallVector<mlir::Value> kept; ///< values of `adjoint`, in its order
  bool isLeast = true;                 ///< false where the problem was too large: then the old states are kept
};

/// Plans for a kernel whose `adjoint` computes the step again from the old states. What of it needs no gradient is a
/// network between what is there anyway (params, invariants, inputs), the old states, and what the gradients read; the
/// plan is a minimum cut of it. `values` are those of the kernel; `effort` bounds the search, as in MinimumCut.
ResidualPlan planResiduals(scan::KernelOp kernel, const StepValues &values, KeepCosts costs, size_t effort);

} // namespace flexsn
