#include "runtime/BoundCall.h"

#include <algorithm>

namespace flexsn {

/// The memory of one operand of the program, among those of the call.
static const CpuOperand *find(const KernelOperand &wanted, const Model &model, const std::vector<WantedOutput> &outputs,
                              const CallOperands &call) {
  if (wanted.role == Role::Input) {
    for (size_t i = 0; i < model.inputs.size(); ++i)
      if (model.inputs[i].value->name == wanted.name)
        return &call.inputs[i];
  } else if (wanted.role == Role::Output) {
    for (size_t i = 0; i < outputs.size(); ++i)
      if (outputs[i].name == wanted.name && outputs[i].storage == wanted.storage)
        return &call.outputs[i];
  } else if (wanted.role == Role::Initial || wanted.role == Role::Final) {
    bool initial = wanted.role == Role::Initial;
    for (size_t i = 0; i < model.states.size(); ++i)
      if (model.states[i].value->name == wanted.name && (initial ? call.initialGiven : call.finalGiven)[i])
        return &(initial ? call.initials : call.finals)[i];
  }
  return nullptr;
}

BoundCall boundCall(const Program &program, const Model &model, const std::vector<WantedOutput> &outputs,
                    CallOperands call) {
  BoundCall bound;
  bound.steps = call.steps;
  bound.neurons = call.neurons;
  bound.streamingHead = call.streamingHead;
  std::copy_n(call.extents, maxDims, bound.extents);
  for (const KernelOperand &wanted : program.operands) {
    const CpuOperand *operand = find(wanted, model, outputs, call);
    if (!operand)
      fail(FLEXSN_ERROR_INTERNAL, "the program of {} wants an unknown operand '{}' of {}", model.name, wanted.name,
           storageName(wanted.storage));
    bound.operands.push_back(*operand);
  }
  bound.numbers = std::move(call.numbers); // moving a vector keeps its elements where they are
  bound.params = parameterSlots(model, call.params, program.params);
  return bound;
}

} // namespace flexsn
