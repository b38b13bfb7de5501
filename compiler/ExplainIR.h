// The facts of `explain` from the IR, each at the stage that still has it.
#pragma once

#include "compiler/Explain.h"
#include "dialects/Neuron/Neuron.h"
#include "dialects/Scan/Scan.h"

namespace flexsn {

/// After `contract`: which states a spike reaches within its step, and whether a gradient would flow along.
void explainResets(neuron::ModelOp model, const Source &source, Explanation &explanation);

/// After `schedule`: operands, loops, and what is computed how often.
void explainKernel(scan::KernelOp kernel, const Source &source, Explanation &explanation);

} // namespace flexsn
