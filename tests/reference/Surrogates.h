// Formulas of the built-in surrogates as plain functions of numbers, apart from those that the compiler reads in
// Surrogates.def.
#pragma once

#include <span>
#include <string_view>

namespace flexsn::reference {

/// One surrogate: the gradient that stands for the step's, and a function with that gradient. `a` are the surrogate's
/// arguments in the order of Surrogates.def.
struct PlainSurrogate {
  std::string_view name;
  double (*gradient)(double x, const double *a);
  double (*primitive)(double x, const double *a);
};

std::span<const PlainSurrogate> plainSurrogates();
/// Null if there is none of this name.
const PlainSurrogate *findPlainSurrogate(std::string_view name);

} // namespace flexsn::reference
