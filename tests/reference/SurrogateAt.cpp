#include "tests/reference/SurrogateAt.h"

namespace flexsn::reference {

/// How many terms a series has among `parameters`.
static unsigned countIn(const SurrogateInfo &surrogate, const std::vector<double> &parameters) {
  const SurrogateParameter *count = surrogate.count();
  return count ? static_cast<unsigned>(parameters.at(count - surrogate.parameters.data())) : 1;
}

template <class Real>
SurrogateAt<Real>::SurrogateAt(const SurrogateInfo &surrogate, const std::vector<double> &parameters)
    : formula(surrogateFormula(surrogate, countIn(surrogate, parameters))), interpreter(*formula.model, {}) {
  for (size_t i = 0; i < formula.parameters.size(); ++i)
    interpreter.set(formula.parameters[i], Scalar<Real>::ofReal(static_cast<Real>(parameters.at(i))));
}

template <class Real> Scalar<Real> SurrogateAt<Real>::at(const Expr &expr, Real x) {
  interpreter.set(formula.x, Scalar<Real>::ofReal(x));
  return interpreter.evaluate(expr);
}

template class SurrogateAt<float>;
template class SurrogateAt<double>;

std::vector<double> defaultsOf(const SurrogateInfo &surrogate) {
  std::vector<double> values;
  for (const SurrogateParameter &parameter : surrogate.parameters)
    values.push_back(parameter.defaultValue);
  return values;
}

std::vector<double> othersOf(const SurrogateInfo &surrogate) {
  std::vector<double> values;
  for (const SurrogateParameter &parameter : surrogate.parameters)
    values.push_back(parameter.count ? 4 : 1.6 * parameter.defaultValue + 0.05);
  return values;
}

} // namespace flexsn::reference
