// The gradients of one call of a training step.
#pragma once

#include "runtime/CallTensors.h"
#include "runtime/SharedGradient.h"

#include <cstddef>
#include <string>
#include <vector>

namespace flexsn {

/// The gradient of a parameter with dims.
struct PlacedGradient {
  KernelOperand operand;
  SharedElements elements;
};

struct GradientOperands {
  GradientNames names;
  std::vector<TensorView> params;     ///< backward: where those of names.params go
  std::vector<PlacedGradient> shared; ///< of these, those with dims
  void *residual = nullptr;
  size_t residualBytes = 0;
};

/// Reads the gradients of a forward or backward call; the backward one's tensors are added to `tensors`. Throws a
/// Failure that names the operand, what it got and what it needs. `outputs` are the neuron's.
GradientOperands readGradients(const Model &model, const std::vector<WantedOutput> &outputs, Storage data,
                               KernelKind kernel, const flexsn_gradients &given, CallTensors &tensors);

/// The same by name alone. Throws for names that have no gradient.
GradientNames gradientNames(const Model &model, const std::vector<std::string> &wanted);

/// What is differentiated by where nobody says: inputs, given initial states, learnable parameters.
std::vector<std::string> usualGradients(const Model &model, const std::vector<bool> &initialGiven);

} // namespace flexsn
