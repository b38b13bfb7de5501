#include "compiler/frontend/Surrogates.h"

#include "compiler/frontend/Frontend.h"

#include <algorithm>
#include <cmath>

namespace flexsn {

bool SurrogateParameter::takes(double number) const {
  if (count)
    return number == std::trunc(number) && number >= 1 && number <= Limits::lanes;
  return std::isfinite(number) && number > above;
}

std::string FormulaText::with(std::string_view sum) const {
  constexpr std::string_view placeholder = "series";
  std::string text(formula);
  if (!term.empty())
    text.replace(text.find(placeholder), placeholder.size(), sum);
  return text;
}

const SurrogateParameter *SurrogateInfo::count() const {
  auto found = std::find_if(parameters.begin(), parameters.end(),
                            [](const SurrogateParameter &parameter) { return parameter.count; });
  return found == parameters.end() ? nullptr : &*found;
}

std::string SurrogateInfo::gradientWords() const {
  if (gradient.term.empty())
    return std::string(gradient.formula);
  return gradient.with(fmt::format("(the sum of {} for i from 1 to {} - 1)", gradient.term, count()->name));
}

const std::vector<SurrogateInfo> &surrogates() {
  static const std::vector<SurrogateInfo> list = {
#define FLEXSN_SURROGATE(name, source, gradient, primitive, ...) {name, {__VA_ARGS__}, source, gradient, primitive},
#include "compiler/frontend/Surrogates.def"
  };
  return list;
}

const SurrogateInfo *findSurrogate(std::string_view name) {
  for (const SurrogateInfo &surrogate : surrogates())
    if (surrogate.name == name)
      return &surrogate;
  return nullptr;
}

} // namespace flexsn
