#include "tests/cuda/Both.h"

#include "tests/cuda/CpuRun.h"

#include "runtime/CudaAbi.h"

#include <fmt/format.h>

#include <stdexcept>

namespace flexsn::test {

std::string prepare(Both &both) {
  Diagnostics diagnostics(*both.model->source);
  if (compileForCpu(*both.model, both.request, diagnostics, both.cpu) &&
      emitCuda(*both.model, both.request, both.access, diagnostics, both.cuda))
    return {};
  for (const Diagnostic &found : diagnostics.sorted())
    if (found.severity == Severity::Error)
      return found.message;
  return "no words";
}

namespace {

/// Emitted text on the same operands.
class CudaRun {
public:
  CudaRun(const Both &both, const CompiledTexts &texts, size_t index, const CpuRun &cpu)
      : program(both.cuda), texts(texts), index(index), values(cpu.params) {
    if (program.prologueSymbol.empty())
      return;
    std::vector<uint64_t> made(program.invariantSlots, 0);
    std::vector<std::byte> argument = cudaPrologueArgument({made.data()}, uniforms(/*byAddress=*/false));
    checkBytes(argument.size(), texts.prologueArgumentBytes(index));
    texts.runPrologue(index, argument);
    values.insert(values.end(), made.begin(), made.end());
  }

  const std::vector<uint64_t> &uniformValues() const { return values; }

  void run(std::vector<PlacedOperand> &operands, const Arrangement &arrangement, bool backwards, bool byAddress) const {
    std::vector<CudaOperand> bound;
    for (PlacedOperand &placed : operands) {
      CudaOperand operand{placed.data(), placed.timeStride};
      std::copy_n(placed.strides, maxDims, operand.strides);
      if (placed.isScalar && !byAddress) { // an initial state given by its value
        operand = {nullptr, 0};
        std::memcpy(&operand.timeStride, placed.data(), storageBytes(placed.operand.storage));
      }
      bound.push_back(operand);
    }
    CudaCall call{arrangement.neurons(), arrangement.steps};
    call.setExtents(arrangement.extents);
    std::vector<std::byte> argument = cudaArgument(call, bound, uniforms(byAddress));
    checkBytes(argument.size(), texts.kernelArgumentBytes(index));
    int64_t block = int64_t{program.neurons} * program.threads;
    texts.runKernel(index, argument, static_cast<unsigned>((arrangement.neurons() + block - 1) / block),
                    program.threads, backwards);
  }

private:
  static void checkBytes(size_t given, size_t declared) {
    if (given != declared)
      throw std::runtime_error(fmt::format("the host's argument has {} bytes, the text's {}", given, declared));
  }

  std::vector<CudaUniform> uniforms(bool byAddress) const {
    std::vector<CudaUniform> list;
    for (const uint64_t &value : values)
      list.push_back(byAddress ? CudaUniform{&value, 0} : CudaUniform{nullptr, value});
    return list;
  }

  const CudaProgram &program;
  const CompiledTexts &texts;
  size_t index;
  std::vector<uint64_t> values; ///< params, then invariants
};

} // namespace

std::string runBoth(const Both &both, const CompiledTexts &texts, size_t index, const Arrangement &arrangement,
                    unsigned seed) {
  std::mt19937 random(seed);
  std::vector<PlacedOperand> expected;
  for (const KernelOperand &operand : both.cpu.operands)
    expected.push_back(placed(operand, arrangement, expected.size(), random));
  const std::vector<PlacedOperand> fresh = expected;
  CpuRun cpu(both);
  CudaRun cuda(both, texts, index, cpu);
  for (size_t i = 0; i < cpu.invariants.size(); ++i)
    if (cpu.invariants[i] != cuda.uniformValues()[i])
      return fmt::format("uniform {} is {:#x} on the CPU, {:#x} by CUDA's text", i, cpu.invariants[i],
                         cuda.uniformValues()[i]);
  cpu.run(expected, arrangement);
  for (bool backwards : {false, true}) {
    std::vector<PlacedOperand> found = fresh;
    cuda.run(found, arrangement, backwards, /*byAddress=*/backwards);
    for (size_t i = 0; i < found.size(); ++i)
      if (std::string words = difference(expected[i], found[i], arrangement);
          !words.empty() && found[i].operand.role != Role::Input && found[i].operand.role != Role::Initial)
        return fmt::format("{} with T = {}, N = {}{}", words, arrangement.steps, arrangement.neurons(),
                           backwards ? ", threads backwards" : "");
  }
  return {};
}

} // namespace flexsn::test
