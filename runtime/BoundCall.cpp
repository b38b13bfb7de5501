#include "runtime/BoundCall.h"

#include "runtime/Residuals.h"

#include <algorithm>

namespace flexsn {

/// The gradients of parameters, in the order of the slots that the epilogue writes.
static std::vector<ParamGradient> paramGradients(const Program &program, const GradientOperands &gradients) {
  std::vector<ParamGradient> places;
  for (const KernelOperand &wanted : program.gradParams) {
    const std::vector<std::string> &names = gradients.names.params;
    auto at = std::find(names.begin(), names.end(), wanted.name) - names.begin();
    if (static_cast<size_t>(at) >= gradients.params.size())
      fail(FLEXSN_ERROR_INTERNAL, "the program makes an unknown gradient of '{}'", wanted.name);
    places.push_back({gradients.params[static_cast<size_t>(at)].data, storageBytes(wanted.storage)});
  }
  return places;
}

/// The checkpoints of a training step, in the memory that the caller has for them.
static std::vector<CpuOperand> checkpoints(const Program &program, const Model &model, const CallOperands &call) {
  const GradientOperands &gradients = call.gradients;
  size_t needed = residualBytes(program, call.steps, call.neurons);
  if (gradients.residualBytes < needed || (needed != 0 && !gradients.residual))
    fail(FLEXSN_ERROR_VALUE, "{}: the residual of {} steps of {} neurons has {} bytes, but needs {}", model.name,
         call.steps, call.neurons, gradients.residual ? gradients.residualBytes : 0, needed);
  return checkpointOperands(program, gradients.residual, call.neurons);
}

/// Adds the operand of a gradient of a parameter with dims, which has no place yet.
static void addShared(BoundCall &bound, const GradientOperands &gradients, const KernelOperand &wanted) {
  auto at = std::find_if(gradients.shared.begin(), gradients.shared.end(),
                         [&](const PlacedGradient &placed) { return placed.operand == wanted; });
  if (at == gradients.shared.end())
    fail(FLEXSN_ERROR_INTERNAL, "the program makes an unknown gradient of '{}'", wanted.name);
  bound.sharedGradients.push_back({bound.operands.size(), at->elements});
  bound.operands.push_back({});
}

BoundCall boundCall(const Program &program, const Model &model, CallOperands call) {
  BoundCall bound;
  bound.steps = call.steps;
  bound.neurons = call.neurons;
  bound.streamingHead = call.streamingHead;
  std::copy_n(call.extents, maxDims, bound.extents);
  std::copy_n(call.paramExtents, maxDims, bound.paramExtents);
  std::vector<CpuOperand> saved = checkpoints(program, model, call);
  auto nextSaved = saved.begin();
  for (const KernelOperand &wanted : program.operands) {
    if (wanted.role == Role::GradParam) {
      addShared(bound, call.gradients, wanted);
      continue;
    }
    const CpuOperand *operand = wanted.role == Role::Checkpoint ? &*nextSaved++ : call.find(wanted);
    if (!operand)
      fail(FLEXSN_ERROR_INTERNAL, "the program of {} wants an unknown operand '{}' of {}", model.name, wanted.name,
           storageName(wanted.storage));
    bound.operands.push_back(*operand);
  }
  bound.numbers = std::move(call.numbers); // moving a vector keeps its elements where they are
  bound.paramNumbers = std::move(call.paramNumbers);
  bound.paramValues = std::move(call.paramValues);
  bound.params = parameterSlots(model, call.params, program.params);
  bound.paramGradients = paramGradients(program, call.gradients);
  return bound;
}

} // namespace flexsn
