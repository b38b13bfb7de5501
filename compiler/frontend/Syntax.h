// The syntax tree: what the parser saw, and nothing about its meaning. The checker (Check.h) turns it into a Model.
#pragma once

#include "compiler/frontend/Source.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace flexsn::syntax {

/// A name as written, with its place.
struct Name {
  std::string text;
  Span span;
};

enum class ExprKind : uint8_t {
  Error,       ///< what a reported syntax error leaves behind; silences everything above it
  Number,      ///< `number`, `whole`
  Boolean,     ///< `number` is 0 or 1
  Name,        ///< `name`
  Unary,       ///< `op`, operands[0]
  Binary,      ///< `op`, operands[0..1]
  Conditional, ///< operands: value, condition, otherwise   (in the order of the text: a if c else b)
  Call,        ///< `name`, `arguments`
  Index,       ///< operands[0] is a Name, Call or bracket expression; `number` is the literal index
};

enum class Operator : uint8_t {
  None,
  Plus,
  Minus,
  Not, // unary
  Add,
  Subtract,
  Multiply,
  Divide,
  FloorDivide,
  Remainder,
  Power, // arithmetic
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  And,
  Or, // comparison and logic
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

/// One argument of a call: positional, or `keyword = value`.
struct Argument {
  std::optional<Name> keyword;
  ExprPtr value;
};

struct Expr {
  ExprKind kind = ExprKind::Error;
  Span span; ///< the whole expression, brackets included
  Operator op = Operator::None;
  Span opSpan; ///< the operator's own token
  double number = 0;
  bool whole = false; ///< a Number without point and exponent
  syntax::Name name;
  std::vector<ExprPtr> operands;
  std::vector<Argument> arguments;
  bool bracketed = false; ///< stood in round brackets
  unsigned height = 1;    ///< of the tree: 1 for a leaf; at most Limits::height, so that walking it is safe
};

/// `[neuron, 4]`: each dim is a word or a number.
struct Dim {
  std::string text; ///< the word, or empty for a number
  uint64_t number = 0;
  Span span;
};

/// item = NAME ["[" dims "]"] [":" type]
struct Item {
  syntax::Name name;
  std::vector<Dim> dims;
  std::optional<syntax::Name> type; ///< float int bool, not yet verified
  bool broken = false;              ///< of a statement with an error: no more is known than the name
};

/// `in [lo, hi)`.
struct Range {
  ExprPtr low, high;
  bool lowOpen = false, highOpen = false;
  bool clamp = false;
  Span span;
};

struct Attributes {
  std::optional<Span> learnable, frozen;
  std::optional<syntax::Name> as; ///< sigmoid softplus exp tanh, not yet verified
  std::optional<Range> in;
};

/// One declared item with its value and attributes.
struct Declared {
  Item item;
  ExprPtr value; ///< null where none was written
  Attributes attributes;
  Span span;
};

/// `name(arg, arg = value)`: a solver or a surrogate's own words, e.g. `expeuler(substeps=2)`.
struct NamedCall {
  syntax::Name name;
  std::vector<Argument> arguments;
  Span span;
};

enum class StatementKind : uint8_t {
  Error, ///< a statement with a reported error: `hold` has the names that it mentions, unknown ones among them are no
         ///< news; "" stands for a value's name that could not be read, "()" for that of a definition
  Section,
  Input,
  Output,
  State,
  Param,
  Const,
  Surrogate,
  Dt,
  Method,
  Refractory,
  Truncate,
  Define,
  DefineSurrogate,
  Ode,
  Assign,
};

/// A parameter of `def` or `surrogate`, with a default where one was written.
struct FormalParameter {
  syntax::Name name;
  ExprPtr defaultValue;
};

struct NamedExpr {
  syntax::Name name;
  ExprPtr value;
};

struct Statement {
  StatementKind kind = StatementKind::Error;
  Span span;
  Span keyword; ///< the word that began the statement

  syntax::Name name;                   ///< Section (label), Assign (target), Ode (state), Define*
  std::vector<Declared> declared;      ///< Input Output State Param Const
  std::optional<NamedCall> call;       ///< Surrogate, Method, and an Ode's own method
  ExprPtr value;                       ///< Assign Ode Dt Define, Refractory (steps), Truncate (a Number),
                                       ///< DefineSurrogate (the `value = ` expression)
  Operator augmented = Operator::None; ///< Assign: the operator of `+=` and the like

  std::optional<syntax::Name> of; ///< Refractory
  std::vector<syntax::Name> hold; ///< Refractory

  std::vector<FormalParameter> parameters; ///< Define, DefineSurrogate
  std::vector<NamedExpr> gradients;        ///< DefineSurrogate: `grad NAME = expr`
  ExprPtr primitive;                       ///< DefineSurrogate
};

struct Model {
  syntax::Name name;
  std::vector<Statement> statements;
  Span span;
};

/// What a file holds, in text order. `definitions` are the `def` and `surrogate` statements outside any model.
struct File {
  std::vector<Model> models;
  std::vector<Statement> definitions;
};

} // namespace flexsn::syntax
