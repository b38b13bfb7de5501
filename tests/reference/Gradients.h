// The oracle of gradients: reverse mode over the checked model, one neuron, all steps of a call on one tape.
#pragma once

#include "tests/reference/Interpreter.h"

#include <map>
#include <string>
#include <vector>

namespace flexsn::reference {

/// Numbers by the name of an input, output, state or parameter.
using Numbers = std::map<std::string, double, std::less<>>;
/// The same with one number a step.
using Sequences = std::map<std::string, std::vector<double>, std::less<>>;

/// One neuron's call.
struct NeuronCall {
  size_t steps = 1;
  Settings settings;
  Sequences inputs;            ///< every input
  Numbers initialStates;       ///< every state, or none: the declared values
  Sequences stepSettings = {}; ///< parameters that vary by step, in place of `settings`
};

/// The settings of one step.
Settings settingsAt(const NeuronCall &call, size_t t);

/// What flows back into a call; nothing flows into what is not named.
struct Upstream {
  Sequences outputs; ///< of any name of the step
  Numbers finalStates;
};

/// What comes out of it: of every input, state and parameter that is a float.
struct Gradients {
  Sequences inputs;
  Numbers initialStates;     ///< only where they were given; else `params` have what they depend on
  Numbers params;            ///< of stored operands, by Param::operandName()
  Sequences stepParams = {}; ///< those of NeuronCall::stepSettings
};

/// Gradients of sum(upstream * outputs) + sum(upstream * final states). The values of the run are strict float32 (Real
/// = float) or float64; slopes and adjoints are double, so that what a float32 kernel is away from them is its own
/// rounding. The model must be one that notCovered() accepts.
template <class Real> Gradients gradients(const Model &model, const NeuronCall &call, const Upstream &upstream);

} // namespace flexsn::reference
