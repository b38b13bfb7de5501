// What compiled CUDA kernels and the runtime agree on: the arguments, with the layout of the structs in
// templates/call.cuh, prologue.cuh, sums.cuh, shares.cuh and epilogue.cuh (a test holds both together).
// docs/skeleton.md says what a kernel does with them.
#pragma once

#include "runtime/KernelAbi.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <vector>

namespace flexsn {

/// One operand in device memory, aligned to its item. Strides are in bytes. Neurons are numbered in the iteration
/// order; neuron n lies at the sum of index * stride over the dimensions, in a linear kernel at n * strides[maxDims -
/// 1].
struct CudaOperand {
  void *data; ///< neuron 0 of step 0; null: an initial state given by its value
  int64_t
      timeStride; ///< from one step to the next; of an initial state without data: its value, a slot as a parameter's
  int64_t strides[maxDims] = {}; ///< the last one innermost; all 0: a scalar given as an initial state
};

/// A value that is the same for all neurons and steps: in device memory, or at the beginning of `value`.
struct CudaUniform {
  const void *data; ///< null: given by value
  uint64_t value;
};

/// Division of any 0 <= n < 2^63 by multiplication: n / divisor is the upper half of 2n * multiplier, shifted.
struct CudaDivision {
  uint64_t multiplier, divisor, shift;

  /// `divisor` > 0
  static CudaDivision by(int64_t divisor) {
    auto d = static_cast<uint64_t>(divisor);
    auto shift = static_cast<unsigned>(std::bit_width(d - 1)); // ceil(log2 d)
    auto scaled = static_cast<unsigned __int128>(1) << (63 + shift);
    return {static_cast<uint64_t>((scaled + d - 1) / d), d, shift};
  }
};

/// The neurons along dimensions.
struct CudaSpace {
  int64_t unusedDims = 0;          ///< leading ones of one element
  CudaDivision extents[maxDims]{}; ///< elements along each

  /// Unused dimensions come first and have one element.
  void setExtents(std::span<const int64_t, maxDims> sizes) {
    for (int d = 0; d < maxDims; ++d)
      extents[d] = CudaDivision::by(sizes[d]);
    for (unusedDims = 0; unusedDims < maxDims - 1 && sizes[unusedDims] == 1;)
      ++unusedDims;
  }
};

/// The head of a kernel's one argument; CudaProgram::operands' CudaOperand and then a CudaUniform for each parameter
/// without dims and each invariant follow (one that is not read, where there is none).
struct CudaCall {
  int64_t neurons;        ///< N >= 1
  int64_t steps;          ///< T >= 1
  CudaSpace space{};      ///< strided
  CudaSpace paramSpace{}; ///< the dimensions that parameters with dims have strides for
};

/// The argument of the prologue: where the invariants go, then a CudaUniform for each parameter without dims (one that
/// is not read, where there is none).
struct CudaPrologueCall {
  void *invariants; ///< CudaProgram::invariantSlots of 8 bytes; invariant i is slot i, at the slot's beginning
};

/// Threads of a block of a reduce kernel, and the partial sums that it makes one of.
inline constexpr unsigned cudaReduceThreads = 256, cudaReduceGroup = 4 * cudaReduceThreads;

/// The argument of a reduce kernel: groups of partial sums become one each. Blocks: the groups (at least one) times
/// CudaProgram::sums.
struct CudaReduceCall {
  const void *from;
  void *to;
  int64_t fromStride, toStride; ///< bytes from one sum's to the next one's
  int64_t count;                ///< of each sum; 0: the result is 0
};

/// Threads of a block of the gather and share kernels.
inline constexpr unsigned cudaShareThreads = 128;

/// The argument of a gather kernel (templates/shares.cuh): runs of each step to pieces of 1024 leaves. Blocks: a warp
/// for each of steps * runs * parts.
struct CudaGatherCall {
  const void *from;
  void *to;
  int64_t fromStride, toStride; ///< bytes from one step's to the next one's
  int64_t steps, runs, run, unit;
  int64_t parts;
};

/// Along a dimension of elements, or of what shares one: how many, and how far apart leaves (elements) and results
/// (bytes) are.
struct CudaShareAxis {
  int64_t count = 1, from = 0, to = 0;
};

/// The argument of a share kernel: 32 leaves of each element and step to one sum. Blocks: a thread for each.
struct CudaShareCall {
  const void *from;
  void *to;
  int64_t fromStride, toStride, groupStride;
  int64_t steps, elements, leaves;
  int64_t run, unit;
  CudaShareAxis own[maxDims], shared[maxDims];
};

/// The head of the epilogue's argument; a CudaUniform for each parameter follows.
struct CudaEpilogueCall {
  const void *sums; ///< slots of 8 bytes
  void *gradients;  ///< CudaProgram::gradParams, slots of 8 bytes
};

/// The bytes of a kernel's argument.
inline std::vector<std::byte> cudaArgument(const CudaCall &call, std::span<const CudaOperand> operands,
                                           std::span<const CudaUniform> uniforms) {
  std::vector<std::byte> bytes(sizeof call + operands.size_bytes() +
                               std::max(sizeof(CudaUniform), uniforms.size_bytes()));
  std::memcpy(bytes.data(), &call, sizeof call);
  std::memcpy(bytes.data() + sizeof call, operands.data(), operands.size_bytes());
  if (!uniforms.empty())
    std::memcpy(bytes.data() + sizeof call + operands.size_bytes(), uniforms.data(), uniforms.size_bytes());
  return bytes;
}

/// The bytes of a prologue's or an epilogue's argument.
template <class Call> std::vector<std::byte> cudaOnceArgument(const Call &call, std::span<const CudaUniform> params) {
  std::vector<std::byte> bytes(sizeof call + std::max(sizeof(CudaUniform), params.size_bytes()));
  std::memcpy(bytes.data(), &call, sizeof call);
  if (!params.empty())
    std::memcpy(bytes.data() + sizeof call, params.data(), params.size_bytes());
  return bytes;
}

} // namespace flexsn
