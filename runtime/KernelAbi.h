// What compiled CPU kernels and the runtime agree on. compiler/emit/cpu generates code against the offsets of these
// structs (a test holds both together); docs/skeleton.md says what a kernel does with them.
#pragma once

#include <cstdint>

namespace flexsn {

/// Dimensions of a strided kernel's iteration space; unused ones come first and have one element.
inline constexpr int maxDims = 5;

/// Neurons whose sums a backward kernel adds up itself. Its ranges begin at multiples, unless it has no sums.
inline constexpr int sumGroup = 1024;

/// One operand in memory. Neurons are numbered in the iteration order; step t lies timeStride * t bytes behind step 0.
/// Linear kernels find neuron n at n * elementStride, strided ones at the sum of index * stride over the dimensions.
struct CpuOperand {
  void *data;                    ///< neuron 0 of step 0; of any alignment
  int64_t timeStride;            ///< bytes from one step to the next; unused for what has no steps
  int64_t elementStride;         ///< linear: the item size, or 0 for a scalar given as an initial state
  int64_t strides[maxDims] = {}; ///< strided, and of every param: bytes along each dimension, all 0 for a scalar
};

/// Arguments of a kernel: neurons [begin, end) through all steps.
struct CpuCall {
  const CpuOperand *operands;         ///< in CpuProgram::operands' order
  const void *invariants;             ///< what the prologue wrote
  int64_t steps;                      ///< T >= 1
  int64_t begin, end;                 ///< a streaming kernel's whole vectors of outputs lie on their alignment
  void *workspace;                    ///< CpuProgram::workspaceBytes, 64-byte aligned, of this thread alone
  int64_t extents[maxDims] = {};      ///< strided: elements along each dimension, the last one innermost
  int64_t paramExtents[maxDims] = {}; ///< the same neurons along the dimensions that params have strides for
  /// Backward: where the sum over group g of `sumGroup` neurons goes, for sum s at partials + s * partialStride, item
  /// g.
  void *partials = nullptr;
  int64_t partialStride = 0; ///< bytes from one sum's partials to the next one's
};

using CpuKernel = void (*)(const CpuCall *);
using CpuPrologue = void (*)(const void *params, void *invariants);
using CpuEpilogue = void (*)(const void *params, const void *sums, void *grads);

} // namespace flexsn
