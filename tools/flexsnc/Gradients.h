// The backward pass of `flexsnc run`.
#pragma once

#include "tools/flexsnc/RunData.h"

#include <string>
#include <vector>

namespace flexsn::cli {

/// --grad-output, --grad-final, --save-grad and --wrt, with the defaults of --wrt. `request` has the initial states.
/// Usage errors: unknown names, gradients without anything that flows back, or the other way round.
GradientRequest parseGradients(const Arguments &arguments, const flexsn::Model &model, const RunRequest &request);

/// Runs a training step, forward and backward, on the arrays of the run. The gradients are in the order of
/// GradientRequest::wanted, each of the shape of what it belongs to. What is wrong with an array is said by the
/// library, in terms of the model.
NamedArrays runGradients(const flexsn::Model &model, flexsn::Options options, const RunRequest &request, RunData &data);

} // namespace flexsn::cli
