// The functions of one kernel over memory. docs/skeleton.md has the loops, runtime/KernelAbi.h the arguments.
#pragma once

#include "dialects/Scan/Scan.h"

#include <mlir/IR/Builders.h>

namespace flexsn::cpu {

class KernelFrame;

/// Makes `NAME_prologue(params, invariants)`: copies the params into the first slots and computes the invariants behind
/// them.
void buildPrologue(mlir::OpBuilder &builder, scan::KernelOp kernel);

/// Of a kernel with gradients: makes `NAME_epilogue(params, sums, grads)`, which computes the gradients of params from
/// the sums over neurons and steps.
void buildEpilogue(mlir::OpBuilder &builder, scan::KernelOp kernel);

/// Makes `NAME(call)`. Fails, with an error at its place, on an op that has no vector form. `halfInstructions`: the
/// target converts float16.
mlir::LogicalResult buildKernel(mlir::OpBuilder &builder, scan::KernelOp kernel, bool halfInstructions);

/// The loops of a kernel whose call `frame` has loaded: forwards through time, or back.
mlir::LogicalResult buildForward(KernelFrame &frame);
mlir::LogicalResult buildBackward(KernelFrame &frame);

} // namespace flexsn::cpu
