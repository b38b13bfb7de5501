// Parameters with dims: tensors of stored values, and which of them each neuron and step reads.
#pragma once

#include "runtime/Parameters.h"
#include "runtime/Tensor.h"

#include <string>
#include <vector>

namespace flexsn {

/// The stored values of a parameter with dims.
struct ShapedValues {
  TensorView view;              ///< the caller's memory, or `memory`
  std::vector<uint64_t> memory; ///< of values that had to be transformed first
};

/// Reads the tensor that sets a parameter under one of its names; `label` stands for it in messages. Values are checked
/// as single ones are. Those of raw_NAME, and of a parameter without a transform, stay where they lie.
ShapedValues readShaped(const Param &param, const std::string &name, const DLTensor &tensor, Storage data,
                        std::string label);

/// The dimensions of a call's sequences, [T, batch, channel, ...], [T, N] or [T] (docs/language.md, rule 6).
struct DataShape {
  int64_t steps = 1;
  std::vector<int64_t> step;    ///< behind time
  std::vector<size_t> channels; ///< the dimension of a step that is the channel's; none where a step has none at all
  std::vector<size_t> neurons;  ///< those that tell the elements of a sample apart
  std::string words;            ///< "'x' of shape (4, 8)", for messages
};

/// Sorts the dimensions of sequences whose step has the shape `step`. `channelDim` counts those of a sequence,
/// backwards if it is negative; 0 leaves it to the rule. Throws for a dimension that is not there.
DataShape dataShape(int64_t steps, std::vector<int64_t> step, int32_t channelDim, std::string words);

/// `given` as if it had all dimensions of a sequence (without time where it does not vary by step): strides are 0 along
/// those that the parameter does not have. Throws where its shape is not that of its dims.
TensorView spreadOver(const DataShape &data, const Param &param, const TensorView &given);

} // namespace flexsn
