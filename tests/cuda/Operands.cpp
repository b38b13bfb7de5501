#include "tests/cuda/Operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

namespace flexsn::test {

static constexpr auto pattern = std::byte{0xa5};

int64_t Arrangement::neurons() const {
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  return count;
}

bool isRead(const KernelOperand &operand) {
  return operand.role == Role::Param || operand.role == Role::Input || operand.role == Role::Initial ||
         operand.role == Role::GradOutput || operand.role == Role::GradFinal;
}

std::array<int64_t, maxDims> Arrangement::paramExtents() const {
  std::array<int64_t, maxDims> sizes{};
  std::copy_n(extents, maxDims, sizes.begin());
  for (int64_t factor = 2; layout == Layout::Linear && factor * factor <= sizes[maxDims - 1]; ++factor)
    if (sizes[maxDims - 1] % factor == 0) {
      sizes[maxDims - 2] = sizes[maxDims - 1] / factor;
      sizes[maxDims - 1] = factor;
      break;
    }
  return sizes;
}

static bool hasSteps(const KernelOperand &operand) {
  return operand.role == Role::Param || operand.role == Role::Input || operand.role == Role::Output ||
         operand.role == Role::GradOutput || operand.role == Role::GradInput || operand.role == Role::GradParam;
}

static std::array<int64_t, maxDims> extentsOf(const KernelOperand &operand, const Arrangement &arrangement) {
  if (operand.role == Role::Param || operand.role == Role::GradParam)
    return arrangement.paramExtents();
  std::array<int64_t, maxDims> sizes{};
  std::copy_n(arrangement.extents, maxDims, sizes.begin());
  return sizes;
}

// ---- Places ---------------------------------------------------------------------------------------------------------

/// Strides in elements: dense, padded rows, or for other operands the dimensions in another order.
static void chooseStrides(PlacedOperand &placed, const Arrangement &arrangement, size_t index) {
  auto item = static_cast<int64_t>(storageBytes(placed.operand.storage));
  int order[maxDims] = {0, 1, 2, 3, 4};
  if (arrangement.layout == Layout::Strided)
    std::rotate(order, order + index % (arrangement.denseInside ? maxDims - 1 : maxDims),
                order + (arrangement.denseInside ? maxDims - 1 : maxDims));
  int64_t stride = 1;
  for (int i = maxDims - 1; i >= 0; --i) {
    placed.strides[order[i]] = stride * item;
    stride *= arrangement.extents[order[i]];
    if (arrangement.layout == Layout::Strided)
      stride += arrangement.denseInside ? 16 : 1 + static_cast<int64_t>(index % 3);
  }
  // Time lies outermost; steps of a strided call are padded too.
  placed.timeStride = (stride + (arrangement.layout == Layout::Strided ? 16 : 0)) * item;
}

/// Strides of a param: of the innermost dimension, of the one around it, or of all.
static void chooseParamStrides(PlacedOperand &placed, const Arrangement &arrangement, size_t index) {
  std::array<int64_t, maxDims> sizes = arrangement.paramExtents();
  int64_t stride = static_cast<int64_t>(storageBytes(placed.operand.storage));
  for (int d = maxDims - 1; d >= 0; --d) {
    bool varies = !placed.isScalar && (index % 3 == 2 || d == maxDims - 1 - static_cast<int>(index % 3));
    placed.strides[d] = varies ? stride : 0;
    stride *= varies ? sizes[d] : 1;
  }
  placed.timeStride = stride;
}

/// Calls `visit` with the offset of every element from the origin.
static void forEachElement(const PlacedOperand &placed, const Arrangement &arrangement,
                           const std::function<void(int64_t)> &visit) {
  std::array<int64_t, maxDims> sizes = extentsOf(placed.operand, arrangement);
  int64_t steps = hasSteps(placed.operand) ? arrangement.steps : 1;
  int64_t neurons = placed.isScalar ? 1 : arrangement.neurons();
  for (int64_t t = 0; t < steps; ++t)
    for (int64_t n = 0; n < neurons; ++n) {
      int64_t offset = t * placed.timeStride, rest = n;
      for (int d = maxDims - 1; d >= 0; --d) {
        offset += rest % sizes[d] * placed.strides[d];
        rest /= sizes[d];
      }
      visit(offset);
    }
}

// ---- Numbers --------------------------------------------------------------------------------------------------------

/// A float of a random kind; its bits are cut down to the storage afterwards.
static double hardNumber(std::mt19937 &random) {
  static const double special[] = {std::numeric_limits<double>::quiet_NaN(),
                                   std::numeric_limits<double>::infinity(),
                                   -std::numeric_limits<double>::infinity(),
                                   0.0,
                                   -0.0,
                                   1e-41,
                                   -3e-8,
                                   1e30,
                                   65519.0,
                                   1.0};
  if (random() % 16 == 0)
    return special[random() % std::size(special)];
  return (static_cast<double>(random()) / 0x1p31 - 0.5) * 3;
}

template <class T> static void put(std::byte *at, T value) { std::memcpy(at, &value, sizeof value); }

static void fill(std::byte *at, Storage storage, std::mt19937 &random) {
  double number = hardNumber(random);
  switch (storage) {
  case Storage::F16:
  case Storage::BF16: // any bits are a number; a third of them in a range where neurons live
    put(at, static_cast<uint16_t>(random() % 3 == 0 ? random()
                                                    : (storage == Storage::F16 ? 0x3800 : 0x3f00) + random() % 0x400));
    break;
  case Storage::F32: put(at, static_cast<float>(number)); break;
  case Storage::F64: put(at, number); break;
  case Storage::I32: put(at, static_cast<int32_t>(random() % 8 == 0 ? random() : random() % 7)); break;
  case Storage::I8:
  case Storage::Bool: put(at, static_cast<uint8_t>(random() % 3 == 0 ? random() : 0)); break;
  }
}

PlacedOperand placed(const KernelOperand &operand, bool stepAlone, const Arrangement &arrangement, size_t index,
                     std::mt19937 &random) {
  PlacedOperand placed{operand, {}, 0, 0, {}, stepAlone || (operand.role == Role::Initial && index % 3 == 2)};
  if (operand.role == Role::Param || operand.role == Role::GradParam)
    chooseParamStrides(placed, arrangement, index);
  else if (!placed.isScalar)
    chooseStrides(placed, arrangement, index);
  int64_t last = 0;
  forEachElement(placed, arrangement, [&](int64_t offset) { last = std::max(last, offset); });
  constexpr size_t margin = 64; // a multiple of every access
  placed.memory.assign(static_cast<size_t>(last) + 2 * margin, pattern);
  placed.origin = margin;
  if (isRead(operand))
    forEachElement(placed, arrangement, [&](int64_t offset) { fill(placed.data() + offset, operand.storage, random); });
  return placed;
}

// ---- Comparison -----------------------------------------------------------------------------------------------------

static uint64_t bitsAt(const std::byte *at, size_t bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, bytes);
  return bits;
}

