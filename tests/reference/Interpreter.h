// The oracle: one neuron, one time step after the other, straight from the checked model. It shares no pass with the
// compiler (no IR, no folding, no simplification), so what both agree on is hardly the same mistake twice.
#pragma once

#include "tests/reference/Scalar.h"

#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace flexsn::reference {

/// Values of parameters as the caller sets them: NAME in the constrained space, raw_NAME as stored. Others keep the
/// text's value.
using Settings = std::map<std::string, double, std::less<>>;

/// Evaluates a model that notCovered() accepts, in strict float32 (Real = float) or float64. A derived class decides
/// what the nodes of an expression give.
template <class Real> class Interpreter {
public:
  using Value = Scalar<Real>;

  /// `fast`: the values' slack allows for math = fast.
  Interpreter(const Model &model, const Settings &settings, bool fast = false);
  virtual ~Interpreter() = default;

  /// Parameters that vary by step have these values from now on; the others keep theirs.
  void setStep(const Settings &settings);
  /// The declared value of each state.
  std::vector<Value> initialStates();
  /// One step from `states`; returns the new states. Afterwards `value` knows every name of the step.
  std::vector<Value> step(const std::vector<Value> &inputs, const std::vector<Value> &states);
  /// Any value of the last step, for outputs and monitors.
  const Value &value(const flexsn::Value *name) const { return environment.at(name); }
  /// An output as it is delivered: an int as Real (rule 10).
  Value output(const Output &output) const;
  /// What reads of `name` yield from now on: for expressions that are evaluated outside a step.
  void set(const flexsn::Value *name, Value value) { environment[name] = value; }
  /// The value of `expr`, whose names have been set or belong to the last step.
  Value evaluate(const Expr &expr);

protected:
  /// Without parameters: a derived class calls setParams, which calls the functions that it overrides.
  explicit Interpreter(const Model &model) : model(model) {}
  void setParams(const Settings &settings);

  /// A parameter's stored operand.
  virtual Value stored(const Param &param, const Settings &settings);
  /// The value of a node from those of its operands.
  virtual Value apply(const Expr &expr, std::span<const Value> operands);
  /// The value of a user's surrogate from those of its arguments.
  virtual Value applySurrogate(const Expr &expr, std::span<const Value> arguments);
  /// One of the expressions of a user's surrogate, read with these arguments.
  Value evaluatePart(const SurrogateDefinition &definition, const Expr &part, std::span<const Value> arguments);

private:
  Value constrained(const Param &param, Value stored);

  const Model &model;
  bool fast = false;
  std::unordered_map<const flexsn::Value *, Value> environment;
};

} // namespace flexsn::reference
