// Emitted text, compiled for the CPU, on given operands.
#pragma once

#include "runtime/CudaAbi.h"
#include "tests/cuda/Operands.h"
#include "tests/cuda/Programs.h"
#include "tests/cuda/Shared.h"

#include <vector>

namespace flexsn::test {

class CudaRun {
public:
  /// Program number `index` of `texts`. `params` are the slots of the model's parameters.
  CudaRun(const CudaProgram &program, const CompiledTexts &texts, size_t index, const std::vector<uint64_t> &params);

  /// Params, then invariants.
  const std::vector<uint64_t> &uniformValues() const { return values; }

  /// Runs the kernel; with `backwards` the last thread comes first, with `byAddress` uniforms are read from memory.
  /// Returns the slots of the gradients of params, where there are such.
  std::vector<uint64_t> run(std::vector<CudaOperand> operands, const Arrangement &arrangement, bool backwards,
                            bool byAddress, const std::vector<SharedOperand> &shared = {}) const;

private:
  std::vector<CudaUniform> uniforms(bool byAddress) const;
  std::vector<uint64_t> gradients(const void *totals) const;

  const CudaProgram &program;
  const CompiledTexts &texts;
  size_t index;
  std::vector<uint64_t> values; ///< params, then invariants
};

/// An operand as a call of emitted text has it; an initial state that is one value for all as that value, unless
/// `byAddress`.
CudaOperand cudaOperand(PlacedOperand &placed, bool byAddress);

} // namespace flexsn::test
