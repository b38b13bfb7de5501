// What Surrogates.def says: primitives that are antiderivatives, and values at kinks, infinities and NaN that are those
// of the sources.
#include "tests/reference/SurrogateAt.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace flexsn::reference {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

/// The values of parameters that every property is tested at.
std::vector<std::vector<double>> settingsOf(const SurrogateInfo &surrogate) {
  std::vector<std::vector<double>> settings = {defaultsOf(surrogate), othersOf(surrogate)};
  if (const SurrogateParameter *count = surrogate.count())
    for (double terms : {1.0, 64.0}) {
      settings.push_back(defaultsOf(surrogate));
      settings.back()[count - surrogate.parameters.data()] = terms;
    }
  return settings;
}

/// From -8 to 8 and far outside; no kink of any entry, at any of the settings, is within 2e-4 of one of these.
std::vector<double> grid() {
  std::vector<double> points = {-1e6, 1e6};
  for (int i = -149; i <= 149; ++i)
    points.push_back(0.0537 * i + 0.0023);
  return points;
}

/// Central differences over h and h / 2, from which the term in h^2 is eliminated: what is left of the error of the
/// difference is of the order h^4, and the roundings of the primitive divided by h.
double difference(SurrogateAt<double> &surrogate, double x, double h) {
  const auto over = [&](double step) {
    const double above = x + step, below = x - step;
    return (surrogate.primitive(above).real - surrogate.primitive(below).real) / (above - below);
  };
  return (4 * over(h / 2) - over(h)) / 3;
}

