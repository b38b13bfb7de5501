// The forward part of every case, through the kernel and through the reference interpreter.
#include "tests/conformance/Runners.h"
#include "tests/reference/Coverage.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace flexsn::conformance {
namespace {

/// How many cases of each family must run and pass. Raise a number when the language grows; never lower one.
const std::map<std::string, size_t> expectedPassing = {{"activation_aware_if", 32},
                                                       {"brian2", 0},
                                                       {"carry", 24},
                                                       {"eif", 32},
                                                       {"exact", 0},
                                                       {"flexsn", 12},
                                                       {"functions", 78},
                                                       {"half", 12},
                                                       {"if", 32},
                                                       {"ilif", 16},
                                                       {"izhikevich", 32},
                                                       {"lif", 64},
                                                       {"nonfinite", 19},
                                                       {"norse", 8},
                                                       {"option_detach", 8},
                                                       {"parametriclif", 64},
                                                       {"qif", 32},
                                                       {"sinabs", 0},
                                                       {"snntorch", 12},
                                                       {"stbif", 24},
                                                       {"surrogate_lif", 34},
                                                       {"surrogates", 42},
                                                       {"trace_output", 6},
                                                       {"variants", 24}};

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
};

bool isException(const Case &c, const std::string &key, size_t index) {
  return std::any_of(std::begin(exceptions), std::end(exceptions),
                     [&](const Exception &e) { return c.id == e.id && key == e.key && index == e.index; });
}

struct Tolerance {
  double relative, absolute;
};
Tolerance standardTolerance(const std::string &dtype) {
  return dtype == "float64"    ? Tolerance{1e-12, 1e-13}
         : dtype == "float16"  ? Tolerance{1e-3, 1e-4}
         : dtype == "bfloat16" ? Tolerance{8e-3, 1e-3}
                               : Tolerance{1e-5, 1e-6};
}

/// README.md, Tolerances. Returns the first difference in words, or nothing.
std::string difference(const Case &c, const std::string &key, const reference::Array &got) {
  reference::Array want = c.array(key).cells();
  if (want.size() != got.size())
    return fmt::format("{}: {} elements, not {}", key, got.size(), want.size());
  std::string name = key.substr(key.find('.') + 1);
  bool exact = false;
  for (const auto &[output, kind] : c.outputs)
    exact |= key == "out." + output && kind != "float";
  auto own = [&](const char *tolerance, double standard) {
    auto found = c.tolerances.find(tolerance);
    return found == c.tolerances.end() ? standard : found->second;
  };
  double rtol = exact ? 0 : own("state_rtol", standardTolerance(c.dtype).relative);
  double atol = exact ? 0 : own("state_atol", standardTolerance(c.dtype).absolute);
  double largest = 1;
  for (size_t i = 0; i < want.size(); ++i)
    if (std::isfinite(want.number(i)))
      largest = std::max(largest, std::fabs(want.number(i)));
  for (size_t i = 0; i < want.size(); ++i) {
    double a = got.number(i), b = want.number(i);
    if (isException(c, key, i))
      continue;
    bool same = a == b || (std::isnan(a) && std::isnan(b));
    if (!same && !(std::isfinite(a) && std::isfinite(b) && std::fabs(a - b) <= rtol * std::fabs(b) + atol * largest))
      return fmt::format("{}[{}]: {:.9g}, not {:.9g}", key, i, a, b);
  }
  return "";
}

/// Every forward array of the case that the results have or must have.
std::string difference(const Case &c, const Results &results) {
  std::string found;
  for (const std::string &key : c.arrays) {
    std::string role = key.substr(0, key.find('.'));
    if (role != "out" && role != "final" && role != "seq")
      continue;
    auto result = results.arrays.find(key);
    std::string wrong = result == results.arrays.end() ? key + ": missing" : difference(c, key, result->second);
    if (!wrong.empty())
      found += (found.empty() ? "" : "; ") + wrong;
  }
  return found;
}

/// Why the project cannot run the case yet, or nothing. Anything else must pass.
std::string reasonNotCovered(const Model &model) { return reference::notCovered(model).value_or(""); }

struct Tally {
  std::map<std::string, size_t> passing, reasons;
};

/// Runs every case by `run`, whose results carry over to the case that continues it.
template <class Run> Tally runAll(Run run) {
  Tally tally;
  std::map<std::string, Results> done;
  for (const Case &c : cases()) {
    std::string error;
    auto model = checkedModel(c, error);
    EXPECT_TRUE(model) << c.id << ":\n" << error;
    if (!model)
      continue;
    std::string reason = reasonNotCovered(*model);
    Results results;
    if (reason.empty()) {
      results = run(c, *model, done);
      reason = results.refused;
    }
    if (!reason.empty()) {
      ++tally.reasons[reason.substr(0, reason.find('\n'))];
      continue;
    }
    std::string wrong = difference(c, results);
    EXPECT_EQ(wrong, "") << c.id;
    tally.passing[c.family] += wrong.empty();
    done[c.id] = std::move(results);
  }
  return tally;
}

void print(const char *what, const Tally &tally) {
  size_t passing = 0;
  for (const auto &[family, count] : tally.passing)
    passing += count;
  fmt::print("{}: {} of {} cases pass\n", what, passing, cases().size());
  for (const auto &[reason, count] : tally.reasons)
    fmt::print("  not covered: {:4} {}\n", count, reason);
}

TEST(Conformance, KernelsReproduceTheForwardValues) {
  Tally tally = runAll([](const Case &c, const Model &model, const std::map<std::string, Results> &done) {
    Results results = runKernel(c, model);
    if (auto before = done.find(c.continues); before != done.end()) { // from the kernel's own final states too
      Results carried = runKernel(c, model, &before->second);
      EXPECT_EQ(difference(c, carried), "") << c.id << " from the states that " << c.continues << " left";
    }
    return results;
  });
  print("kernels", tally);
  for (const auto &[family, count] : expectedPassing)
    EXPECT_GE(tally.passing[family], count) << "fewer cases of the family " << family << " are covered than before";
}

TEST(Conformance, TheReferenceInterpreterReproducesTheForwardValues) {
  Tally tally = runAll(
      [](const Case &c, const Model &model, const std::map<std::string, Results> &) { return runReference(c, model); });
  print("reference interpreter", tally);
  for (const auto &[family, count] : expectedPassing)
    EXPECT_GE(tally.passing[family], count) << "fewer cases of the family " << family << " are covered than before";
}

TEST(Conformance, EveryFamilyIsListed) {
  std::map<std::string, size_t> families;
  for (const Case &c : cases())
    ++families[c.family];
  for (const auto &[family, count] : families)
    EXPECT_TRUE(expectedPassing.count(family)) << family;
  EXPECT_EQ(families.size(), expectedPassing.size());
}

} // namespace
} // namespace flexsn::conformance
