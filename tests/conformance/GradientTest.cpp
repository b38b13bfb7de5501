// The gradients of every case, through the oracle.
#include "tests/conformance/Differences.h"
#include "tests/conformance/Runners.h"
#include "tests/reference/Coverage.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace flexsn::conformance {
namespace {

const std::vector<std::string> gradientRoles = {"gin", "ginit", "gparam"};

/// How many cases of each family that have gradients must run and pass; a family without is not listed. Raise a number
/// when the language grows; never lower one.
const std::map<std::string, size_t> expectedPassing = {
    {"activation_aware_if", 64}, {"carry", 24},      {"eif", 32},         {"flexsn", 24},
    {"functions", 76},           {"half", 12},       {"if", 32},          {"ilif", 16},
    {"izhikevich", 32},          {"lif", 64},        {"norse", 8},        {"option_detach", 8},
    {"parametriclif", 64},       {"qif", 32},        {"sinabs", 2},       {"snntorch", 12},
    {"surrogate_lif", 34},       {"surrogates", 42}, {"trace_output", 6}, {"variants", 28}};

bool hasGradients(const Case &c) {
  return c.bindingGradients && std::any_of(c.arrays.begin(), c.arrays.end(), [](const std::string &key) {
           return key.starts_with("gin.") || key.starts_with("ginit.") || key.starts_with("gparam.");
         });
}

const Case &caseOf(const std::string &id) {
  return *std::find_if(cases().begin(), cases().end(), [&](const Case &c) { return c.id == id; });
}

using Runner = Results (*)(const Case &, const Model &, const Results *next);

/// The case before a case that continues it, once more: what flows into its final states is what was computed, not what
/// was recorded.
std::string differenceBefore(const Case &c, const Model &model, const Results &results, Runner run) {
  const Case &before = caseOf(c.continues);
  return difference(before, run(before, model, &results), gradientRoles);
}

/// Runs every case that has gradients.
void runAll(const char *what, Runner run) {
  std::map<std::string, size_t> passing, reasons;
  size_t all = 0;
  for (const Case &c : cases()) {
    if (!hasGradients(c))
      continue;
    ++all;
    std::string error;
    auto model = checkedModel(c, error);
    ASSERT_TRUE(model) << c.id << ":\n" << error;
    if (auto reason = reference::notCovered(*model)) {
      ++reasons[*reason];
      continue;
    }
    Results results = run(c, *model, nullptr);
    if (!results.refused.empty()) {
      ++reasons[results.refused.substr(0, results.refused.find('\n'))];
      continue;
    }
    std::string wrong = difference(c, results, gradientRoles);
    if (wrong.empty() && !c.continues.empty())
      wrong = differenceBefore(c, *model, results, run);
    EXPECT_EQ(wrong, "") << c.id;
    passing[c.family] += wrong.empty();
  }
  size_t sum = 0;
  for (const auto &[family, count] : passing)
    sum += count;
  fmt::print("{}: gradients of {} of {} cases pass\n", what, sum, all);
  for (const auto &[reason, count] : reasons)
    fmt::print("  not covered: {:4} {}\n", count, reason);
  for (const auto &[family, count] : expectedPassing)
    EXPECT_GE(passing[family], count) << "fewer cases of the family " << family << " are covered than before";
}

TEST(ConformanceGradients, TheReferenceReproducesThem) { runAll("reference", runReferenceGradients); }
TEST(ConformanceGradients, TheKernelsReproduceThem) { runAll("kernels", runKernelGradients); }

TEST(ConformanceGradients, EveryFamilyIsListed) {
  std::set<std::string> families, listed;
  for (const Case &c : cases())
    if (hasGradients(c))
      families.insert(c.family);
  for (const auto &[family, count] : expectedPassing)
    listed.insert(family);
  EXPECT_EQ(families, listed);
}

} // namespace
} // namespace flexsn::conformance