static bool isNan(uint64_t bits, Storage storage) {
  switch (storage) {
  case Storage::F16: return (bits & 0x7fff) > 0x7c00;
  case Storage::BF16: return (bits & 0x7fff) > 0x7f80;
  case Storage::F32: return (bits & 0x7fffffff) > 0x7f800000;
  case Storage::F64: return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
  default: return false;
  }
}

std::string difference(const PlacedOperand &expected, const PlacedOperand &found, const Arrangement &arrangement) {
  Storage storage = expected.operand.storage;
  size_t item = storageBytes(storage), differences = 0, element = 0;
  std::string first;
  std::vector<std::byte> around = found.memory;
  forEachElement(expected, arrangement, [&](int64_t offset) {
    size_t at = expected.origin + static_cast<size_t>(offset);
    uint64_t wanted = bitsAt(expected.memory.data() + at, item), got = bitsAt(found.memory.data() + at, item);
    if (wanted != got && !(isNan(wanted, storage) && isNan(got, storage)) && differences++ == 0)
      first = fmt::format("'{}' ({}) differs at element {}: {:#x} on the CPU, {:#x} by CUDA's text",
                          expected.operand.name, storageName(storage), element, wanted, got);
    std::fill_n(around.begin() + static_cast<ptrdiff_t>(at), item, pattern);
    ++element;
  });
  if (differences != 0)
    return fmt::format("{}; {} of {} elements differ", first, differences, element);
  if (std::any_of(around.begin(), around.end(), [](std::byte each) { return each != pattern; }))
    return fmt::format("bytes around '{}' were written", expected.operand.name);
  return {};
}

} // namespace flexsn::test
