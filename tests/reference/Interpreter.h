// The oracle: one neuron, one time step after the other, straight from the checked model. It shares no pass with the
// compiler (no IR, no folding, no simplification), so what both agree on is hardly the same mistake twice.
#pragma once

#include "tests/reference/Scalar.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace flexsn::reference {

/// Values of parameters as the caller sets them: NAME in the constrained space, raw_NAME as stored. Others keep the
/// text's value.
using Settings = std::map<std::string, double, std::less<>>;

/// Evaluates a model that notCovered() accepts, in strict float32 (Real = float) or float64.
template <class Real> class Interpreter {
public:
  using Value = Scalar<Real>;

  /// `fast`: the values' slack allows for math = fast.
  Interpreter(const Model &model, const Settings &settings, bool fast = false);

  /// The declared value of each state.
  std::vector<Value> initialStates();
  /// One step from `states`; returns the new states. Afterwards `value` knows every name of the step.
  std::vector<Value> step(const std::vector<Value> &inputs, const std::vector<Value> &states);
  /// Any value of the last step, for outputs and monitors.
  const Value &value(const flexsn::Value *name) const { return environment.at(name); }
  /// An output as it is delivered: an int as Real (rule 10).
  Value output(const Output &output) const;

private:
  Value stored(const Param &param, const Settings &settings) const;
  Value constrained(const Param &param, Value stored) const;
  Value evaluate(const Expr &expr);
  Value evaluateSurrogate(const Expr &expr);

  const Model &model;
  bool fast;
  std::unordered_map<const flexsn::Value *, Value> environment;
};

} // namespace flexsn::reference
