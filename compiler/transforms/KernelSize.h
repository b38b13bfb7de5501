// How large a kernel is: what both schedules count.
#pragma once

#include "dialects/Scan/Scan.h"

namespace flexsn {

/// Bits of the widest value that the step computes with: the compute type, or the 32 of an int.
unsigned computeBits(scan::KernelOp kernel);

/// Operations of the kernel's regions. A function counts as one: where it is used often, it is called.
size_t operationsOf(scan::KernelOp kernel);

/// States, inputs and outputs, of a backward kernel also gradients, sums and kept values: rows of memory or registers
/// that one step touches.
size_t rowsOf(scan::KernelOp kernel);

/// Bytes that a value of each of the types takes where it lies in memory.
size_t bytesOf(mlir::TypeRange types);

/// Whether a schedule can be made. Refuses a backward kernel without its adjoint, and a step beyond `mostRows` rows or
/// `mostOperations` operations, which no code generator handles in seconds.
mlir::LogicalResult checkSchedulable(scan::KernelOp kernel, size_t mostRows, size_t mostOperations);

/// Whether a streaming backward kernel works at two chunks at once, which may be of two tiles: not where a tile has
/// places of its own for params that vary by step.
bool overlapsChunks(scan::KernelOp kernel);

} // namespace flexsn
