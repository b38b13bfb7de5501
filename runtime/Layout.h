// Where operands lie: the order of the dimensions behind time, density in that order, and who overlaps whom.
#pragma once

#include "runtime/Tensor.h"

#include <cstdint>

namespace flexsn {

/// The order in which the neurons of a call are walked: strides, in elements, of a dense step. Sizes of 1 are free.
struct IterationOrder {
  std::vector<int64_t> shape;   ///< of one step
  std::vector<int64_t> strides; ///< of the first operand; 0 where the size is 1
  int64_t neurons = 1;          ///< product of the shape
};

/// The order of the operand that decides it: the first input. Throws if its step is not dense (has gaps or repeats).
/// `first` is the number of leading dimensions that are time: 1, or 0 for a state.
IterationOrder iterationOrder(const TensorView &view, size_t first);

/// Throws unless `view` (of the right shape) lies dense in that order. `reference` names the operand that decided.
void requireOrder(const TensorView &view, size_t first, const IterationOrder &order, std::string_view reference);

/// The memory of an operand: `steps` blocks of `bytes` bytes, `stride` bytes apart.
struct Extent {
  uintptr_t begin;
  int64_t steps, stride, bytes;
};

/// Whether two operands share a byte. Exact, also for operands whose steps interleave.
bool overlap(Extent a, Extent b);
/// Whether two steps of one operand share a byte.
bool overlapsItself(const Extent &extent);

} // namespace flexsn
