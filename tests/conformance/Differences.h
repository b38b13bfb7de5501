// Results held against the recorded arrays, with the tolerances of README.md.
#pragma once

#include "tests/conformance/Runners.h"

#include <string>
#include <vector>

namespace flexsn::conformance {

/// Every array of the case that has one of these roles, but for those that do not bind: each difference or missing
/// result in words; nothing if all agree.
std::string difference(const Case &c, const Results &results, const std::vector<std::string> &roles);

} // namespace flexsn::conformance
