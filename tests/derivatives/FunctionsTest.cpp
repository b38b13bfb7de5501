// Each function's derivative rule beside differences of the function in long double.
#include "tests/derivatives/Differentiated.h"
#include "tests/numerics/FunctionTable.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>

namespace flexsn::test {
namespace {

using Arguments = std::vector<long double>;

/// The derivative by one argument: central differences at three distances, extrapolated twice (Richardson).
long double difference(const FunctionRow &row, Arguments at, size_t argument) {
  auto value = [&](long double x) {
    at[argument] = x;
    return row.inLong(at[0], row.arguments > 1 ? at[1] : 0);
  };
  long double x = at[argument], step = 1e-3L * std::max(1e-2L, std::min(1.0L, std::fabs(x)));
  auto central = [&](long double h) { return (value(x + h) - value(x - h)) / (2 * h); };
  long double wide = central(step), middle = central(step / 2), narrow = central(step / 4);
  long double first = (4 * middle - wide) / 3, second = (4 * narrow - middle) / 3;
  return (16 * second - first) / 15;
}

struct Domain {
  double low, high;
};
/// Where a function's arguments lie, away from ends of its domain, kinks and jumps.
Domain domainOf(const std::string &name, size_t argument) {
  static const std::map<std::string, Domain> domains = {
      {"sqrt", {0.1, 9}},    {"rsqrt", {0.1, 9}},   {"log", {0.1, 9}},    {"log1p", {-0.8, 9}}, {"log2", {0.1, 9}},
      {"asin", {-0.9, 0.9}}, {"acos", {-0.9, 0.9}}, {"tan", {-1.3, 1.3}}, {"abs", {0.1, 4}},    {"relu", {-4, -0.1}},
      {"exprel", {-3, 3}},   {"atan2", {0.2, 4}},   {"fmod", {0.2, 0.45}}};
  if (name == "pow")
    return argument == 0 ? Domain{0.2, 3} : Domain{-3, 3};
  if (name == "fmod" && argument == 1)
    return {0.5, 0.9}; // quotient 0: no jump between
  auto found = domains.find(name);
  return found == domains.end() ? Domain{-2.5, 2.5} : found->second;
}

/// Piecewise constant: no gradient flows.
bool isFlat(const std::string &name) {
  return std::set<std::string>{"floor", "ceil", "round", "trunc", "sign", "isnan"}.contains(name);
}

template <class T> void compare(const FunctionRow &row, double tolerance) {
  std::string type = sizeof(T) == 8 ? "f64" : "f32";
  Differentiated rule(row.arguments, type, bodyOf(row, type));
  constexpr size_t count = 300;
  std::mt19937 random(7);
  std::vector<std::vector<T>> inputs(row.arguments, std::vector<T>(count));
  std::vector<T> gradients(count);
  for (size_t i = 0; i < count; ++i) {
    for (unsigned a = 0; a < row.arguments; ++a) {
      Domain domain = domainOf(row.name, a);
      inputs[a][i] = static_cast<T>(std::uniform_real_distribution<double>(domain.low, domain.high)(random));
    }
    if (row.arguments == 2 && std::fabs(inputs[0][i] - inputs[1][i]) < 0.01)
      inputs[1][i] += static_cast<T>(0.1); // away from the tie of min and max
    gradients[i] = static_cast<T>(std::uniform_real_distribution<double>(-2, 2)(random));
  }
  auto found = rule.run(inputs, gradients);
  for (size_t i = 0; i < count; ++i)
    for (unsigned a = 0; a < row.arguments; ++a) {
      Arguments at;
      for (unsigned b = 0; b < row.arguments; ++b)
        at.push_back(inputs[b][i]);
      double wanted = static_cast<double>(gradients[i] * difference(row, at, a));
      ASSERT_NEAR(found[a][i], wanted, tolerance * (1 + std::fabs(wanted)))
          << row.name << " by argument " << a << " at " << static_cast<double>(at[0]) << ", "
          << (row.arguments > 1 ? static_cast<double>(at[1]) : 0.0) << "\n"
          << adjointText(row.arguments, type, bodyOf(row, type));
    }
}

class FunctionRules : public testing::TestWithParam<FunctionRow> {};

TEST_P(FunctionRules, AgreeWithDifferences) {
  const FunctionRow &row = GetParam();
  if (isFlat(row.name)) {
    auto gradients = Differentiated(row.arguments, "f64", bodyOf(row, "f64")).run<double>({{0.3, -1.7}}, {1, NAN});
    EXPECT_EQ(gradients[0], (std::vector<double>{0, 0})) << row.name;
    return;
  }
  compare<double>(row, 1e-10);
  compare<float>(row, 3e-6);
}

INSTANTIATE_TEST_SUITE_P(All, FunctionRules, testing::ValuesIn(functionTable().begin(), functionTable().end()),
                         [](const auto &info) { return info.param.name; });

} // namespace
} // namespace flexsn::test
