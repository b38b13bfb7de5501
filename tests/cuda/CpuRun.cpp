#include "tests/cuda/CpuRun.h"

#include "runtime/Parameters.h"

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
}

void CpuRun::run(std::vector<PlacedOperand> &operands, const Arrangement &arrangement) const {
  std::vector<CpuOperand> bound;
  for (PlacedOperand &placed : operands) {
    CpuOperand operand{placed.data(), placed.timeStride, placed.strides[maxDims - 1]};
    std::copy_n(placed.strides, maxDims, operand.strides);
    bound.push_back(operand);
  }
  std::unique_ptr<void, decltype(&std::free)> workspace(
      std::aligned_alloc(64, (program.workspaceBytes + 63) / 64 * 64 + 64), &std::free);
  CpuCall call{bound.data(), invariants.data(), arrangement.steps, 0, arrangement.neurons(), workspace.get()};
  std::copy_n(arrangement.extents, maxDims, call.extents);
  kernel(&call);
}

} // namespace flexsn::test
