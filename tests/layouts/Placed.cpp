#include "tests/layouts/Placed.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace flexsn::test {
namespace {

constexpr uint8_t untouched = 0xa5;
constexpr size_t guard = 192; // longer than the widest vector, and then some

/// A dense array whose dimensions lie in the given order, outermost first.
Sizes inOrder(const Sizes &shape, const std::vector<size_t> &order) {
  Sizes strides(shape.size());
  int64_t dense = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = dense;
    dense *= shape[order[i]];
  }
  return strides;
}

std::vector<size_t> identity(const Sizes &shape) {
  std::vector<size_t> order(shape.size());
  std::iota(order.begin(), order.end(), size_t{0});
  return order;
}

Placement dense(const Sizes &shape, bool, bool, size_t) { return {denseStrides(shape)}; }

Placement transposed(const Sizes &shape, bool sequence, bool, size_t) {
  std::vector<size_t> order = identity(shape);
  std::reverse(order.begin() + sequence, order.end());
  return {inOrder(shape, order)};
}

/// [T, B, C, ...] with C innermost.
Placement channelsLast(const Sizes &shape, bool sequence, bool, size_t) {
  std::vector<size_t> order = identity(shape);
  if (order.size() > size_t{1} + sequence)
    std::rotate(order.begin() + 1 + sequence, order.begin() + 2 + sequence, order.end());
  return {inOrder(shape, order)};
}

Placement timeInnermost(const Sizes &shape, bool sequence, bool, size_t) {
  std::vector<size_t> order = identity(shape);
  std::rotate(order.begin(), order.begin() + sequence, order.end());
  return {inOrder(shape, order)};
}

Placement everySecond(const Sizes &shape, bool, bool, size_t) {
  Sizes wide = shape;
  wide.back() *= 2;
  Sizes strides = denseStrides(wide);
  strides.back() = 2;
  return {strides};
}

Placement backwards(const Sizes &shape, bool sequence, bool, size_t) {
  Sizes strides = denseStrides(shape);
  for (size_t d = sequence; d < strides.size(); ++d)
    strides[d] = -strides[d];
  return {strides};
}

Placement misaligned(const Sizes &shape, bool, bool, size_t operand) {
  return {denseStrides(shape), static_cast<int64_t>(1 + operand % 3)};
}

Placement expanded(const Sizes &shape, bool sequence, bool input, size_t) {
  Sizes strides = denseStrides(shape);
  if (input)
    strides[sequence] = 0;
  return {strides};
}

Placement different(const Sizes &shape, bool sequence, bool input, size_t operand) {
  constexpr Placement (*kinds[])(const Sizes &, bool, bool, size_t) = {
      channelsLast, dense, timeInnermost, transposed, everySecond, backwards, misaligned};
  return kinds[operand % std::size(kinds)](shape, sequence, input, operand);
}

} // namespace

const std::vector<LayoutKind> &layoutKinds() {
  static const std::vector<LayoutKind> kinds = {
      {"dense", false, dense},
      {"transposed", false, transposed},
      {"channels last", false, channelsLast},
      {"time innermost", false, timeInnermost},
      {"every second element", false, everySecond},
      {"backwards", false, backwards},
      {"misaligned", false, misaligned},
      {"expanded", true, expanded},
      {"different", false, different},
  };
  return kinds;
}

int64_t countOf(const Sizes &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

Sizes denseStrides(const Sizes &shape) { return inOrder(shape, identity(shape)); }

PlacedArray::PlacedArray(DLDataType type, Sizes shape, Placement placement)
    : type(type), shape(std::move(shape)), strides(std::move(placement.strides)) {
  int64_t low = 0, high = 0;
  for (size_t d = 0; d < this->shape.size(); ++d)
    (strides[d] < 0 ? low : high) += strides[d] * (this->shape[d] - 1);
  memory.assign(static_cast<size_t>(high - low + 1) * item() + 2 * guard, untouched);
  origin = static_cast<size_t>(static_cast<int64_t>(guard) + placement.shift - low * static_cast<int64_t>(item()));
}

size_t PlacedArray::placeOf(int64_t element) const {
  int64_t place = 0;
  for (size_t d = shape.size(); d-- > 0; element /= shape[d])
    place += element % shape[d] * strides[d];
  return static_cast<size_t>(static_cast<int64_t>(origin) + place * static_cast<int64_t>(item()));
}

void PlacedArray::fill(const std::vector<uint8_t> &dense) {
  for (int64_t i = 0; i < countOf(shape); ++i)
    std::memcpy(memory.data() + placeOf(i), dense.data() + static_cast<size_t>(i) * item(), item());
}

std::vector<uint8_t> PlacedArray::dense() const {
  std::vector<uint8_t> result(static_cast<size_t>(countOf(shape)) * item());
  for (int64_t i = 0; i < countOf(shape); ++i)
    std::memcpy(result.data() + static_cast<size_t>(i) * item(), memory.data() + placeOf(i), item());
  return result;
}

bool PlacedArray::surroundingsIntact() const {
  std::vector<uint8_t> rest = memory;
  for (int64_t i = 0; i < countOf(shape); ++i)
    std::fill_n(rest.begin() + static_cast<ptrdiff_t>(placeOf(i)), item(), untouched);
  return std::all_of(rest.begin(), rest.end(), [](uint8_t byte) { return byte == untouched; });
}

Tensor PlacedArray::tensor() { return {memory.data() + origin, type, Shape(shape), strides}; }

} // namespace flexsn::test
