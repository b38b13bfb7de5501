// Gradients by differences, to hold the tape's against: the model with its jumps taken out.
#pragma once

#include "tests/reference/Gradients.h"

namespace flexsn::reference {

struct Differences {
  Gradients gradients;
  /// The largest distance between the slopes to the right and to the left of a number of the call: small, but where a
  /// seam is within reach of a difference, or a value is not finite (then it is infinite).
  double bend = 0;
};

/// Central differences in float64 of the relaxed model at `call`. Every spike moves by its surrogate's primitive (or,
/// where the user gave none, the integral of the gradients that the text gives), quant by clip, a scaled gradient by
/// its factor; each of them starts from what the call itself gives there. What has no gradient keeps the value that it
/// has in the call: comparisons, whole parts, detached values, states where `truncate` cuts. So the relaxed model runs
/// through the call's own values, and its slopes there are what gradients() must give, also for spikes of 0 and 1.
/// `call.settings` must name every stored operand that is a float.
Differences centralDifferences(const Model &model, const NeuronCall &call, const Upstream &upstream);

} // namespace flexsn::reference
