// What the forward kernel of a training step leaves for the backward one: states in front of every K-th step.
#pragma once

#include "runtime/Program.h"

#include <cstdint>
#include <vector>

namespace flexsn {

/// Bytes of the checkpoints of a call: [chunk][state][neuron], none in front of the first step. 0 where a program needs
/// none. Throws where no memory could hold them. Equal for the two programs of a training step.
size_t residualBytes(const Program &program, int64_t steps, int64_t neurons);

/// The program's operands of role checkpoint, in its order, in memory of `residualBytes`, which may begin anywhere.
std::vector<CpuOperand> checkpointOperands(const Program &program, void *residuals, int64_t neurons);

} // namespace flexsn
