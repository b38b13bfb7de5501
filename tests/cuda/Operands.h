// Operands of one call in memory that the test owns: laid out alike for both backends, filled with hard numbers.
#pragma once

#include "compiler/Compile.h"
#include "runtime/KernelAbi.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace flexsn::test {

/// The size of a call, and how its operands lie.
struct Arrangement {
  int64_t steps = 1;
  int64_t extents[maxDims] = {1, 1, 1, 1, 1}; ///< the last one innermost; linear: the neurons are in it alone
  Layout layout = Layout::Linear;
  bool denseInside = false; ///< strided: neighbours along the last dimension lie side by side, rows aligned for vectors

  int64_t neurons() const;
  /// Those of the space that params with dims lie in: linear, two dimensions where the number of neurons has factors.
  std::array<int64_t, maxDims> paramExtents() const;
};

/// One operand: its memory, and where neuron 0 of step 0 is in it. Bytes that belong to no element hold a pattern.
struct PlacedOperand {
  KernelOperand operand;
  std::vector<std::byte> memory;
  size_t origin = 0;
  int64_t timeStride = 0, strides[maxDims] = {}; ///< bytes
  bool isScalar = false;                         ///< one value for all neurons: an initial state, or [step]

  std::byte *data() { return memory.data() + origin; }
};

/// Whether a kernel reads the operand; it writes the others.
bool isRead(const KernelOperand &operand);

/// Lays out operand number `index`; sequences and params have all steps, states one. A param varies along one dimension
/// or along all, or by `stepAlone`. An output has the pattern everywhere, what is read has numbers of every kind: NaN,
/// infinities, zeros of both signs, subnormals, and ordinary ones.
PlacedOperand placed(const KernelOperand &operand, bool stepAlone, const Arrangement &arrangement, size_t index,
                     std::mt19937 &random);

/// Empty if both hold the same bits (any NaN equals any NaN) and nothing around them was touched; else what differs.
std::string difference(const PlacedOperand &expected, const PlacedOperand &found, const Arrangement &arrangement);

} // namespace flexsn::test
