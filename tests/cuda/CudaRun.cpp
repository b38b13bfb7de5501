#include "tests/cuda/CudaRun.h"

#include "runtime/CudaReduction.h"

#include <fmt/format.h>

#include <stdexcept>

namespace flexsn::test {

static void checkBytes(size_t given, size_t declared) {
  if (given != declared)
    throw std::runtime_error(fmt::format("the host's argument has {} bytes, the text's {}", given, declared));
}

CudaRun::CudaRun(const CudaProgram &program, const CompiledTexts &texts, size_t index,
                 const std::vector<uint64_t> &params)
    : program(program), texts(texts), index(index), values(params) {
  if (program.prologueSymbol.empty())
    return;
  std::vector<uint64_t> made(program.invariantSlots, 0);
  std::vector<std::byte> argument = cudaOnceArgument(CudaPrologueCall{made.data()}, uniforms(/*byAddress=*/false));
  checkBytes(argument.size(), texts.argumentBytes("prologue", index));
  texts.run("prologue", index, argument, 1, 32);
  values.insert(values.end(), made.begin(), made.end());
}

std::vector<CudaUniform> CudaRun::uniforms(bool byAddress) const {
  std::vector<CudaUniform> list;
  for (const uint64_t &value : values)
    list.push_back(byAddress ? CudaUniform{&value, 0} : CudaUniform{nullptr, value});
  return list;
}

std::vector<uint64_t> CudaRun::run(std::vector<CudaOperand> operands, const Arrangement &arrangement, bool backwards,
                                   bool byAddress, const std::vector<SharedOperand> &shared) const {
  std::vector<std::unique_ptr<std::byte[]>> rows;
  SharedLaunches launches(program, shared, operands, [&](size_t bytes) {
    rows.push_back(std::make_unique<std::byte[]>(bytes + 1));
    std::fill_n(rows.back().get(), bytes, std::byte{0xff}); // NaN: what is read before it is written shows
    return static_cast<void *>(rows.back().get());
  });
  int64_t block = int64_t{program.neurons} * program.threads, blocks = (arrangement.neurons() + block - 1) / block;
  size_t item = storageBytes(program.sumStorage);
  std::vector<uint64_t> memory(cudaReductionBytes(program.sums, item, blocks) / 8, 0xa5a5a5a5a5a5a5a5);
  CudaReduction reduction = cudaReduction(memory.data(), program.sums, item, blocks);
  if (program.sums != 0)
    operands.push_back({memory.data(), reduction.partialStride});
  CudaCall call{arrangement.neurons(), arrangement.steps};
  call.space.setExtents(arrangement.extents);
  call.paramSpace.setExtents(arrangement.paramExtents());
  std::vector<std::byte> argument = cudaArgument(call, operands, uniforms(byAddress));
  checkBytes(argument.size(), texts.argumentBytes("kernel", index));
  texts.run("kernel", index, argument, static_cast<unsigned>(blocks), program.threads, backwards);
  if (program.sums != 0)
    for (const CudaReduction::Launch &launch : reduction.launches) {
      std::vector<std::byte> bytes(sizeof launch.call);
      std::memcpy(bytes.data(), &launch.call, sizeof launch.call);
      checkBytes(bytes.size(), texts.argumentBytes("reduce", index));
      texts.run("reduce", index, bytes, static_cast<unsigned>(launch.blocks), cudaReduceThreads, backwards);
    }
  launches.run([&](const std::string &symbol, int64_t count, unsigned threads, std::span<const std::byte> bytes) {
    std::string kernel = symbol == program.gatherSymbol ? "gather" : "share";
    checkBytes(bytes.size(), texts.argumentBytes(kernel, index));
    texts.run(kernel, index, bytes, static_cast<unsigned>(count), threads, backwards);
  });
  return gradients(reduction.totals);
}

std::vector<uint64_t> CudaRun::gradients(const void *totals) const {
  std::vector<uint64_t> slots(program.gradParams.size(), 0);
  if (program.epilogueSymbol.empty())
    return slots;
  std::vector<CudaUniform> params = uniforms(/*byAddress=*/false);
  params.resize(program.params.size());
  std::vector<std::byte> argument = cudaOnceArgument(CudaEpilogueCall{totals, slots.data()}, params);
  checkBytes(argument.size(), texts.argumentBytes("epilogue", index));
  texts.run("epilogue", index, argument, 1, 32);
  return slots;
}

CudaOperand cudaOperand(PlacedOperand &placed, bool byAddress) {
  CudaOperand operand{placed.data(), placed.timeStride};
  std::copy_n(placed.strides, maxDims, operand.strides);
  if (placed.isScalar && placed.operand.role == Role::Initial && !byAddress) {
    operand = {nullptr, 0};
    std::memcpy(&operand.timeStride, placed.data(), storageBytes(placed.operand.storage));
  }
  return operand;
}

} // namespace flexsn::test
