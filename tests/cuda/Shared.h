// Gradients of parameters with dims in tests of both backends: memory for what neurons have, and what adds it up.
#pragma once

#include "runtime/CudaAbi.h"
#include "runtime/CudaShares.h"
#include "tests/cuda/Both.h"

#include <functional>
#include <span>
#include <vector>

namespace flexsn::test {

/// One of them among the operands of a program.
struct SharedOperand {
  size_t operand;
  SharedElements elements;
  bool perStep;
};

/// Of a program's `operands` those that are such gradients, as `places` of the gradients say.
std::vector<SharedOperand> sharedOperands(const Model &model, const std::vector<KernelOperand> &operands,
                                          const std::vector<CpuOperand> &places, const Arrangement &arrangement);
/// The same of CUDA's operands.
std::vector<SharedOperand> sharedOperands(const Model &model, const std::vector<KernelOperand> &operands,
                                          const std::vector<CudaOperand> &places, const Arrangement &arrangement);

/// Runs the CPU's `kernel` on operands with rows or memory in place of the gradients, then adds up.
void runShared(std::vector<CpuOperand> operands, const std::vector<SharedOperand> &shared, int64_t neurons,
               const std::function<void(const std::vector<CpuOperand> &)> &kernel);

/// Launches a kernel by its symbol on an argument.
using Launch = std::function<void(const std::string &symbol, int64_t blocks, unsigned threads,
                                  std::span<const std::byte> argument)>;

/// What is launched behind a backward kernel of CUDA's; `allocate` gives memory that lives as long.
class SharedLaunches {
public:
  using Allocate = std::function<void *(size_t bytes)>;
  /// Puts the operands of the kernel in place of the gradients.
  SharedLaunches(const CudaProgram &program, const std::vector<SharedOperand> &shared,
                 std::vector<CudaOperand> &operands, const Allocate &allocate);
  void run(const Launch &launch) const;

private:
  const CudaProgram &program;
  std::vector<CudaShares> shares;
};

} // namespace flexsn::test
