// The formulas of built-in surrogates at numbers.
#pragma once

#include "compiler/frontend/SurrogateFormulas.h"
#include "tests/reference/Interpreter.h"

#include <vector>

namespace flexsn::reference {

/// One surrogate with values for its parameters, in strict float32 (Real = float) or float64.
template <class Real> class SurrogateAt {
public:
  /// `parameters` are in the entry's order.
  SurrogateAt(const SurrogateInfo &surrogate, const std::vector<double> &parameters);

  bool hasPrimitive() const { return formula.primitive; }
  Scalar<Real> gradient(Real x) { return at(*formula.gradient, x); }
  Scalar<Real> primitive(Real x) { return at(*formula.primitive, x); }

private:
  Scalar<Real> at(const Expr &expr, Real x);

  const SurrogateFormula &formula;
  Interpreter<Real> interpreter;
};

/// What the entry says its parameters are when a text says nothing.
std::vector<double> defaultsOf(const SurrogateInfo &surrogate);
/// Other values that they take: no two alike, none a power of two, a few terms of a series.
std::vector<double> othersOf(const SurrogateInfo &surrogate);

} // namespace flexsn::reference
