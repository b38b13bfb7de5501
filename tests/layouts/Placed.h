// Arrays in memory as layouts have them, among bytes that nobody may touch.
#pragma once

#include <flexsn/flexsn.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace flexsn::test {

using Sizes = std::vector<int64_t>;

/// Where the elements of an array of some shape lie: strides in elements, and bytes that shift the whole.
struct Placement {
  Sizes strides;
  int64_t shift = 0;
};

/// A way to lay out the operands of a call. Operands are counted from 0, inputs first; sequences have time in front.
struct LayoutKind {
  std::string name;
  bool repeats = false; ///< the inputs are the same for all indexes of the dimension behind time
  Placement (*place)(const Sizes &shape, bool sequence, bool input, size_t operand);
};

/// Dense, transposed, channels-last, time innermost, every second element, backwards, misaligned, expanded, and each
/// operand in another one of these.
const std::vector<LayoutKind> &layoutKinds();

/// Number of elements.
int64_t countOf(const Sizes &shape);
/// Strides of the dense array, last dimension innermost.
Sizes denseStrides(const Sizes &shape);

/// One array. Elements are given and read in row-major order, whatever their place.
class PlacedArray {
public:
  PlacedArray(DLDataType type, Sizes shape, Placement placement);

  void fill(const std::vector<uint8_t> &dense);
  std::vector<uint8_t> dense() const;
  /// Whether all bytes that belong to no element are as they were.
  bool surroundingsIntact() const;
  Tensor tensor();

private:
  size_t item() const { return static_cast<size_t>(type.bits) / 8; }
  size_t placeOf(int64_t element) const;

  DLDataType type;
  Sizes shape, strides;
  std::vector<uint8_t> memory;
  size_t origin;
};

} // namespace flexsn::test
