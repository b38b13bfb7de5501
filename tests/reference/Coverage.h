// What of the language the reference interpreter does not evaluate.
#pragma once

#include "compiler/frontend/Model.h"

#include <optional>
#include <string>

namespace flexsn::reference {

/// The first construct of `model` that the interpreter has no meaning for, in words for a count ("random numbers");
/// none if it evaluates the whole model. Tests count what is not covered; they never pass over it in silence.
std::optional<std::string> notCovered(const Model &model);

} // namespace flexsn::reference
