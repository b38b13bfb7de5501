// Reads .npz files: zip archives of .npy arrays.
#pragma once

#include "tests/reference/Kernel.h"

#include <map>
#include <string>
#include <vector>

namespace flexsn::conformance {

/// An array as it is stored. `type` is NumPy's without the byte order: f2 f4 f8 i4 u2 b1.
struct StoredArray {
  std::string type;
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;

  /// The elements as cells; u2 holds the bits of bfloat16.
  reference::Array cells() const;
};

/// Every array of an archive by its name. Throws std::runtime_error with the file's name if it cannot be read.
std::map<std::string, StoredArray> readArchive(const std::string &path);

} // namespace flexsn::conformance
