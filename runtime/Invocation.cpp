#include "runtime/Invocation.h"

#include "runtime/FloatEnvironment.h"

#include <new>

namespace flexsn {

/// Kernels may use aligned vector accesses in the workspace.
static constexpr size_t workspaceAlignment = 64;

static std::byte *allocateAligned(size_t bytes) {
  if (bytes == 0)
    return nullptr;
  size_t rounded = (bytes + workspaceAlignment - 1) / workspaceAlignment * workspaceAlignment;
  void *memory = std::aligned_alloc(workspaceAlignment, rounded);
  if (!memory)
    throw std::bad_alloc();
  return static_cast<std::byte *>(memory);
}

/// The memory of one operand of the program, among those of the call.
static const CpuOperand *find(const KernelOperand &wanted, const Model &model, const std::vector<WantedOutput> &outputs,
                              const CallOperands &call) {
  switch (wanted.role) {
  case Role::Input:
    for (size_t i = 0; i < model.inputs.size(); ++i)
      if (model.inputs[i].value->name == wanted.name)
        return &call.inputs[i];
    return nullptr;
  case Role::Output:
    for (size_t i = 0; i < outputs.size(); ++i)
      if (outputs[i].name == wanted.name && outputs[i].storage == wanted.storage)
        return &call.outputs[i];
    return nullptr;
  case Role::Initial:
  case Role::Final: {
    bool initial = wanted.role == Role::Initial;
    for (size_t i = 0; i < model.states.size(); ++i)
      if (model.states[i].value->name == wanted.name && (initial ? call.initialGiven : call.finalGiven)[i])
        return &(initial ? call.initials : call.finals)[i];
    return nullptr;
  }
  case Role::Param: return nullptr;
  }
  return nullptr;
}

Invocation::Invocation(std::shared_ptr<const Program> compiled, const Model &model,
                       const std::vector<WantedOutput> &outputs, CallOperands call)
    : program(std::move(compiled)), steps(call.steps), neurons(call.neurons), invariants(program->invariantSlots),
      workspace(allocateAligned(program->workspaceBytes)) {
  for (const KernelOperand &wanted : program->operands) {
    const CpuOperand *operand = find(wanted, model, outputs, call);
    if (!operand)
      fail(FLEXSN_ERROR_INTERNAL, "the program of {} wants an unknown operand '{}' of {}", model.name, wanted.name,
           storageName(wanted.storage));
    operands.push_back(*operand);
  }
  numbers = std::move(call.numbers); // moving a vector keeps its elements where they are
  std::vector<uint64_t> params = parameterSlots(model, call.params, program->params);
  DefaultFloatEnvironment environment;
  program->prologue(params.data(), invariants.data());
}

void Invocation::run() noexcept {
  if (neurons == 0)
    return;
  DefaultFloatEnvironment environment;
  CpuCall call{operands.data(), invariants.data(), steps, 0, neurons, workspace.get()};
  program->kernel(&call);
}

} // namespace flexsn
