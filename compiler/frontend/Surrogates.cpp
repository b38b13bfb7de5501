#include "compiler/frontend/Surrogates.h"

#include "compiler/frontend/Frontend.h"

#include <cmath>

namespace flexsn {

bool SurrogateParameter::takes(double number) const {
  if (count)
    return number == std::trunc(number) && number >= 1 && number <= Limits::lanes;
  return std::isfinite(number) && number > above;
}

const std::vector<SurrogateInfo> &surrogates() {
  static const std::vector<SurrogateInfo> list = {
#define FLEXSN_SURROGATE(name, source, formula, ...) {name, {__VA_ARGS__}, source, formula},
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
