// Random models and their calls, as the test runs them through kernels and as record.py runs them through PyTorch.
#pragma once

#include "tests/training/Batches.h"

#include <memory>
#include <string>
#include <vector>

namespace flexsn::test {

constexpr uint64_t pytorchModels = 200; ///< seeds 1 to this

struct PyTorchProgram {
  std::shared_ptr<const Model> model;
  std::string text;                   ///< of the model
  bool given = false;                 ///< initial states
  std::vector<TrainingBatch> batches; ///< of one step, and of more than a chunk
  /// `TYPES` and those of operands that are no floats, the function, then `CALL` and a line of JSON for each batch,
  /// numbers as hex.
  std::string python;
  uint64_t hash = 0; ///< of `python`: what is recorded is of the very same program
};

PyTorchProgram pytorchProgram(uint64_t seed);

} // namespace flexsn::test
