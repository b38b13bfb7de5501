// From a failing model to a small one that still fails.
#pragma once

#include "tests/random/Text.h"

#include <functional>

namespace flexsn::random {

/// Deletes lines and replaces expressions by their parts or by literals, as long as `fails` says yes, until nothing
/// more can go or `fails` was asked `budget` times. A text that does not even check is expected to be no failure.
Text shrink(Text text, const std::function<bool(const std::string &)> &fails, unsigned budget = 3000);

} // namespace flexsn::random
