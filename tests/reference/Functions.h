// The functions of docs/language.md, rule 9, and how far from them a correct implementation may be.
#pragma once

#include "compiler/frontend/Functions.h"

#include <span>

namespace flexsn::reference {

/// The function's value, computed in the next wider type and rounded once. `arguments` has the function's arity.
/// Lanes and isnan are not for this function.
template <class Real> Real evaluate(Function function, std::span<const Real> arguments);

/// Largest allowed error in ulp of the exact result; 0 where the bits are defined.
template <class Real> double errorBound(Function function);

} // namespace flexsn::reference
