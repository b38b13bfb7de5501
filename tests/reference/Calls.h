// Calls for comparing gradients: drawn at random, and their results held against each other.
#pragma once

#include "tests/reference/Gradients.h"
#include "tests/reference/Random.h"

#include <utility>

namespace flexsn::reference {

struct CallShape {
  size_t steps = 1;
  double scale = 1; ///< of inputs, which are from -scale to 2 * scale
  bool statesGiven = false;
};

/// Random inputs, parameters near their defaults (in the middle of a transform's range, wherever the default is), every
/// float output and final state with something flowing back, and initial states around the declared ones where they are
/// given. Settings name every stored operand that is a float.
std::pair<NeuronCall, Upstream> drawCall(const Model &model, const CallShape &shape, Random &random);

/// The largest |number|, 1 at least; NaN and infinities do not count.
double sizeOf(const Gradients &gradients);

/// The first number of `got` that is farther from that of `want` than `tolerance` times `size`, in words; nothing if
/// there is none. NaN is equal to NaN, an infinity to itself.
std::string difference(const Gradients &got, const Gradients &want, double tolerance, double size);
/// The same with the size of `want`.
std::string difference(const Gradients &got, const Gradients &want, double tolerance);

/// Whether no number is infinite or NaN.
bool isFinite(const Gradients &gradients);

} // namespace flexsn::reference
