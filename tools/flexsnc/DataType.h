// The types of floating data that --dtype names.
#pragma once

#include "tools/flexsnc/Array.h"

#include <flexsn/flexsn.hpp>

#include <string_view>

namespace flexsn::cli {

/// One type by each of its names.
struct DataType {
  std::string_view name; ///< "f32"
  flexsn::DType dtype;
  Element element;
};

/// By the word of --dtype, which is one of its values.
const DataType &dataTypeNamed(std::string_view name);
/// By the element of floating inputs and outputs.
const DataType &dataTypeOf(Element element);

} // namespace flexsn::cli
