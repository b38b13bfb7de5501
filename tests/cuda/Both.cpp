#include "tests/cuda/Both.h"

#include "tests/cuda/CpuRun.h"
#include "tests/cuda/CudaRun.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

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

bool isOfStepAlone(const Model &model, const KernelOperand &operand) {
  auto isIt = [&](const Param &param) {
    return param.operandName() == operand.name && param.dims == std::vector{Dim::Step};
  };
  bool isOfParam = operand.role == Role::Param || operand.role == Role::GradParam;
  return isOfParam && std::ranges::any_of(model.params, isIt);
}

std::string runBoth(const Both &both, const CompiledTexts &texts, size_t index, const Arrangement &arrangement,
                    unsigned seed) {
  std::mt19937 random(seed);
  std::vector<PlacedOperand> expected;
  for (const KernelOperand &operand : both.cpu.operands)
    expected.push_back(placed(operand, isOfStepAlone(*both.model, operand), arrangement, expected.size(), random));
  const std::vector<PlacedOperand> fresh = expected;
  CpuRun cpu(both);
  CudaRun cuda(both.cuda, texts, index, cpu.params);
  for (size_t i = 0; i < cpu.invariants.size(); ++i)
    if (cpu.invariants[i] != cuda.uniformValues()[i])
      return fmt::format("uniform {} is {:#x} on the CPU, {:#x} by CUDA's text", i, cpu.invariants[i],
                         cuda.uniformValues()[i]);
  cpu.run(expected, arrangement);
  for (bool backwards : {false, true}) {
    std::vector<PlacedOperand> found = fresh;
    std::vector<CudaOperand> bound;
    for (PlacedOperand &operand : found)
      bound.push_back(cudaOperand(operand, /*byAddress=*/backwards));
    cuda.run(std::move(bound), arrangement, backwards, /*byAddress=*/backwards);
    for (size_t i = 0; i < found.size(); ++i)
      if (std::string words = difference(expected[i], found[i], arrangement);
          !words.empty() && !isRead(found[i].operand))
        return fmt::format("{} with T = {}, N = {}{}", words, arrangement.steps, arrangement.neurons(),
                           backwards ? ", threads backwards" : "");
  }
  return {};
}

} // namespace flexsn::test
