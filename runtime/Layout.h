// Where the neurons of a call lie: the shapes and strides of all operands together become one iteration space.
#pragma once

#include "runtime/Tensor.h"

#include <cstdint>
#include <span>

namespace flexsn {

/// An operand that takes part in the iteration: its dimensions behind the first `time` ones (1, or 0 for a state) are
/// those of a step. A state without dimensions is one value for all neurons.
struct WalkedView {
  const TensorView *view;
  size_t time;
};

/// The neurons of a step, numbered in one order that does not depend on the operands' own orders.
struct IterationSpace {
  Layout layout = Layout::Linear;
  int64_t neurons = 1;
  /// Elements along each merged dimension, the last one innermost; sizes of 1 are gone. Linear: one dimension, or none.
  std::vector<int64_t> extents;
  /// Per operand, in elements, along the same dimensions: 0 for what is repeated, any sign.
  std::vector<std::vector<int64_t>> strides;
};

/// How many dimensions may be left when those that can be merged are.
inline constexpr size_t mostDims = 5;

/// Normalises operands whose steps have the shape of that of operand number `reference`, the first input (without
/// inputs the first output, else the first final state). Its order, largest stride outermost, is the iteration order;
/// dimensions that it repeats (stride 0) keep their place. Neighbours are merged where every operand allows it. The
/// layout is linear if then every operand is dense. Throws where more than `mostDims` dimensions are left.
IterationSpace iterationSpace(std::span<const WalkedView> operands, size_t reference);
/// The same neurons in the same order for operands that the reference need not be one of: its strides merge nothing.
IterationSpace iterationSpace(std::span<const WalkedView> operands, const WalkedView &reference);

} // namespace flexsn
