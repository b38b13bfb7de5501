// The arrays of a run.
#pragma once

#include "tools/flexsnc/RunRequest.h"

namespace flexsn::cli {

struct RunData {
  Element element = Element::F32; ///< of floating inputs and outputs: F32, F64, F16 or BF16
  std::vector<Array> inputs;      ///< in declared order, [T, ...]
  NamedArrays stateArrays, paramArrays;
  NamedArrays outputGradients, finalGradients; ///< what flows back
  int64_t steps = 0;
  std::vector<int64_t> shape; ///< of one step
};

/// What is computed in, and states are stored in, for floating data of that type: 16-bit data is computed in float32.
Element computedAs(Element element);

/// How a part of that type is stored, where floats have the type `element`.
Element elementOf(flexsn::Type type, Element element);

/// As tensors call the type.
DLDataType dataType(Element element);

/// Reads or makes every input and initial state and brings it into the type that the model needs. Without --dtype the
/// arrays of floats decide, which must agree. Shapes are left to the library to compare.
RunData loadRunData(const RunRequest &request, const flexsn::Model &model, Console &console);

} // namespace flexsn::cli
