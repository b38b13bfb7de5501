// The forward part of every case, through the kernel and through the reference interpreter.
#include "tests/conformance/Differences.h"
#include "tests/conformance/Runners.h"
#include "tests/reference/Coverage.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace flexsn::conformance {
namespace {

const std::vector<std::string> forwardRoles = {"out", "final", "seq"};

/// How many cases of each family must run and pass. Raise a number when the language grows; never lower one.
const std::map<std::string, size_t> expectedPassing = {{"activation_aware_if", 64},
                                                       {"brian2", 0},
                                                       {"carry", 24},
                                                       {"eif", 32},
                                                       {"exact", 0},
                                                       {"flexsn", 24},
                                                       {"functions", 78},
                                                       {"half", 12},
                                                       {"if", 32},
                                                       {"ilif", 16},
                                                       {"izhikevich", 32},
                                                       {"lif", 64},
                                                       {"nonfinite", 21},
                                                       {"norse", 8},
                                                       {"option_detach", 8},
                                                       {"parametriclif", 64},
                                                       {"qif", 32},
                                                       {"sinabs", 2},
                                                       {"snntorch", 12},
                                                       {"stbif", 24},
                                                       {"surrogate_lif", 34},
                                                       {"surrogates", 42},
                                                       {"trace_output", 6},
                                                       {"variants", 28}};

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
    std::string wrong = difference(c, results, forwardRoles);
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
      EXPECT_EQ(difference(c, carried, forwardRoles), "") << c.id << " from the states that " << c.continues << " left";
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
