// One neuron's training step, by the book: the skeleton of docs/skeleton.md around the regions of both kernels.
#pragma once

#include "tests/compiler/KernelFunctions.h"
#include "tests/reference/Gradients.h"

namespace flexsn::testing {

/// The two kernels of one request, in the type Real.
template <class Real> class TrainingRun {
public:
  TrainingRun(const std::string &forwardText, const std::string &backwardText)
      : forward(forwardText), backward(backwardText) {}

  /// Gradients of what the kernels were asked for, with checkpoints every `every` steps in place of the plan's. Throws
  /// std::runtime_error where a recomputed state is not that of the forward, to the bit.
  reference::Gradients run(const reference::NeuronCall &call, const reference::Upstream &upstream,
                           std::optional<int> every = {});

  const KernelFunctions forward, backward;

private:
  struct Way;
};

extern template class TrainingRun<float>;
extern template class TrainingRun<double>;

} // namespace flexsn::testing
