#include "tests/cuda/Shared.h"

#include <algorithm>
#include <cstring>

namespace flexsn::test {

static bool variesByStep(const Model &model, const KernelOperand &operand) {
  return std::ranges::any_of(model.params, [&](const Param &param) {
    return param.operandName() == operand.name && param.dims.front() == Dim::Step;
  });
}

template <class Operand>
static std::vector<SharedOperand> findShared(const Model &model, const std::vector<KernelOperand> &operands,
                                             const std::vector<Operand> &places, const Arrangement &arrangement) {
  std::vector<SharedOperand> shared;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].role != Role::GradParam)
      continue;
    bool perStep = variesByStep(model, operands[i]);
    CpuOperand place{places[i].data, perStep ? places[i].timeStride : 0, 0};
    std::copy_n(places[i].strides, maxDims, place.strides);
    int64_t extents[maxDims];
    std::ranges::copy(arrangement.paramExtents(), extents);
    shared.push_back(
        {i, SharedElements::of(place, extents, perStep ? arrangement.steps : 1, operands[i].storage), perStep});
  }
  return shared;
}

std::vector<SharedOperand> sharedOperands(const Model &model, const std::vector<KernelOperand> &operands,
                                          const std::vector<CpuOperand> &places, const Arrangement &arrangement) {
  return findShared(model, operands, places, arrangement);
}

std::vector<SharedOperand> sharedOperands(const Model &model, const std::vector<KernelOperand> &operands,
                                          const std::vector<CudaOperand> &places, const Arrangement &arrangement) {
  return findShared(model, operands, places, arrangement);
}

void runShared(std::vector<CpuOperand> operands, const std::vector<SharedOperand> &shared, int64_t neurons,
               const std::function<void(const std::vector<CpuOperand> &)> &kernel) {
  std::vector<SharedGradient> gradients;
  std::vector<std::vector<char>> rows;
  for (const SharedOperand &each : shared) {
    SharedGradient &gradient = gradients.emplace_back(each.elements, /*seats=*/1);
    std::vector<char> &memory = rows.emplace_back(gradient.rowBytes(neurons));
    auto item = static_cast<int64_t>(storageBytes(each.elements.storage));
    operands[each.operand] = gradient.hasRows() ? CpuOperand{memory.data(), neurons * item, 0} : gradient.place();
  }
  kernel(operands);
  for (size_t i = 0; i < gradients.size(); ++i) {
    if (gradients[i].hasRows())
      gradients[i].addRange(rows[i].data(), neurons, 0, neurons);
    for (unsigned slice = gradients[i].slices(); slice-- > 0;)
      gradients[i].addSlice(0, slice);
    gradients[i].finish();
  }
}

SharedLaunches::SharedLaunches(const CudaProgram &program, const std::vector<SharedOperand> &shared,
                               std::vector<CudaOperand> &operands, const Allocate &allocate)
    : program(program) {
  for (const SharedOperand &each : shared) {
    CudaShares &made = shares.emplace_back(each.elements, each.perStep, program.neurons);
    made.place(allocate(made.bytes()));
    operands[each.operand] = made.operand();
  }
}

template <class Call> static std::span<const std::byte> bytesOf(const Call &call) {
  return std::as_bytes(std::span(&call, 1));
}

void SharedLaunches::run(const Launch &launch) const {
  for (const CudaShares &each : shares) {
    for (const CudaGatherCall &call : each.gathers())
      launch(program.gatherSymbol, CudaShares::blocks(call), cudaShareThreads, bytesOf(call));
    for (const CudaShareCall &call : each.shares())
      launch(program.shareSymbol, CudaShares::blocks(call), cudaShareThreads, bytesOf(call));
  }
}

} // namespace flexsn::test
