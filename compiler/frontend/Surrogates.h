// The built-in surrogates (docs/language.md, rule 4), from the one list Surrogates.def. What their formulas mean is in
// SurrogateFormulas.h.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace flexsn {

struct SurrogateParameter {
  std::string_view name;
  double defaultValue;
  double above = -std::numeric_limits<double>::infinity(); ///< what every value is greater than; none is infinite
  bool count = false; ///< a whole number that is known when the model is compiled: the number of terms of a series

  /// Whether the formula has a meaning for this number.
  bool takes(double number) const;
};

/// A formula as Surrogates.def has it: an expression of the language over x and the surrogate's parameters.
struct FormulaText {
  std::string_view formula; ///< empty: there is none
  std::string_view term;    ///< what `series` in the formula is a sum of, over i; empty in most

  // A formula of an entry is the mere text of it, so this is implicit.
  constexpr FormulaText(const char *formula, const char *term = "") : formula(formula), term(term) {}

  /// The formula with `sum` in the place of `series`.
  std::string with(std::string_view sum) const;
};

struct SurrogateInfo {
  std::string_view name;
  std::vector<SurrogateParameter> parameters;
  std::string_view source; ///< where the formulas come from
  FormulaText gradient;    ///< the derivative
  FormulaText primitive;   ///< an antiderivative of it

  /// The parameter that says how long a series is; null where there is none.
  const SurrogateParameter *count() const;
  /// The derivative for people.
  std::string gradientWords() const;
};

/// Null if no built-in surrogate has this name.
const SurrogateInfo *findSurrogate(std::string_view name);
const std::vector<SurrogateInfo> &surrogates();

} // namespace flexsn
