// The CPU's kernel of a program, and what it was told.
#pragma once

#include "runtime/CpuJit.h"
#include "tests/cuda/Both.h"

namespace flexsn::test {

class CpuRun {
public:
  /// With the text's parameters. `both` is prepared and outlives this.
  explicit CpuRun(const Both &both);
  /// From now on `other` runs, which is the kernel of the same program, compiled otherwise.
  void replaceKernel(CpuKernel other) { kernel = other; }

  void run(std::vector<PlacedOperand> &operands, const Arrangement &arrangement) const;
  /// The same of operands as the call has them. Returns the slots of the gradients of params, where there are such.
  std::vector<uint64_t> run(const std::vector<CpuOperand> &operands, const Arrangement &arrangement) const;

  std::vector<uint64_t> params, invariants; ///< invariants: the params' slots come first

private:
  const CpuProgram &program;
  std::shared_ptr<const CpuCode> code;
  CpuKernel kernel = nullptr;
  CpuEpilogue epilogue = nullptr;
};

/// An operand as a call of the CPU's kernel has it.
CpuOperand cpuOperand(PlacedOperand &placed);

} // namespace flexsn::test
