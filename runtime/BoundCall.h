// The memory of one call as its program wants it.
#pragma once

#include "runtime/Operands.h"
#include "runtime/Program.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace flexsn {

/// Where the gradient of a parameter of one value goes.
struct ParamGradient {
  void *data;
  size_t bytes;
};

/// Operands in the program's order, and what else its kernel is told.
struct BoundCall {
  int64_t steps = 0, neurons = 0;
  int64_t extents[maxDims] = {1, 1, 1, 1, 1};      ///< of the iteration space; meaningful if it is strided
  int64_t paramExtents[maxDims] = {1, 1, 1, 1, 1}; ///< of that of params with dims
  std::vector<CpuOperand> operands;
  std::vector<uint64_t> params;                ///< slots of the prologue
  std::vector<uint64_t> numbers, paramNumbers; ///< initial states and params given as numbers; operands point here
  std::vector<ShapedValues> paramValues;       ///< and into this memory
  std::vector<ParamGradient> paramGradients;   ///< in the order of the slots that the epilogue writes
  /// Gradients of parameters with dims: operands[operand] is where the kernel writes what each neuron has of one.
  struct Shared {
    size_t operand;
    SharedElements elements;
  };
  std::vector<Shared> sharedGradients;
  std::optional<int64_t> streamingHead; ///< see Streaming.h
};

/// Orders the operands of a call as the program wants them. Throws where the memory for residuals is too small.
BoundCall boundCall(const Program &program, const Model &model, CallOperands call);

} // namespace flexsn
