#include "tools/flexsnc/Array.h"

#include "tools/flexsnc/Failure.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

#include <unistd.h>

namespace flexsn::cli {

size_t elementBytes(Element element) {
  switch (element) {
  case Element::F64: return 8;
  case Element::F32:
  case Element::I32: return 4;
  case Element::F16: return 2;
  case Element::I8:
  case Element::U8:
  case Element::Bool: return 1;
  }
  return 0;
}

std::string_view elementName(Element element) {
  switch (element) {
  case Element::F16: return "f2";
  case Element::F32: return "f4";
  case Element::F64: return "f8";
  case Element::I8: return "i1";
  case Element::U8: return "u1";
  case Element::I32: return "i4";
  case Element::Bool: return "b1";
  }
  return "";
}

bool isFloat(Element element) { return element == Element::F16 || element == Element::F32 || element == Element::F64; }

int64_t Array::size() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

/// IEEE binary16 to double, exactly.
static double halfToDouble(uint16_t bits) {
  int exponent = (bits >> 10) & 31;
  int fraction = bits & 1023;
  double magnitude = exponent == 31  ? (fraction ? std::numeric_limits<double>::quiet_NaN() : INFINITY)
                     : exponent == 0 ? std::ldexp(fraction, -24)
                                     : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

template <class T> static T load(const Array &array, int64_t index) {
  T value;
  std::memcpy(&value, array.bytes.data() + static_cast<size_t>(index) * sizeof(T), sizeof(T));
  return value;
}

double Array::at(int64_t index) const {
  switch (element) {
  case Element::F16: return halfToDouble(load<uint16_t>(*this, index));
  case Element::F32: return load<float>(*this, index);
  case Element::F64: return load<double>(*this, index);
  case Element::I8: return load<int8_t>(*this, index);
  case Element::I32: return load<int32_t>(*this, index);
  case Element::U8:
  case Element::Bool: return load<uint8_t>(*this, index);
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

Array makeArray(Element element, std::vector<int64_t> shape) {
  Array array{element, std::move(shape), {}};
  // Asked before it is touched: an overcommitting system would end the process in the middle of the work.
  uint64_t bytes = 0;
  if (!arrayBytes(element, array.shape, bytes) || bytes > physicalMemory())
    failWrong(fmt::format("an array of shape {} and type {} is larger than this machine's memory",
                          shapeText(array.shape), elementName(element)));
  array.bytes.resize(bytes);
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
  if (element == Element::F16)
    failWrong("float16 results come with the CUDA backend");
  Array result = makeArray(element, array.shape);
  for (int64_t i = 0, count = array.size(); i < count; ++i) {
    double value = array.at(i);
    if (!isFloat(element)) {
      auto [low, high] = bounds(element);
      bool fits = value >= low && value <= high && value == std::trunc(value); // NaN does not
      if (!fits)
        failWrong(
            fmt::format("{} must hold whole numbers from {} to {}, but element {} is {}", name, low, high, i, value));
    }
    switch (element) {
    case Element::F32: store<float>(result, i, value); break;
    case Element::F64: store<double>(result, i, value); break;
    case Element::I32: store<int32_t>(result, i, value); break;
    case Element::I8: store<int8_t>(result, i, value); break;
    default: store<uint8_t>(result, i, value);
    }
  }
  return result;
}

} // namespace flexsn::cli