TEST(Surrogates, PrimitivesAreAntiderivatives) {
  size_t compared = 0;
  for (const SurrogateInfo &info : surrogates())
    for (const std::vector<double> &parameters : settingsOf(info)) {
      SurrogateAt<double> surrogate(info, parameters);
      for (double x : grid()) {
        if (!surrogate.hasPrimitive())
          continue;
        // A wave is as steep far away as it is at 0, and its argument is rounded there; all others get flat.
        const double h = 1e-4 * (info.count() ? 1 : std::max(1.0, std::fabs(x)));
        const double want = surrogate.gradient(x).real, got = difference(surrogate, x, h);
        // What is rounded: the primitive, parts of it of size 1 that cancel, the argument of a wave.
        const double size =
            std::max({std::fabs(surrogate.primitive(x).real), 1.0, info.count() ? 64 * std::fabs(x) : 0});
        const double allowed = 1e-7 * std::fabs(want) + 64 * 0x1p-53 * size / h;
        EXPECT_LE(std::fabs(got - want), allowed)
            << fmt::format("{}({}) at {}: {}, not {}", info.name, fmt::join(parameters, ", "), x, want, got);
        ++compared;
      }
    }
  EXPECT_GT(compared, 10'000u);
}

TEST(Surrogates, TwoHaveNoPrimitive) {
  std::set<std::string_view> without;
  for (const SurrogateInfo &info : surrogates())
    if (!SurrogateAt<double>(info, defaultsOf(info)).hasPrimitive())
      without.insert(info.name);
  EXPECT_EQ(without, (std::set<std::string_view>{"super_spike", "fake_numerical_gradient"}));
}

/// Gradients at points, from the sources' definitions by hand.
struct Known {
  std::string_view name;
  std::vector<double> parameters;
  std::vector<std::pair<double, double>> gradients; ///< x and the derivative there
};

const std::vector<Known> &known() {
  static const std::vector<Known> rows = {
      {"piecewise_quadratic", {2}, {{0, 2}, {0.25, 1}, {0.5, 0}, {-0.5, 0}, {0.75, 0}, {-inf, 0}, {nan, nan}}},
      {"piecewise_exp", {2}, {{0, 1}, {-0.5, std::exp(-1.0)}, {inf, 0}, {-inf, 0}, {nan, nan}}},
      {"sigmoid", {4}, {{0, 1}, {inf, 0}, {-inf, 0}, {nan, nan}}},
      {"soft_sign", {2}, {{0, 1}, {0.5, 0.25}, {-0.5, 0.25}, {inf, 0}, {nan, nan}}},
      {"super_spike", {3}, {{0, 3}, {1, 0.75}, {-1, 0.75}, {-inf, 0}, {nan, nan}}},
      {"atan", {2}, {{0, 1}, {1, 1 / (1 + M_PI * M_PI)}, {-inf, 0}, {nan, nan}}},
      {"nonzero_sign_log_abs", {4}, {{0, 4}, {-0.25, 2}, {inf, 0}, {nan, nan}}},
      {"erf", {2}, {{0, 2 / std::sqrt(M_PI)}, {0.5, 2 / std::sqrt(M_PI) * std::exp(-1.0)}, {-inf, 0}, {nan, nan}}},
      {"piecewise_leaky_relu",
       {1, 0.25},
       {{0, 0.5}, {0.5, 0.5}, {1, 0.25}, {-1, 0.25}, {2, 0.25}, {-inf, 0.25}, {nan, 0.25}}},
      {"squarewave_fourier_series", {1, 8}, {{0.3, 0}, {inf, 0}, {nan, 0}}},
      {"squarewave_fourier_series", {3, 8}, {{0, 1}, {4, -1}, {8, 1}, {inf, nan}, {nan, nan}}},
      {"s2nn", {4, 0.5}, {{0, 0.5}, {-0.0, 0.5}, {1, 0.25}, {-1e-300, 1}, {inf, 0}, {-inf, 0}, {nan, nan}}},
      {"q_pseudo_spike", {2}, {{0, 1}, {0.5, 0.25}, {-0.5, 0.25}, {inf, 0}, {nan, nan}}},
      {"leaky_k_relu", {0.1, 0.7}, {{0, 0.7}, {-0.0, 0.7}, {2, 0.7}, {-1e-300, 0.1}, {-inf, 0.1}, {nan, 0.1}}},
      {"fake_numerical_gradient", {0.3}, {{0, 0.3}, {-0.0, -inf}, {1, 0.3}, {-10, 0.1}, {-inf, 0}, {nan, nan}}},
      {"log_tailed_relu", {0.1}, {{0, 0.1}, {-1, 0.1}, {1e-300, 1}, {1, 1}, {2, 0.5}, {inf, 0}, {nan, 1}}},
      {"deterministic_pass", {}, {{0, 1}, {-inf, 1}, {nan, 1}}},
      {"rect", {2}, {{0, 2}, {0.24, 2}, {0.25, 0}, {-0.25, 0}, {inf, 0}, {nan, 0}}},
      {"triangle", {2}, {{0, 0.5}, {-1, 0.25}, {2, 0}, {-3, 0}, {inf, 0}, {nan, nan}}},
      {"slayer", {2}, {{0, 1}, {0.5, std::exp(-1.0)}, {-inf, 0}, {nan, nan}}},
      {"fast_sigmoid", {25}, {{0, 1}, {0.04, 0.25}, {-0.04, 0.25}, {inf, 0}, {nan, nan}}},
  };
  return rows;
}

TEST(Surrogates, GradientsAreTheSourcesAtKinksToo) {
  std::set<std::string_view> covered;
  for (const Known &row : known()) {
    const SurrogateInfo *info = findSurrogate(row.name);
    ASSERT_TRUE(info) << row.name;
    covered.insert(row.name);
    SurrogateAt<double> surrogate(*info, row.parameters);
    for (auto [x, want] : row.gradients) {
      const double got = surrogate.gradient(x).real;
      EXPECT_TRUE(sameBits(got, want) || std::fabs(got - want) <= 1e-15)
          << fmt::format("{} at {}: {}, not {}", row.name, x, got, want);
    }
  }
  EXPECT_EQ(covered.size(), surrogates().size()) << "an entry has no row";
}

TEST(Surrogates, EveryCountHasAFormula) {
  const SurrogateInfo &info = *findSurrogate("squarewave_fourier_series");
  for (unsigned count = 1; count <= 64; ++count) {
    SurrogateAt<double> surrogate(info, {static_cast<double>(count), 8});
    EXPECT_NEAR(surrogate.gradient(0).real, 0.5 * (count - 1), 1e-12); // each cosine is 1
    EXPECT_NEAR(surrogate.primitive(0).real, 0.5, 1e-12);
  }
}

} // namespace
} // namespace flexsn::reference
