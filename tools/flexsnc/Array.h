// A dense array in memory, as it stands in a .npy file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flexsn::cli {

/// Types of elements that flexsnc reads and writes; little-endian. Bool is one byte, 0 or 1. No file holds bfloat16.
enum class Element : uint8_t { F16, BF16, F32, F64, I8, U8, I32, Bool };

size_t elementBytes(Element element);
std::string_view elementName(Element element); ///< NumPy's short name: "f4", "b1"; "bf16"
bool isFloat(Element element);

/// Dense elements, as they lie in the file: in C order (the last dimension is contiguous) or in Fortran order (the
/// first one is). Dimension 0 is time.
struct Array {
  Element element = Element::F32;
  std::vector<int64_t> shape;
  std::vector<char> bytes;
  bool fortranOrder = false;

  /// Number of elements; 1 for an array without dimensions.
  int64_t size() const;
  /// In elements, one per dimension.
  std::vector<int64_t> strides() const;
  /// Element `index` counted in C order, as a double (exact for every type).
  double at(int64_t index) const;
  /// The one that lies `place` elements behind the first.
  double stored(int64_t place) const;
};

/// Arrays by the names of what they hold the values of.
using NamedArrays = std::vector<std::pair<std::string, Array>>;

/// Bytes of memory that this machine has.
uint64_t physicalMemory();

/// An array of zeros; a failure if it exceeds the machine's memory.
Array makeArray(Element element, std::vector<int64_t> shape, bool fortranOrder = false);

/// Bytes of an array of that shape. False if a dimension is negative or the product exceeds 2^62.
bool arrayBytes(Element element, const std::vector<int64_t> &shape, uint64_t &bytes);

/// The same values in another type, in the same order. Between floats: rounded once, to nearest even. To an integer or
/// bool every value must be representable exactly; `name` says whose values they are in the failure.
Array converted(const Array &array, Element element, std::string_view name);

/// The array as a file can hold it: bfloat16 as float32, which has its values exactly.
Array forFile(Array array);

} // namespace flexsn::cli
