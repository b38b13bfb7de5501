// The front end's doors: text -> syntax tree -> checked models. No MLIR here.
#pragma once

#include "compiler/frontend/Diagnostics.h"
#include "compiler/frontend/Model.h"
#include "compiler/frontend/Syntax.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace flexsn {

/// Limits that hostile text meets; each has a diagnostic of its own.
struct Limits {
  static constexpr uint32_t fileBytes = 4u << 20;  ///< size of a file
  static constexpr unsigned nesting = 200;         ///< depth of expressions, in brackets, unary chains and `**`
  static constexpr unsigned expressions = 100'000; ///< nodes of one model after `def` is put in place
  static constexpr unsigned height = 1000;         ///< of a checked expression: chains of operators, `def` in `def`
  static constexpr unsigned lanes = 64;            ///< K of a vector
  static constexpr unsigned history = 1024;        ///< k of prev(a, k) and the upper bound of a delay
  static constexpr unsigned substeps = 64;
  static constexpr unsigned errors = 100; ///< then "too many errors" ends the list
};

/// Parses a whole file and reports every syntax error; what could be read is in the result. Never throws, never
/// recurses deeper than Limits::nesting.
syntax::File parse(const Source &source, Diagnostics &diagnostics);

/// What a request may change about the text.
struct CheckOptions {
  std::map<std::string, double, std::less<>> constants; ///< --const: replaces the value of a `const`
  std::string surrogate; ///< replaces the model's default surrogate, e.g. "atan(alpha=3)"
  std::map<std::string, std::vector<Dim>, std::less<>> dims;
  bool detachReset = false;
};

/// Checks every model of a file: names, types, rules 1-14 of docs/language.md, lints. Models with errors are left out.
/// Options apply to each model that has the name in question; an option that no model can use is reported.
std::vector<std::shared_ptr<const Model>> check(const std::shared_ptr<const Source> &source, const syntax::File &file,
                                                const CheckOptions &options, Diagnostics &diagnostics);

/// The canonical text of a checked model: one statement a line, constants folded, defaults and solvers written out.
/// Equal programs print equally; comments, blank lines and `;` leave no trace. Constants have the shortest spelling
/// that reads back to the same bits, a float with a point or an exponent, an int without; casts and lanes follow from
/// them and from the declared types, so that the text checks again to an equal model (but for `let`, an argument of a
/// `def` that is used more than once). With `keyOnly`, default values of parameters are left out: they are run-time
/// values and part of no key.
std::string print(const Model &model, bool keyOnly = false);
/// One expression or statement in the language's own spelling, for comments in emitted code and for `explain`.
std::string print(const Expr &expression);
std::string print(const Statement &statement);

} // namespace flexsn
