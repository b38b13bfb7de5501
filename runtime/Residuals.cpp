#include "runtime/Residuals.h"

#include "runtime/Error.h"

namespace flexsn {

/// Bytes of one neuron's checkpointed states.
static int64_t neuronBytes(const Program &program) {
  int64_t bytes = 0;
  for (const KernelOperand &operand : program.operands)
    if (operand.role == Role::Checkpoint)
      bytes += static_cast<int64_t>(storageBytes(operand.storage));
  return bytes;
}

size_t residualBytes(const Program &program, int64_t steps, int64_t neurons) {
  int64_t checkpoints = program.every == 0 || steps == 0 ? 0 : (steps - 1) / program.every;
  int64_t bytes = 0;
  if (__builtin_mul_overflow(checkpoints, neurons, &bytes) ||
      __builtin_mul_overflow(bytes, neuronBytes(program), &bytes))
    fail(FLEXSN_ERROR_MEMORY, "the checkpoints of {} steps of {} neurons are larger than any memory", steps, neurons);
  return static_cast<size_t>(bytes);
}

std::vector<CpuOperand> checkpointOperands(const Program &program, void *residuals, int64_t neurons) {
  std::vector<CpuOperand> operands;
  auto *at = static_cast<std::byte *>(residuals);
  for (const KernelOperand &operand : program.operands)
    if (operand.role == Role::Checkpoint) {
      auto item = static_cast<int64_t>(storageBytes(operand.storage));
      operands.push_back({at, neuronBytes(program) * neurons, item});
      at += item * neurons; // with no residuals nothing is accessed there
    }
  return operands;
}

} // namespace flexsn
