// Random models over the whole language that kernels can be made for so far.
#pragma once

#include "tests/random/Text.h"

#include <cstdint>
#include <string>
#include <vector>

namespace flexsn::random {

/// What a generated model may use.
struct Features {
  std::vector<std::string>
      functions;    ///< one-argument float functions with an ulp bound (exp, tanh, ...); none: every bit is defined
  bool pow = false; ///< pow and real exponents
};

/// The model of `seed`, named R<seed>. The same seed gives the same text everywhere. It checks without an error.
Text generate(uint64_t seed, const Features &features);

} // namespace flexsn::random
