// What does not change in a launch.
#pragma once

#include "dialects/Scan/Scan.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace flexsn {

/// Whether the results of `op` do not change in a launch if its operands do not. A random number is pure too, but
/// another one for each neuron and step; a user's surrogate is not yet what it computes.
inline bool followsFromOperands(mlir::Operation &op) {
  return mlir::isPure(&op) && op.getNumRegions() == 0 && !llvm::isa<neuron::RandomOp>(op);
}

/// The regions beside the prologue, whose first arguments are the params and invariants: those that a kernel has.
inline llvm::SmallVector<mlir::Region *> regionsWithUniforms(scan::KernelOp kernel) {
  llvm::SmallVector<mlir::Region *> regions = {&kernel.getInit(), &kernel.getStep()};
  if (kernel.hasSites())
    regions.push_back(&kernel.getSite());
  if (kernel.hasAdjoint())
    regions.append({&kernel.getAdjoint(), &kernel.getInitAdjoint()});
  if (!kernel.getSiteAdjoint().empty())
    regions.push_back(&kernel.getSiteAdjoint());
  return regions;
}

} // namespace flexsn
