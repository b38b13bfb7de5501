// One node of a checked expression applied to the values of its operands.
#pragma once

#include "tests/reference/Scalar.h"

#include <span>

namespace flexsn::reference {

/// The value of `expr` whose operands have the values `operands`; slack is left at 0. Not for nodes that read or bind
/// names (Read, Let, Surrogate): those are the interpreter's.
template <class Real> Scalar<Real> operate(const Expr &expr, std::span<const Scalar<Real>> operands);

/// `value` in another type, with its slack. bool becomes 0 or 1; a float becomes an int towards zero.
template <class Real> Scalar<Real> cast(const Scalar<Real> &value, Type type);

} // namespace flexsn::reference
