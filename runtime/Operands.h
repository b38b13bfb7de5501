// The operands of one call: read, compared with the model and with each other, before anything compiles or runs.
#pragma once

#include "runtime/KernelAbi.h"
#include "runtime/Layout.h"
#include "runtime/Parameters.h"
#include "runtime/Request.h"

#include <optional>
#include <vector>

namespace flexsn {

/// A call that may run. Operands are in the kernel's terms.
struct CallOperands {
  int64_t steps = 0, neurons = 0;
  Layout layout = Layout::Linear;
  int64_t extents[maxDims];                   ///< of the iteration space; meaningful if it is strided
  std::vector<CpuOperand> inputs, outputs;    ///< in declared order; in the order of the wanted outputs
  std::vector<bool> initialGiven, finalGiven; ///< per state of the model
  std::vector<CpuOperand> initials, finals;   ///< per state; meaningful where given
  std::vector<uint64_t> numbers;              ///< per state: memory for initial states given as numbers
  std::vector<double> params;                 ///< stored values, in declared order
  std::optional<int64_t> streamingHead;       ///< see Streaming.h
};

/// What the operands are compared with.
struct CallShape {
  const Model &model;
  const std::vector<WantedOutput> &outputs; ///< empty for the final-state kernel
  Storage data;
};

/// Reads a call. Throws a Failure that names the operand, what it got and what it needs.
CallOperands readCall(const CallShape &needs, const flexsn_call &call);

/// A call that would compute nothing.
[[noreturn]] void failNothingWanted(const Model &model);

} // namespace flexsn
