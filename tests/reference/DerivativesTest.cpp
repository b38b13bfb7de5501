// Each rule of differentiation alone: against differences of the function, at the seams, and against the lists.
#include "tests/reference/Derivatives.h"

#include "compiler/frontend/Surrogates.h"
#include "tests/reference/Functions.h"
#include "tests/reference/Random.h"
#include "tests/reference/Surrogates.h"

#include <gtest/gtest.h>

#include <map>

namespace flexsn::reference {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

/// d f / d x at x, to about 1e-10 of f's size where f has no seam within 2e-5 of x.
template <class Function> double derivative(Function f, double x) {
  auto difference = [&](double h) { return (f(x + h) - f(x - h)) / (2 * h); };
  return (4 * difference(1e-5) - difference(2e-5)) / 3;
}

/// Where a function is defined with a margin, if not everywhere.
std::pair<double, double> domain(std::string_view name) {
  static const std::map<std::string_view, std::pair<double, double>> domains = {
      {"sqrt", {0.1, 4}}, {"rsqrt", {0.1, 4}},   {"log", {0.1, 4}},     {"log2", {0.1, 4}},  {"pow", {0.1, 4}},
      {"tan", {-1, 1}},   {"asin", {-0.9, 0.9}}, {"acos", {-0.9, 0.9}}, {"log1p", {-0.9, 4}}};
  auto found = domains.find(name);
  return found == domains.end() ? std::pair(-3.0, 3.0) : found->second;
}

TEST(ReferenceDerivatives, EveryFunctionHasTheSlopeOfItsDifferences) {
  Random random(1);
  for (const FunctionInfo &info : functions()) {
    if (info.types == FunctionTypes::Lanes || info.types == FunctionTypes::Test)
      continue;
    auto [low, high] = domain(info.name);
    for (int trial = 0; trial < 100; ++trial) {
      double x[3] = {random.between(low, high), random.between(0.5, 3), random.between(1, 3)};
      const std::span<const double> arguments(x, info.arity);
      const Slopes slopes = slopesOf(info.id, arguments, evaluate(info.id, arguments));
      for (unsigned i = 0; i < info.arity; ++i) {
        auto along = [&](double at) {
          double moved[3] = {x[0], x[1], x[2]};
          moved[i] = at;
          return evaluate(info.id, std::span<const double>(moved, info.arity));
        };
        const double want = derivative(along, x[i]);
        ASSERT_NEAR(slopes[i].value_or(0).factor, want, 1e-8 * std::fmax(1, std::fabs(want)))
            << info.name << " in argument " << i << " at " << x[0] << ", " << x[1] << ", " << x[2];
      }
    }
  }
}

/// exprel's slope cancels near 0, where differences are too coarse: its series has the digits.
TEST(ReferenceDerivatives, ExprelIsSmoothAtZero) {
  auto slope = [](double x) {
    const std::span<const double> arguments(&x, 1);
    return slopesOf(Function::Exprel, arguments, evaluate(Function::Exprel, arguments))[0]->factor;
  };
  EXPECT_EQ(slope(0), 0.5);
  EXPECT_NEAR(slope(1e-9), 0.5 + 1e-9 / 3, 1e-16);
  EXPECT_NEAR(slope(1), 1, 1e-14); // e - (e - 1)
  EXPECT_NEAR(slope(std::nextafter(1, 2)), 1, 1e-14);
  EXPECT_EQ(slope(inf), inf);
  EXPECT_EQ(slope(-inf), 0);
}

/// Slopes with -1 for a mask, -2 for none.
std::vector<double> at(Function function, std::vector<double> x) {
  std::vector<double> result;
  for (std::optional<Slope> slope : slopesOf(function, x, evaluate<double>(function, x)))
    result.push_back(!slope ? -2 : slope->isMask ? -1 : slope->factor);
  return result;
}

TEST(ReferenceDerivatives, SeamsArePyTorchs) {
  using V = std::vector<double>;
  EXPECT_EQ(at(Function::Min, {2, 2}), (V{0.5, 0.5}));
  EXPECT_EQ(at(Function::Max, {0.0, -0.0}), (V{0.5, 0.5}));
  EXPECT_EQ(at(Function::Min, {1, 2}), (V{1, -1}));
  EXPECT_EQ(at(Function::Max, {1, 2}), (V{-1, 1}));
  EXPECT_EQ(at(Function::Max, {nan, 2}), (V{1, 1}));
  EXPECT_EQ(at(Function::Clip, {-1, -1, 2}), (V{1, -1, -1}));
  EXPECT_EQ(at(Function::Clip, {2, -1, 2}), (V{1, -1, -1}));
  EXPECT_EQ(at(Function::Clip, {-1.5, -1, 2}), (V{-1, 1, -1}));
  EXPECT_EQ(at(Function::Clip, {2.5, -1, 2}), (V{-1, -1, 1}));
  EXPECT_EQ(at(Function::Clip, {0, 2, 1}), (V{-1, -1, 1})); // the upper bound wins
  EXPECT_EQ(at(Function::Clip, {nan, -1, 2}), (V{-1, -1, -1}));
  EXPECT_EQ(at(Function::Abs, {-0.0}), (V{0}));
  EXPECT_EQ(at(Function::Relu, {0}), (V{-1}));
  EXPECT_EQ(at(Function::Relu, {nan}), (V{1}));
  EXPECT_EQ(at(Function::Fmod, {-7, 2}), (V{1, 3}));
  EXPECT_EQ(at(Function::Pow, {0, 2}), (V{0, -1}));
  EXPECT_EQ(at(Function::Pow, {0, 0}), (V{-1, -1}));
  EXPECT_EQ(at(Function::Atan2, {0, 0}), (V{-1, -1}));
  EXPECT_EQ(at(Function::Sqrt, {0}), (V{inf}));
  for (Function step : {Function::Floor, Function::Ceil, Function::Round, Function::Trunc, Function::Sign})
    EXPECT_EQ(at(step, {0.3}), (V{-2}));
}

TEST(ReferenceSurrogates, AreThoseOfTheList) {
  for (const SurrogateInfo &info : surrogates())
    EXPECT_TRUE(findPlainSurrogate(info.name)) << info.name;
  for (const PlainSurrogate &formula : plainSurrogates())
    EXPECT_TRUE(findSurrogate(formula.name)) << formula.name;
  EXPECT_EQ(plainSurrogates().size(), surrogates().size());
}

/// At the parameters' defaults and at others.
TEST(ReferenceSurrogates, PrimitivesHaveTheGradientAsSlope) {
  Random random(2);
  for (const SurrogateInfo &info : surrogates())
    for (double factor : {1.0, 1.5}) {
      std::vector<double> a;
      for (const SurrogateParameter &parameter : info.parameters)
        a.push_back(parameter.count ? 4 : parameter.defaultValue * factor);
      const PlainSurrogate &formula = *findPlainSurrogate(info.name);
      for (int trial = 0; trial < 200; ++trial) {
        const double x = random.between(-3, 3);
        const double want = derivative([&](double moved) { return formula.primitive(moved, a.data()); }, x);
        EXPECT_NEAR(formula.gradient(x, a.data()), want, 1e-8) << info.name << " at " << x << ", factor " << factor;
      }
    }
}

TEST(ReferenceSurrogates, PrimitivesAreContinuous) {
  for (const SurrogateInfo &info : surrogates()) {
    std::vector<double> a;
    for (const SurrogateParameter &parameter : info.parameters)
      a.push_back(parameter.count ? 4 : parameter.defaultValue);
    const PlainSurrogate &formula = *findPlainSurrogate(info.name);
    for (int i = -256; i < 256; ++i) { // seams are among them
      const double x = i * 0x1p-6;
      EXPECT_NEAR(formula.primitive(x - 1e-9, a.data()), formula.primitive(x + 1e-9, a.data()), 1e-7)
          << info.name << " at " << x;
    }
  }
}

TEST(ReferenceSurrogates, BoundsOfWindowsAreSpikingJellys) {
  const double one[] = {1, 0.25};
  auto gradient = [&](const char *name, double x) { return findPlainSurrogate(name)->gradient(x, one); };
  EXPECT_EQ(gradient("piecewise_leaky_relu", 1), 0.25);
  EXPECT_EQ(gradient("piecewise_leaky_relu", -1), 0.25);
  EXPECT_EQ(gradient("rect", 0.5), 0);
  EXPECT_EQ(gradient("rect", 0.499), 1);
  EXPECT_EQ(gradient("leaky_k_relu", 0), 0.25);
  EXPECT_EQ(gradient("s2nn", 0), 0.25);
  EXPECT_EQ(gradient("log_tailed_relu", 0), 1);
  EXPECT_EQ(gradient("log_tailed_relu", 1), 1);
  EXPECT_EQ(gradient("fake_numerical_gradient", 0), 1);
  EXPECT_TRUE(std::isnan(gradient("triangle", nan)));
}

} // namespace
} // namespace flexsn::reference
