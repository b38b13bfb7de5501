// The derivative rules of docs/language.md, rule 8, which are PyTorch's: one node of an expression at a time.
#pragma once

#include "compiler/frontend/Functions.h"
#include "tests/reference/Scalar.h"
#include "tests/reference/Tape.h"

#include <span>

namespace flexsn::reference {

/// The slopes of `expr`, whose operands have the values `operands` and which itself has the value `result`. In double
/// from the values of the run, so that the oracle's gradients have no rounding of float32 of their own. Not for nodes
/// that read or bind names (Read, Let, Surrogate).
template <class Real>
Slopes slopesOf(const Expr &expr, std::span<const Scalar<Real>> operands, const Scalar<Real> &result);

/// The slopes of a function of Functions.def at `x`, where it has the value `y`. Lanes are not for this function.
Slopes slopesOf(Function function, std::span<const double> x, double y);

} // namespace flexsn::reference
