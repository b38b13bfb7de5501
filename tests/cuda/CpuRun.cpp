#include "tests/cuda/CpuRun.h"

#include "runtime/Parameters.h"
#include "runtime/Reduction.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <stdexcept>

namespace flexsn::test {

CpuRun::CpuRun(const Both &both) : program(both.cpu) {
  std::string error;
  code = CpuCode::load(program.object, error);
  if (!code)
    throw std::runtime_error(error);
  std::vector<double> stored = storedParameters(*both.model, {}, both.request.data);
  params = parameterSlots(*both.model, stored, program.params);
  invariants.resize(program.invariantSlots);
  code->function<CpuPrologue>(program.prologueSymbol, error)(params.data(), invariants.data());
  kernel = code->function<CpuKernel>(program.kernelSymbol, error);
  if (!program.epilogueSymbol.empty())
    epilogue = code->function<CpuEpilogue>(program.epilogueSymbol, error);
}

CpuOperand cpuOperand(PlacedOperand &placed) {
  CpuOperand operand{placed.data(), placed.timeStride, placed.strides[maxDims - 1]};
  std::copy_n(placed.strides, maxDims, operand.strides);
  return operand;
}

void CpuRun::run(std::vector<PlacedOperand> &operands, const Arrangement &arrangement) const {
  std::vector<CpuOperand> bound;
  for (PlacedOperand &placed : operands)
    bound.push_back(cpuOperand(placed));
  run(bound, arrangement);
}

std::vector<uint64_t> CpuRun::run(const std::vector<CpuOperand> &operands, const Arrangement &arrangement) const {
  std::unique_ptr<void, decltype(&std::free)> workspace(
      std::aligned_alloc(64, (program.workspaceBytes + 63) / 64 * 64 + 64), &std::free);
  CpuCall call{operands.data(), invariants.data(), arrangement.steps, 0, arrangement.neurons(), workspace.get()};
  std::copy_n(arrangement.extents, maxDims, call.extents);
  std::copy_n(arrangement.paramExtents().begin(), maxDims, call.paramExtents);
  auto groups = static_cast<size_t>((arrangement.neurons() + sumGroup - 1) / sumGroup);
  std::vector<uint64_t> partials(program.sums * groups), sums, gradients(program.gradParams.size());
  call.partials = partials.data();
  call.partialStride = static_cast<int64_t>(groups * sizeof(uint64_t));
  kernel(&call);
  for (unsigned i = 0; i < program.sums; ++i)
    sums.push_back(sumByTree(partials.data() + i * groups, groups, program.sumStorage));
  if (epilogue)
    epilogue(params.data(), sums.data(), gradients.data());
  return gradients;
}

} // namespace flexsn::test
