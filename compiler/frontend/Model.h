// The checked model: one time step with every name resolved, every type known, every implicit conversion written out,
// constants folded in double, and every `def` put in place. Emission, the canonical printer and the reference
// interpreter of tests/reference read this and nothing of the syntax tree.
#pragma once

#include "compiler/frontend/Source.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace flexsn {

/// float is the compute type of the request (f32 or f64), int is int32, bool is i1.
enum class Type : uint8_t { Float, Int, Bool };

/// What a named parameter varies over. Lanes (`[K]`) are a count, not a dim.
enum class Dim : uint8_t { Step, Channel, Neuron };

enum class Transform : uint8_t { None, Sigmoid, Softplus, Exp, Tanh };

struct Expr;

/// The label that a statement stands under.
enum class Section : uint8_t { None, Charge, Fire, Reset };

/// One version of a name (SSA). Reads point here; two assignments to one name make two values.
struct Value {
  enum class Kind : uint8_t {
    Input,
    Param,
    State,
    Assigned,
    Bound
  }; ///< State: the previous step's value. Bound: see Op::Let
  Kind kind;
  std::string name;
  unsigned version = 0; ///< 0 for declarations, then 1, 2, ... per assignment to that name
  Type type = Type::Float;
  unsigned lanes = 1;  ///< 1: a scalar per neuron; K > 1: a vector of K unrolled lanes
  bool whole = false;  ///< a float bound to quant, directly or by copy: delivered as an int output
  bool spikes = false; ///< bound to spike, quant, bernoulli or a surrogate, directly or by copy (detach_reset)
  Span span;
};

enum class Op : uint8_t {
  Constant, ///< number
  Read,     ///< value
  Negate,
  Not,
  Add,
  Subtract,
  Multiply,
  Divide,
  FloorDivide,
  Remainder,
  Power,        ///< a real exponent
  IntegerPower, ///< `integer` is the exponent, |n| <= 8: products from the left, 1 / that for negative n
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  And,
  Or,
  Select,    ///< condition, then, otherwise; both sides are evaluated
  Call,      ///< `function`: one of Functions.def
  Spike,     ///< x, then the arguments of `surrogate` in its order; `strict`
  Surrogate, ///< a user's surrogate: see SurrogateDefinition; operands are its arguments
  Quant,     ///< x, low, high
  Detach,
  ScaleGradient, ///< x, factor
  Uniform,
  Normal,
  Bernoulli, ///< `integer` is the call site; Bernoulli has p
  Prev,      ///< `value` names the variable (any version), `integer` steps ago
  Delay,     ///< operands[0]: the delay in steps; `value` names the variable
  Lane,      ///< operands[0], `integer`
  Cast,      ///< operands[0] to `type`
  Broadcast, ///< a scalar operand to `lanes`
  Let,       ///< `value` (Bound) = operands[0], in operands[1]: an argument of a `def`
};

/// A surrogate that the user defined: value, one gradient per differentiable argument, an optional primitive.
/// The expressions read the Bound values `parameters`.
struct SurrogateDefinition {
  std::string name;
  std::vector<const Value *> parameters;
  const Expr *value = nullptr;
  std::vector<std::pair<const Value *, const Expr *>> gradients;
  const Expr *primitive = nullptr;
  Span span;
};

struct FunctionInfo;  // Functions.h: one entry of Functions.def
struct SurrogateInfo; // Surrogates.h: one entry of Surrogates.def

struct Expr {
  Op op;
  Type type = Type::Float;
  unsigned lanes = 1;
  Span span;
  std::vector<const Expr *> operands;
  double number = 0;
  int64_t integer = 0;
  const Value *value = nullptr;
  const FunctionInfo *function = nullptr;
  const SurrogateInfo *surrogate = nullptr;
  const SurrogateDefinition *definition = nullptr;
  bool strict = false;
  unsigned height = 1; ///< of the tree: 1 for a leaf; at most Limits::height, so that walking it is safe
};

struct Input {
  const Value *value;
};

/// A bound of `in [lo, hi]`.
struct Bounds {
  double low, high;
  bool lowOpen = false, highOpen = false;
  bool clamp = false;
  Span span;
};

/// A run-time parameter. `defaultValue` is in the constrained space; the stored operand of a transformed one is
/// `raw_NAME`.
struct Param {
  const Value *value; ///< the constrained value that the step reads
  double defaultValue = 0;
  std::vector<Dim> dims;
  bool learnable = false;
  bool frozen = false;
  bool isDt = false; ///< declared by `dt = `, named dt
  Transform transform = Transform::None;
  std::optional<Bounds> bounds;
  Span span;

  /// The operand's name: `raw_NAME` under a transform, else NAME.
  std::string operandName() const { return transform == Transform::None ? value->name : "raw_" + value->name; }
};

struct State {
  const Value *value;            ///< its value at the start of a step
  const Expr *initial = nullptr; ///< the declared value, an expression of parameters (and random draws)
  const Value *next = nullptr;   ///< its last value in the step; the start value itself if never written
  Span span;
};

struct Output {
  std::string name;
  const Value *value; ///< the name's last value in the step
  Type type;          ///< Int also where the value is a whole float (quant)
  Span span;
};

enum class Method : uint8_t { Euler, ExpEuler, Exact, Rk2, Rk4, Heun };

/// A simultaneous system: neighbouring ODE lines.
struct Ode {
  const Value *state;  ///< the state's value when the group begins
  const Expr *rate;    ///< right-hand side
  const Value *result; ///< the state's value after the solver's step
  Method method = Method::Euler;
  unsigned substeps = 1;
  Span span;
};

struct Refractory {
  const Expr *steps;
  std::string spike;             ///< the name that is silenced
  std::vector<std::string> hold; ///< states that keep their value
  Span span;
};

struct Statement {
  Section section = Section::None;
  Span span;
  const Value *target = nullptr; ///< an assignment: target = value
  const Expr *value = nullptr;
  std::vector<Ode> system; ///< else an ODE group
};

/// One checked model. Owns its nodes; immutable once the checker is done; safe to read from many threads.
class Model {
public:
  std::string name;
  std::shared_ptr<const Source> source;
  std::vector<Input> inputs;
  std::vector<Param> params; ///< in declared order; dt, if any, where it stands
  std::vector<State> states;
  std::vector<Output> outputs;
  std::vector<Statement> statements;
  std::vector<Refractory> refractory;
  std::optional<unsigned> truncate;
  bool hasReset = false; ///< a `reset:` label exists
  Span span;

  /// The last value of any name of the model at the end of a step (monitors), or null.
  const Value *lastValue(std::string_view name) const;
  /// Names that `lastValue` knows, in order of first appearance.
  std::vector<std::string> names() const;

  std::deque<Value> values;
  std::deque<Expr> expressions;
  std::deque<SurrogateDefinition> surrogateDefinitions;
};

} // namespace flexsn
