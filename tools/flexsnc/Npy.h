// NumPy's .npy format, versions 1.0, 2.0 and 3.0.
#pragma once

#include "tools/flexsnc/Array.h"
#include "tools/flexsnc/File.h"

#include <string>
#include <string_view>

namespace flexsn::cli {

/// What the header of a .npy file declares.
struct NpyHeader {
  Element element = Element::F32;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
};

/// Reads the dictionary of a header: exactly the keys descr, fortran_order and shape, in any order. Failures name
/// `name` and say what was expected.
NpyHeader parseNpyHeader(std::string_view dictionary, const std::string &name);

/// Reads one array. Nothing that the header claims is believed before the bytes are there: memory grows with what was
/// read. Data stays in the file's order.
Array readNpy(const ReadBytes &read, const std::string &name);

/// The array in the file `path`, or on standard input for `-`.
Array readNpyFile(const std::string &path);

/// The bytes of a version 1.0 file, as numpy.save writes them. The array's elements are of a type that .npy has.
std::string npyBytes(const Array &array);

} // namespace flexsn::cli
