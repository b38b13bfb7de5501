#include "tests/gpu/GpuProgram.h"

namespace flexsn::test {

GpuProgram::GpuProgram(const CudaCode &code, std::span<const uint64_t> params)
    : program(code.program), loaded(code.code), values(params.begin(), params.end()),
      valuesOnDevice(sizeof(uint64_t) * (params.size() + program.invariantSlots + 1)) {
  if (!program.prologueSymbol.empty()) {
    values.resize(params.size() + program.invariantSlots);
    Buffer made(sizeof(uint64_t) * program.invariantSlots);
    std::vector<CudaUniform> given = uniforms(/*byAddress=*/false);
    given.resize(params.size());
    if (given.empty())
      given.push_back({nullptr, 0}); // the text declares at least one
    std::vector<std::byte> argument = cudaPrologueArgument({made.data()}, given);
    loaded.launch(program.prologueSymbol, 1, 32, argument);
    made.read(std::as_writable_bytes(std::span(values).subspan(params.size())));
  }
  valuesOnDevice.write(std::as_bytes(std::span(values)));
}

std::vector<CudaUniform> GpuProgram::uniforms(bool byAddress) const {
  std::vector<CudaUniform> list;
  for (size_t i = 0; i < values.size(); ++i)
    list.push_back(byAddress ? CudaUniform{static_cast<const uint64_t *>(valuesOnDevice.data()) + i, 0}
                             : CudaUniform{nullptr, values[i]});
  return list;
}

void GpuProgram::launch(const CudaCall &call, std::span<const CudaOperand> operands, bool byAddress) const {
  std::vector<std::byte> argument = cudaArgument(call, operands, uniforms(byAddress));
  int64_t block = int64_t{program.neurons} * program.threads;
  loaded.launch(program.kernelSymbol, static_cast<unsigned>((call.neurons + block - 1) / block), program.threads,
                argument);
}

} // namespace flexsn::test
