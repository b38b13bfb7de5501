// What a step takes of a GPU's registers, about.
#pragma once

#include "dialects/Scan/Scan.h"

#include <algorithm>

namespace flexsn {

/// Threads of a block, and operations of an unrolled chunk: beyond, compilers take longer than the kernel's users wait.
inline constexpr unsigned cudaBlockThreads = 128;
inline constexpr size_t cudaChunkOperations = 2'000;

/// Registers of a thread where so many blocks share a multiprocessor.
constexpr unsigned cudaRegisterLimit(unsigned blocks) {
  constexpr unsigned registersOfMultiprocessor = 65536;
  return std::min(255U, registersOfMultiprocessor / cudaBlockThreads / blocks / 8 * 8);
}

/// Registers of a value; truths have predicates.
unsigned wordsOf(mlir::Type type);
unsigned wordsOf(mlir::TypeRange types);

/// The most registers that a region's own values hold at once, when its operations run in their order: arguments up to
/// their last use (a step's site values all through, for the next one), results to the end. Params and invariants are
/// counted elsewhere.
unsigned widestPoint(scan::KernelOp kernel, mlir::Region &region);

/// Registers for a step's `words`: compilers order a wide step otherwise than it is written. Those of 10 to 60 states
/// took up to twice as much.
constexpr unsigned widened(unsigned words) { return words + words - std::min(words, 8U); }

/// Loops over time that a kernel has for `region`: one that multiplies, and where a reciprocal need not be exact one
/// that divides.
unsigned loopsOverTime(mlir::Region &region);

/// Params and invariants that a neuron's regions read.
unsigned uniformsRead(scan::KernelOp kernel);

} // namespace flexsn
