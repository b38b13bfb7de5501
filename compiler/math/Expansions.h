// The table from a function of the language (compiler/frontend/Functions.def) to what it is made of.
#pragma once

#include "compiler/frontend/Functions.h"
#include "compiler/math/Value.h"

namespace flexsn::math {

/// What the elements of a function's arguments are.
enum class Element : uint8_t { F32, F64, I32 };

/// True if `function` has an expansion for these elements. sum and dot have none: they are gone before expansions are
/// asked for.
bool hasExpansion(Function function, Element element);

/// Makes the ops of `function` on `arguments` and returns its result. hasExpansion holds.
mlir::Value expand(Function function, Element element, Context &context, mlir::ValueRange arguments);

} // namespace flexsn::math
