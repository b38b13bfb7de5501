// Sums over neurons in an order of their own: a balanced binary tree over the iteration index, in aligned groups of
// `sumGroup` neurons (docs/skeleton.md). Neither tile nor width nor the ranges of threads are part of it.
#pragma once

#include "dialects/Scan/Scan.h"

#include <mlir/IR/Builders.h>

namespace mlir::LLVM {
class LLVMFuncOp;
} // namespace mlir::LLVM

namespace flexsn::cpu {

/// What can be added to anything without changing it, also to 0 of either sign.
mlir::Value neutralOf(mlir::OpBuilder &builder, mlir::Location location, mlir::Type real, unsigned width);

/// Makes `NAME_sum(row)`, the sum of the `sumGroup` elements of an aligned row, which it writes over.
mlir::LLVM::LLVMFuncOp buildSum(mlir::OpBuilder &builder, scan::KernelOp kernel);

} // namespace flexsn::cpu
