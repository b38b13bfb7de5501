#include "compiler/frontend/Model.h"

#include <algorithm>
#include <set>

namespace flexsn {

// Versions of a name are made in the order of the step, so the last one in the list is the last one in the step.
const Value *Model::lastValue(std::string_view name) const {
  auto found = std::find_if(values.rbegin(), values.rend(),
                            [&](const Value &value) { return value.kind != Value::Kind::Bound && value.name == name; });
  return found == values.rend() ? nullptr : &*found;
}

std::vector<std::string> Model::names() const {
  std::vector<std::string> result;
  std::set<std::string_view> seen;
  for (const Value &value : values)
    if (value.kind != Value::Kind::Bound && seen.insert(value.name).second)
      result.push_back(value.name);
  return result;
}

} // namespace flexsn
