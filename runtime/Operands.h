// The operands of one call: read, compared with the model and with each other, before anything compiles or runs.
#pragma once

#include "runtime/GradientOperands.h"
#include "runtime/KernelAbi.h"
#include "runtime/Layout.h"
#include "runtime/ShapedParameters.h"

#include <optional>
#include <vector>

namespace flexsn {

/// An operand where the kernel looks for it.
struct PlacedOperand {
  KernelOperand operand;
  CpuOperand place;
};

/// A call that may run. Operands are in the kernel's terms.
struct CallOperands {
  int64_t steps = 0, neurons = 0;
  Layout layout = Layout::Linear;
  int64_t extents[maxDims];                   ///< of the iteration space; meaningful if it is strided
  std::vector<PlacedOperand> operands;        ///< sequences, states and parameters with dims
  std::vector<bool> initialGiven, finalGiven; ///< per state of the model
  std::vector<uint64_t> numbers;              ///< per state: memory for initial states given as numbers
  std::vector<double> params;                 ///< stored values, in declared order
  int64_t paramExtents[maxDims];              ///< of the iteration space of parameters with dims, if there are any
  std::vector<uint64_t> paramNumbers;         ///< per parameter: memory for one with dims that is one number
  std::vector<ShapedValues> paramValues;      ///< keeps the memory of transformed values
  GradientOperands gradients;                 ///< of a training step
  std::optional<int64_t> streamingHead;       ///< see Streaming.h

  /// Null if the call has no such operand.
  const CpuOperand *find(const KernelOperand &operand) const;
};

/// What the operands are compared with.
struct CallShape {
  const Model &model;
  const std::vector<WantedOutput> &outputs; ///< the neuron's; the final-state kernel writes none
  Storage data;
  KernelKind kernel = KernelKind::Inference;
  bool mayLackOutputs = false; ///< as long as inputs say how large the call is
};

/// Reads a call. Throws a Failure that names the operand, what it got and what it needs.
CallOperands readCall(const CallShape &needs, const flexsn_call &call);

/// A call that would compute nothing.
[[noreturn]] void failNothingWanted(const Model &model);

} // namespace flexsn
