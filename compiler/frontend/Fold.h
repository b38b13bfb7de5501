// Arithmetic of constants: in double, by the front end alone, rounded once where the model's type is known.
#pragma once

#include "compiler/frontend/Functions.h"
#include "compiler/frontend/Model.h"

#include <vector>

namespace flexsn {

/// `a op b` for the arithmetic and comparison operators; with `whole` operands the result is whole. Nothing where a
/// whole number is divided by zero, and for operators that are not folded.
std::optional<double> foldBinary(Op op, double a, double b);

/// `base ** exponent`; up to |exponent| = 8 the products that the step would form, in their order.
double foldPower(double base, double exponent);

/// A function of Functions.def at constants; nothing for those that reduce lanes.
std::optional<double> foldFunction(Function function, const std::vector<double> &arguments);

} // namespace flexsn
