// The built-in surrogates (docs/language.md, rule 4), from the one list Surrogates.def.
#pragma once

#include <string_view>
#include <vector>

namespace flexsn {

struct SurrogateParameter {
  std::string_view name;
  double defaultValue;
  bool count = false; ///< a whole number that is known when the model is compiled: the number of terms of a series
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
