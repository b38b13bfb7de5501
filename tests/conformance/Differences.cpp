#include "tests/conformance/Differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace flexsn::conformance {
namespace {

using reference::Array;
using reference::Cell;

/// Recorded values that nobody should reproduce, each with its reason.
struct Exception {
  const char *id;
  const char *key;
  size_t index;
  const char *reason;
};
constexpr Exception exceptions[] = {
    {"functions.softplus_x", "out.z", 75,
     "softplus(1e4) is 1e4; recorded with a threshold that lets exp overflow to inf"},
    {"functions.softplus_x-f64", "out.z", 75, "as in float32"},
    {"functions.softplus_x", "gin.x", 75, "the slope there is 1; recorded as NaN, inf / inf"},
    {"functions.softplus_x-f64", "gin.x", 75, "as in float32"},
};

bool isException(const Case &c, const std::string &key, size_t index) {
  return std::any_of(std::begin(exceptions), std::end(exceptions),
                     [&](const Exception &e) { return c.id == e.id && key == e.key && index == e.index; });
}

std::string roleOf(const std::string &key) { return key.substr(0, key.find('.')); }
bool isGradient(const std::string &key) { return key[0] == 'g'; }
bool binds(const Case &c, const std::string &key) {
  return !isGradient(key) || (c.bindingGradients && !c.unbound.contains(key));
}

struct Tolerance {
  double relative, absolute;
};

Tolerance standardTolerance(Cell cell, bool gradient) {
  switch (cell) {
  case Cell::F64: return gradient ? Tolerance{1e-9, 1e-12} : Tolerance{1e-12, 1e-13};
  case Cell::F16: return gradient ? Tolerance{2e-3, 1e-4} : Tolerance{1e-3, 1e-4};
  case Cell::BF16: return gradient ? Tolerance{1.6e-2, 1e-3} : Tolerance{8e-3, 1e-3};
  default: return gradient ? Tolerance{1e-4, 1e-6} : Tolerance{1e-5, 1e-6};
  }
}

Tolerance tolerance(const Case &c, const std::string &key, Cell recorded) {
  for (const auto &[output, kind] : c.outputs)
    if (key == "out." + output && kind != "float")
      return {0, 0}; // spikes and ints are exact
  // Sequences of states are recorded as computed, and delivered as data.
  const Cell cell = roleOf(key) == "seq" ? dataCell(c) : recorded;
  Tolerance result = standardTolerance(cell, isGradient(key));
  const std::string prefix = isGradient(key) ? "grad_" : "state_";
  if (auto own = c.tolerances.find(prefix + "rtol"); own != c.tolerances.end())
    result.relative = own->second;
  if (auto own = c.tolerances.find(prefix + "atol"); own != c.tolerances.end())
    result.absolute = own->second;
  return result;
}

/// The first difference of one array.
std::string difference(const Case &c, const std::string &key, const Array &got) {
  const Array want = c.array(key).cells();
  if (want.size() != got.size())
    return fmt::format("{}: {} elements, not {}", key, got.size(), want.size());
  const Tolerance allowed = tolerance(c, key, want.cell);
  double largest = 1;
  for (size_t i = 0; i < want.size(); ++i)
    if (std::isfinite(want.number(i)))
      largest = std::max(largest, std::fabs(want.number(i)));
  for (size_t i = 0; i < want.size(); ++i) {
    const double a = got.number(i), b = want.number(i);
    const bool same = a == b || (std::isnan(a) && std::isnan(b));
    const bool near = std::isfinite(a) && std::isfinite(b) &&
                      std::fabs(a - b) <= allowed.relative * std::fabs(b) + allowed.absolute * largest;
    if (!same && !near && !isException(c, key, i))
      return fmt::format("{}[{}]: {:.9g}, not {:.9g}", key, i, a, b);
  }
  return "";
}

} // namespace

std::string difference(const Case &c, const Results &results, const std::vector<std::string> &roles) {
  std::string found;
  for (const std::string &key : c.arrays) {
    if (std::find(roles.begin(), roles.end(), roleOf(key)) == roles.end() || !binds(c, key))
      continue;
    auto result = results.arrays.find(key);
    std::string wrong = result == results.arrays.end() ? key + ": missing" : difference(c, key, result->second);
    if (!wrong.empty())
      found += (found.empty() ? "" : "; ") + wrong;
  }
  return found;
}

} // namespace flexsn::conformance
