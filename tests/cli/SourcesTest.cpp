// Built-in inputs: their values, and every way to type them wrongly.
#include "tools/flexsnc/Sources.h"
#include "tools/flexsnc/Failure.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace flexsn::cli;

namespace {

std::vector<double> valuesOf(const std::string &text) {
  Array array = makeSource(text, std::nullopt, std::nullopt);
  std::vector<double> values;
  for (int64_t i = 0; i < array.size(); ++i)
    values.push_back(array.at(i));
  return values;
}

std::string complaint(const std::string &text, std::optional<int64_t> steps = {}, std::optional<int64_t> neurons = {}) {
  try {
    makeSource(text, steps, neurons);
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.status, ExitStatus::Usage);
    return failure.what();
  }
  return "";
}

TEST(Sources, AreToldFromFiles) {
  for (const char *source : {"poisson(rate=1)", "x()", "CONSTANT(1)"})
    EXPECT_TRUE(isSource(source)) << source;
  for (const char *file : {"a.npy", "a(1).npy", "(1)", "", "dir/step(1)", "x1(2)", "step(1", "-"})
    EXPECT_FALSE(isSource(file)) << file;
}

TEST(Sources, Values) {
  EXPECT_EQ(valuesOf("constant(value=1.5, T=2, N=2)"), (std::vector<double>{1.5, 1.5, 1.5, 1.5}));
  EXPECT_EQ(valuesOf("constant(-2, T=1, N=1)"), (std::vector<double>{-2}));
  EXPECT_EQ(valuesOf("step(value=2, at=2, T=4, N=1)"), (std::vector<double>{0, 0, 2, 2}));
  EXPECT_EQ(valuesOf("step(2, 1, before=-1, T=3, N=1)"), (std::vector<double>{-1, 2, 2}));
  EXPECT_EQ(valuesOf("ramp(stop=1, T=5, N=1)"), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(valuesOf("ramp(stop=0.3, start=0.1, T=1, N=1)"), (std::vector<double>{0.1}));
  EXPECT_EQ(valuesOf("ramp(stop=0.1, start=0.3, T=2, N=2)"), (std::vector<double>{0.3, 0.3, 0.1, 0.1}));
  EXPECT_TRUE(valuesOf("constant(1, T=3, N=0)").empty());
}

TEST(Sources, SizesMayComeFromOutside) {
  Array array = makeSource("constant(value=1)", 3, 4);
  EXPECT_EQ(array.shape, (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(array.element, Element::F64);
}

TEST(Sources, PoissonRepeatsAndHasItsMoments) {
  std::vector<double> values = valuesOf("poisson(rate=0.3, T=1000, N=100, seed=1)");
  EXPECT_EQ(values, valuesOf("poisson(seed=1, N=100, T=1000, rate=0.3)"));
  EXPECT_NE(values, valuesOf("poisson(rate=0.3, T=1000, N=100, seed=2)"));
  double sum = 0, squares = 0;
  for (double value : values) {
    ASSERT_TRUE(value >= 0 && value == std::trunc(value));
    sum += value;
    squares += value * value;
  }
  // Mean and variance are 0.3; five standard deviations of their estimates from 100,000 draws.
  double count = static_cast<double>(values.size()), mean = sum / count;
  EXPECT_NEAR(mean, 0.3, 5 * std::sqrt(0.3 / count));
  EXPECT_NEAR(squares / count - mean * mean, 0.3, 5 * std::sqrt((0.3 + 2 * 0.09) / count));
  // A neuron and a step have the value they have, however large the array is.
  EXPECT_EQ(valuesOf("poisson(rate=0.3, T=1, N=100, seed=1)"),
            std::vector<double>(values.begin(), values.begin() + 100));
}

TEST(Sources, PoissonAtItsEnds) {
  for (double value : valuesOf("poisson(rate=0, T=10, N=10)"))
    EXPECT_EQ(value, 0);
  double sum = 0;
  for (double value : valuesOf("poisson(rate=100, amplitude=0.5, T=50, N=50)"))
    sum += value;
  EXPECT_NEAR(sum / 2500, 50, 1);
}

TEST(Sources, SayWhatIsWrong) {
  const std::pair<const char *, const char *> cases[] = {
      {"poison(rate=1, T=1, N=1)", "'poison' is no built-in source; did you mean 'poisson'?"},
      {"noise(T=1)", "'noise' is no built-in source"},
      {"poisson(T=1, N=1)", "poisson needs 'rate'"},
      {"poisson(rate=1, N=1)", "poisson needs 'T'"},
      {"poisson(rate=1, T=1)", "poisson needs 'N'"},
      {"constant()", "constant needs 'value'"},
      {"poisson(rat=1, T=1, N=1)", "poisson has no argument 'rat'; did you mean 'rate'?"},
      {"poisson(rate=1, rate=2, T=1, N=1)", "poisson: 'rate' is given twice"},
      {"poisson(1, rate=2, T=1, N=1)", "poisson: 'rate' is given twice"},
      {"poisson(rate=-1, T=1, N=1)", "poisson: 'rate' must be a number from 0 to 100, not '-1'"},
      {"poisson(rate=101, T=1, N=1)", "poisson: 'rate' must be a number from 0 to 100, not '101'"},
      {"poisson(rate=nan, T=1, N=1)", "poisson: 'rate' must be a number from 0 to 100, not 'nan'"},
      {"poisson(rate=, T=1, N=1)", "poisson: 'rate' must be a number from 0 to 100, not ''"},
      {"poisson(rate=1, T=1, N=1, seed=1.5)", "poisson: 'seed' must be a whole number from 0, not '1.5'"},
      {"constant(inf, T=1, N=1)", "constant: 'value' must be a finite number, not 'inf'"},
      {"constant(1e999, T=1, N=1)", "constant: 'value' must be a finite number, not '1e999'"},
      {"constant(1, T=0, N=1)", "constant: 'T' must be a whole number from 1, not '0'"},
      {"constant(1, T=2.5, N=1)", "constant: 'T' must be a whole number from 1, not '2.5'"},
      {"constant(1, T=1, N=-1)", "constant: 'N' must be a whole number from 0, not '-1'"},
      {"constant(1, 2, T=1, N=1)", "constant: '2' needs a name, as in T=100"},
      {"constant(1,, T=1, N=1)", "constant: '' needs a name, as in T=100"},
      {"constant(1, T=1, N=\x1b[2J)", "constant: 'N' must be a whole number from 0, not '\\x1b[2J'"},
  };
  for (const auto &[text, message] : cases)
    EXPECT_EQ(complaint(text), message);
  EXPECT_EQ(complaint("constant(1, T=1, N=1)", 5), "constant: 'T' is given twice, in the source and by --T");
  EXPECT_EQ(complaint("constant(1, T=1, N=1)", {}, 5), "constant: 'N' is given twice, in the source and by --N");
}

TEST(Sources, LargerThanMemoryIsAFailure) {
  EXPECT_THROW(makeSource("constant(1, T=1000000000, N=1000000000)", {}, {}), Failure);
  EXPECT_THROW(makeSource("constant(1, T=9007199254740992, N=9007199254740992)", {}, {}), Failure);
}

TEST(Sources, HelpShowsDefaults) { EXPECT_EQ(sourceHelp()[0].usage, "poisson(rate, amplitude=1, seed=0, T, N)"); }

} // namespace
