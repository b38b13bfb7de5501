// A compiled program on the GPU, and its launches.
#pragma once

#include "runtime/CudaAbi.h"
#include "runtime/CudaCode.h"
#include "tests/cuda/Shared.h"
#include "tests/gpu/Device.h"

#include <span>
#include <vector>

namespace flexsn::test {

class GpuProgram {
public:
  /// Loads the code and runs its prologue on the parameters' slots.
  GpuProgram(const CudaCode &code, std::span<const uint64_t> params);

  /// The values that the kernel gets: parameters, then what the prologue made of them.
  const std::vector<uint64_t> &uniformValues() const { return values; }
  const Module &module() const { return loaded; }

  /// One launch; does not wait. `byAddress`: the kernel reads uniforms from device memory.
  void launch(const CudaCall &call, std::span<const CudaOperand> operands, bool byAddress) const;

  /// The same of a backward kernel, then what makes its sums gradients of params: returns their slots.
  std::vector<uint64_t> launchBackward(const CudaCall &call, std::vector<CudaOperand> operands, bool byAddress,
                                       const std::vector<SharedOperand> &shared = {}) const;

private:
  std::vector<CudaUniform> uniforms(bool byAddress) const;

  const CudaProgram &program;
  Module loaded;
  std::vector<uint64_t> values;
  Buffer valuesOnDevice;
};

} // namespace flexsn::test
