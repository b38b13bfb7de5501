// Which memory operands touch, and whether two of them share a byte.
#pragma once

#include "runtime/Tensor.h"

#include <cstdint>
#include <vector>

namespace flexsn {

/// The bytes of an operand: elements of `item` bytes at `begin` plus any sum of index * stride over the axes.
struct Footprint {
  struct Axis {
    int64_t count, stride; ///< stride in bytes, positive
  };
  uintptr_t begin = 0; ///< the lowest address
  int64_t item = 0;    ///< 0: no element, no byte
  std::vector<Axis> axes;
};
Footprint footprint(const TensorView &view);

/// Equal addresses, whatever the order of the dimensions.
bool sameMemory(const TensorView &a, const TensorView &b);

enum class Overlap : uint8_t { No, Yes, Undecided };

/// Whether two operands share a byte. The question is as hard as a knapsack: it is answered exactly for all strides
/// that views of one array have, and left undecided where a bounded search finds no end.
Overlap overlap(const Footprint &a, const Footprint &b);
/// Whether two elements of one operand share a byte.
Overlap overlapsItself(const Footprint &footprint);

} // namespace flexsn
