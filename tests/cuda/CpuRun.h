// The CPU's kernel of a program, and what it was told.
#pragma once

#include "runtime/CpuJit.h"
#include "tests/cuda/Both.h"

namespace flexsn::test {

class CpuRun {
public:
  /// With the text's parameters. `both` is prepared and outlives this.
  explicit CpuRun(const Both &both);

  void run(std::vector<PlacedOperand> &operands, const Arrangement &arrangement) const;

  std::vector<uint64_t> params, invariants; ///< invariants: the params' slots come first

private:
  const CpuProgram &program;
  std::shared_ptr<const CpuCode> code;
  CpuKernel kernel = nullptr;
};

} // namespace flexsn::test
