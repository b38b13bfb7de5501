// What a run did to floats, for walking back through it.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace flexsn::reference {

/// What an operand is handed of a value's adjoint.
struct Slope {
  double factor = 0;
  bool isMask = false; ///< zero, whatever the adjoint

  Slope(double factor) : factor(factor) {}
  /// As PyTorch's masks have it (clip, min, max, relu): a zero that flows on, and is NaN behind an infinite slope.
  static Slope mask() {
    Slope slope(0);
    slope.isMask = true;
    return slope;
  }
  double times(double adjoint) const { return isMask ? 0 : adjoint * factor; }
};

/// The slope of a value in each of its operands; none where no gradient passes, which is more than a zero: an infinite
/// or undefined slope further back then never meets it.
using Slopes = llvm::SmallVector<std::optional<Slope>, 4>;

/// Values in the order in which they were computed, each with its slopes. Node 0 stands for whatever has no gradient:
/// constants, ints, bools, what is detached.
class Tape {
public:
  /// What gradients are wanted of.
  uint32_t leaf();
  /// A value computed from `operands`; node 0 if nothing passes to any of them.
  uint32_t record(std::span<const uint32_t> operands, const Slopes &slopes);
  /// Adds to the adjoint of a node; then walkBack once.
  void seed(uint32_t node, double adjoint);
  /// Hands each node's adjoint to its operands, from the last node to the first. What no adjoint reaches hands on
  /// nothing.
  void walkBack();
  /// 0 where nothing arrived.
  double adjoint(uint32_t node) const { return adjoints[node].value_or(0); }

private:
  struct Edge {
    uint32_t operand;
    Slope slope;
  };
  std::vector<std::vector<Edge>> edges = std::vector<std::vector<Edge>>(1);
  std::vector<std::optional<double>> adjoints = std::vector<std::optional<double>>(1);
};

} // namespace flexsn::reference
