// One model's kernel on dense operands on the GPU, for timing and for counting instructions.
#pragma once

#include "tests/gpu/Gpu.h"
#include "tests/gpu/GpuProgram.h"

#include <memory>

namespace flexsn::test {

/// What is measured.
struct BenchCase {
  std::string model; ///< a shipped one
  Storage data;
  int64_t steps, neurons;
  double tau = 0; ///< 0: the text's
  KernelKind kernel = KernelKind::Inference;
};

class Bench {
public:
  /// Compiles, puts random inputs on the device and loads the program. An odd number of neurons takes single accesses,
  /// as a host would choose.
  Bench(const GpuOptions &options, const Device &device, const BenchCase &wanted);

  /// One launch; does not wait.
  void launch() const { program->launch(call, operands, /*byAddress=*/false); }

  size_t bytes() const { return moved; } ///< of all sequences and checkpoints
  const CudaCode &compiled() const { return code; }
  AccessPath accessPath() const { return access; }

private:
  void bind(const BenchCase &wanted);

  AccessPath access = AccessPath::Vector;
  CudaCode code;
  size_t moved = 0;
  CudaCall call{};
  std::vector<Buffer> buffers;
  std::vector<CudaOperand> operands;
  std::unique_ptr<GpuProgram> program;
};

} // namespace flexsn::test
