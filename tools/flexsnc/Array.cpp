#include "tools/flexsnc/Array.h"

#include "tools/flexsnc/Failure.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <new>

#include <unistd.h>

namespace flexsn::cli {

size_t elementBytes(Element element) {
  switch (element) {
  case Element::F64: return 8;
  case Element::F32:
  case Element::I32: return 4;
  case Element::F16:
  case Element::BF16: return 2;
  case Element::I8:
  case Element::U8:
  case Element::Bool: return 1;
  }
  return 0;
}

std::string_view elementName(Element element) {
  switch (element) {
  case Element::F16: return "f2";
  case Element::BF16: return "bf16";
  case Element::F32: return "f4";
  case Element::F64: return "f8";
  case Element::I8: return "i1";
  case Element::U8: return "u1";
  case Element::I32: return "i4";
  case Element::Bool: return "b1";
  }
  return "";
}

bool isFloat(Element element) {
  return element == Element::F16 || element == Element::BF16 || element == Element::F32 || element == Element::F64;
}

int64_t Array::size() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

std::vector<int64_t> Array::strides() const {
  std::vector<int64_t> strides(shape.size());
  int64_t dense = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    size_t d = fortranOrder ? i : shape.size() - 1 - i;
    strides[d] = dense;
    dense *= shape[d];
  }
  return strides;
}

double Array::at(int64_t index) const {
  if (!fortranOrder)
    return stored(index);
  int64_t place = 0;
  std::vector<int64_t> step = strides();
  for (size_t d = shape.size(); d-- > 0; index /= shape[d])
    place += index % shape[d] * step[d];
  return stored(place);
}

// ---- Values ---------------------------------------------------------------------------------------------------------

/// A 16-bit float: bits of the fraction, and the exponent of its smallest normal number.
struct Sixteen {
  int fraction, lowest;
  int infinity() const { return ((1 << (15 - fraction)) - 1) << fraction; }
};
static constexpr Sixteen half{10, -14}, brain{7, -126};

static double widened(const Sixteen &format, uint16_t bits) {
  int magnitude = bits & 0x7fff;
  int fraction = magnitude & ((1 << format.fraction) - 1), exponent = magnitude >> format.fraction;
  double value = magnitude > format.infinity()    ? std::numeric_limits<double>::quiet_NaN()
                 : magnitude == format.infinity() ? INFINITY
                 : exponent == 0
                     ? std::ldexp(fraction, format.lowest - format.fraction)
                     : std::ldexp((1 << format.fraction) + fraction, exponent - 1 + format.lowest - format.fraction);
  return std::copysign(value, bits & 0x8000 ? -1 : 1);
}

/// Rounded to nearest, ties to even.
static uint16_t narrowed(const Sixteen &format, double value) {
  int sign = std::signbit(value) ? 0x8000 : 0;
  double magnitude = std::fabs(value);
  if (std::isnan(value))
    return static_cast<uint16_t>(sign | format.infinity() | 1 << (format.fraction - 1));
  if (std::isinf(value))
    return static_cast<uint16_t>(sign | format.infinity());
  int exponent = magnitude == 0 ? format.lowest : std::max(std::ilogb(magnitude), format.lowest);
  auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, format.fraction - exponent)));
  // A leading 1 among the units counts as one more in the exponent: subnormals have neither.
  int bits = ((exponent - format.lowest) << format.fraction) + units;
  return static_cast<uint16_t>(sign | std::min(bits, format.infinity()));
}

template <class T> static T load(const Array &array, int64_t place) {
  T value;
  std::memcpy(&value, array.bytes.data() + static_cast<size_t>(place) * sizeof(T), sizeof(T));
  return value;
}

double Array::stored(int64_t place) const {
  switch (element) {
  case Element::F16: return widened(half, load<uint16_t>(*this, place));
  case Element::BF16: return widened(brain, load<uint16_t>(*this, place));
  case Element::F32: return load<float>(*this, place);
  case Element::F64: return load<double>(*this, place);
  case Element::I8: return load<int8_t>(*this, place);
  case Element::I32: return load<int32_t>(*this, place);
  case Element::U8:
  case Element::Bool: return load<uint8_t>(*this, place);
  }
  return 0;
}

bool arrayBytes(Element element, const std::vector<int64_t> &shape, uint64_t &bytes) {
  // Zeros do not excuse the other dimensions: strides are products of them.
  constexpr uint64_t limit = uint64_t(1) << 62;
  uint64_t product = elementBytes(element);
  bool empty = false;
  for (int64_t extent : shape) {
    if (extent < 0)
      return false;
    empty |= extent == 0;
    if (extent > 0 && static_cast<uint64_t>(extent) > limit / product)
      return false;
    product *= extent > 0 ? static_cast<uint64_t>(extent) : 1;
  }
  bytes = empty ? 0 : product;
  return true;
}

uint64_t physicalMemory() {
  return static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

Array makeArray(Element element, std::vector<int64_t> shape, bool fortranOrder) {
  Array array{element, std::move(shape), {}, fortranOrder};
  // Asked before it is touched: an overcommitting system would end the process in the middle of the work.
  uint64_t bytes = 0;
  if (!arrayBytes(element, array.shape, bytes) || bytes > physicalMemory())
    failWrong(fmt::format("an array of shape {} and type {} is larger than this machine's memory",
                          shapeText(array.shape), elementName(element)));
  try {
    array.bytes.resize(bytes);
  } catch (const std::bad_alloc &) {
    throw Failure(ExitStatus::Failed, fmt::format("out of memory for an array of shape {} and type {}, which takes {}",
                                                  shapeText(array.shape), elementName(element), bytesText(bytes)));
  }
  return array;
}

template <class T> static void store(Array &array, int64_t index, double value) {
  T typed = static_cast<T>(value);
  std::memcpy(array.bytes.data() + static_cast<size_t>(index) * sizeof(T), &typed, sizeof(T));
}

/// The largest interval of values of an integer type.
static std::pair<double, double> bounds(Element element) {
  switch (element) {
  case Element::I8: return {-128, 127};
  case Element::U8: return {0, 255};
  case Element::I32: return {-2147483648.0, 2147483647.0};
  default: return {0, 1}; // Bool
  }
}

Array converted(const Array &array, Element element, std::string_view name) {
  if (array.element == element)
    return array;
  Array result = makeArray(element, array.shape, array.fortranOrder);
  for (int64_t i = 0, count = array.size(); i < count; ++i) {
    double value = array.stored(i);
    if (!isFloat(element)) {
      auto [low, high] = bounds(element);
      bool fits = value >= low && value <= high && value == std::trunc(value); // NaN does not
      if (!fits)
        failWrong(
            fmt::format("{} must hold whole numbers from {} to {}, but element {} is {}", name, low, high, i, value));
    }
    switch (element) {
    case Element::F16: store<uint16_t>(result, i, narrowed(half, value)); break;
    case Element::BF16: store<uint16_t>(result, i, narrowed(brain, value)); break;
    case Element::F32: store<float>(result, i, value); break;
    case Element::F64: store<double>(result, i, value); break;
    case Element::I32: store<int32_t>(result, i, value); break;
    case Element::I8: store<int8_t>(result, i, value); break;
    default: store<uint8_t>(result, i, value);
    }
  }
  return result;
}

Array forFile(Array array) { return array.element == Element::BF16 ? converted(array, Element::F32, "") : array; }

} // namespace flexsn::cli
