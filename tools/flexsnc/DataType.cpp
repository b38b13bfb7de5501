#include "tools/flexsnc/DataType.h"

#include <algorithm>
#include <iterator>

namespace flexsn::cli {

static constexpr DataType dataTypes[] = {
    {"f32", flexsn::DType::f32, Element::F32},
    {"f64", flexsn::DType::f64, Element::F64},
    {"f16", flexsn::DType::f16, Element::F16},
    {"bf16", flexsn::DType::bf16, Element::BF16},
};

const DataType &dataTypeNamed(std::string_view name) {
  return *std::find_if(std::begin(dataTypes), std::end(dataTypes),
                       [&](const DataType &type) { return type.name == name; });
}

const DataType &dataTypeOf(Element element) {
  return *std::find_if(std::begin(dataTypes), std::end(dataTypes),
                       [&](const DataType &type) { return type.element == element; });
}

} // namespace flexsn::cli
