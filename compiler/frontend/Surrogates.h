// The built-in surrogates (docs/language.md, rule 4), from the one list Surrogates.def.
#pragma once

#include <limits>
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

struct SurrogateInfo {
  std::string_view name;
  std::vector<SurrogateParameter> parameters;
  std::string_view source;  ///< where the formula comes from
  std::string_view formula; ///< the derivative, in words of the language, for `flexsnc list surrogates`
};

/// Null if no built-in surrogate has this name.
const SurrogateInfo *findSurrogate(std::string_view name);
const std::vector<SurrogateInfo> &surrogates();

} // namespace flexsn
