#include "tests/gpu/GpuProgram.h"

#include "runtime/CudaReduction.h"

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
    std::vector<std::byte> argument = cudaOnceArgument(CudaPrologueCall{made.data()}, given);
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

std::vector<uint64_t> GpuProgram::launchBackward(const CudaCall &call, std::vector<CudaOperand> operands,
                                                 bool byAddress, const std::vector<SharedOperand> &shared) const {
  std::vector<Buffer> rows;
  SharedLaunches launches(program, shared, operands, [&](size_t bytes) { return rows.emplace_back(bytes + 1).data(); });
  int64_t block = int64_t{program.neurons} * program.threads, blocks = (call.neurons + block - 1) / block;
  size_t item = storageBytes(program.sumStorage);
  Buffer memory(cudaReductionBytes(program.sums, item, blocks) + 1);
  CudaReduction reduction = cudaReduction(memory.data(), program.sums, item, blocks);
  if (program.sums != 0)
    operands.push_back({memory.data(), reduction.partialStride});
  launch(call, operands, byAddress);
  if (program.sums != 0)
    for (const CudaReduction::Launch &next : reduction.launches) {
      std::vector<std::byte> argument(sizeof next.call);
      std::memcpy(argument.data(), &next.call, sizeof next.call);
      loaded.launch(program.reduceSymbol, static_cast<unsigned>(next.blocks), cudaReduceThreads, argument);
    }
  launches.run([&](const std::string &symbol, int64_t count, unsigned threads, std::span<const std::byte> argument) {
    std::vector<std::byte> bytes(argument.begin(), argument.end());
    loaded.launch(symbol, static_cast<unsigned>(count), threads, bytes);
  });
  std::vector<uint64_t> slots(program.gradParams.size());
  if (program.epilogueSymbol.empty())
    return slots;
  Buffer gradients(std::as_bytes(std::span(slots)));
  std::vector<CudaUniform> params = uniforms(byAddress);
  params.resize(program.params.size());
  std::vector<std::byte> argument = cudaOnceArgument(CudaEpilogueCall{reduction.totals, gradients.data()}, params);
  loaded.launch(program.epilogueSymbol, 1, 32, argument);
  gradients.read(std::as_writable_bytes(std::span(slots)));
  return slots;
}

} // namespace flexsn::test
