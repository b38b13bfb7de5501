// A training step whose kernels are counted.
#pragma once

#include "tests/cuda/Training.h"
#include "tests/traffic/Counter.h"

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace flexsn::test {

/// What one kernel moved.
struct Moved {
  std::map<std::pair<Role, std::string>, Traffic> operands;
  Traffic checkpoints;
  unsigned every = 0; ///< steps between checkpoints

  /// Bytes of all operands together, but for checkpoints and parameters; what is read again is counted once.
  uint64_t bytes() const;
  /// Bytes that were read again, or written again.
  uint64_t again() const;
};

/// Forward and backward.
using MovedByBoth = std::pair<Moved, Moved>;

/// Runs the LLVM IR of the CPU's kernels, as the code generator gets it, in one arrangement. `training` is prepared;
/// `folder` is this call's alone.
MovedByBoth countCpu(const Training &training, const Arrangement &arrangement, const std::string &folder);
/// Runs the emitted CUDA C++.
MovedByBoth countCuda(const Training &training, const Arrangement &arrangement, const std::string &folder);

} // namespace flexsn::test
