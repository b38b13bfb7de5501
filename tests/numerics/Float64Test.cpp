// The float64 functions: within 4 ulp of the C library's long double functions. They are the platform's, or composed of
// its.
#include "tests/numerics/Compiled.h"
#include "tests/numerics/Values.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace flexsn::test {
namespace {

constexpr int64_t count = 1'000'000;
constexpr double bound = 4; // glibc's manual gives its functions up to 3; a composition adds a rounding or two
constexpr long double inf = std::numeric_limits<long double>::infinity();
using Long = long double;

struct Row {
  const char *name;
  double low, high; ///< half of the inputs lie here; the others have random bits
  Long (*exact)(Long, Long);
  unsigned arguments = 1;
};
const Row rows[] = {
    {"exp", -745, 710, [](Long x, Long) { return std::exp(x); }},
    {"expm1", -40, 710, [](Long x, Long) { return std::expm1(x); }},
    {"exprel", -40, 720, [](Long x, Long) { return x == 0     ? 1
                                                   : x == inf ? inf
                                                              : std::expm1(x) / x; }},
    {"log", 0, 10, [](Long x, Long) { return x < 0 ? NAN : std::log(x); }},
    {"log1p", -1, 10, [](Long x, Long) { return x < -1 ? NAN : std::log1p(x); }},
    {"log2", 0, 10, [](Long x, Long) { return x < 0 ? NAN : std::log2(x); }},
    {"tanh", -20, 20, [](Long x, Long) { return std::tanh(x); }},
    {"sigmoid", -745, 40,
     [](Long x, Long) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }},
    {"softplus", -745, 40, [](Long x, Long) { return (x < 0 ? 0 : x) + std::log1p(std::exp(-std::fabs(x))); }},
    {"sin", -100, 100, [](Long x, Long) { return std::sin(x); }},
    {"cos", -100, 100, [](Long x, Long) { return std::cos(x); }},
    {"tan", -100, 100, [](Long x, Long) { return std::tan(x); }},
    {"atan", -10, 10, [](Long x, Long) { return std::atan(x); }},
    {"asin", -1, 1, [](Long x, Long) { return std::asin(x); }},
    {"acos", -1, 1, [](Long x, Long) { return std::acos(x); }},
    {"sinh", -700, 700, [](Long x, Long) { return std::sinh(x); }},
    {"cosh", -700, 700, [](Long x, Long) { return std::cosh(x); }},
    {"erf", -6, 6, [](Long x, Long) { return std::erf(x); }},
    {"erfc", -6, 27, [](Long x, Long) { return std::erfc(x); }},
    {"rsqrt", 0, 10, [](Long x, Long) { return 1 / std::sqrt(x); }},
    {"sqrt", 0, 10, [](Long x, Long) { return std::sqrt(x); }},
    {"pow", 0, 50, [](Long x, Long y) { return std::pow(x, y); }, 2},
    {"atan2", -5, 5, [](Long y, Long x) { return std::atan2(y, x); }, 2},
    {"fmod", -50, 50, [](Long x, Long y) { return std::fmod(x, y); }, 2},
};

class Float64 : public testing::TestWithParam<Row> {};

TEST_P(Float64, IsNearTheLongDouble) {
  const Row &row = GetParam();
  const Target native;
  std::string body = fmt::format("%y = neuron.{} {} : f64", row.name, row.arguments == 2 ? "%x0, %x1" : "%x0");
  Compiled kernel(mapText(row.arguments, "f64", "f64", body, widthFor(native, "f64")), native);
  std::vector<double> special = specialValues<double>();
  std::vector<double> x(count), y(count), result(count);
  for (int64_t i = 0; i < count; ++i) {
    auto value = [&](uint64_t bits) {
      double unit = static_cast<double>(bits >> 11) * 0x1p-53;
      return i % 2 ? std::bit_cast<double>(bits) : row.low + (row.high - row.low) * unit;
    };
    x[i] = value(hashed(2 * i));
    y[i] = value(hashed(2 * i + 1));
    if (i < static_cast<int64_t>(special.size() * special.size())) {
      x[i] = special[i / special.size()];
      y[i] = special[i % special.size()];
    }
  }
  std::vector<Binding> bindings = {{x.data()}, {result.data()}};
  if (row.arguments == 2)
    bindings.insert(bindings.begin() + 1, Binding{y.data()});
  kernel.run(bindings, 1, count);
  double worst = 0;
  int64_t at = 0;
  for (int64_t i = 0; i < count; ++i)
    if (double error = errorInUlp(result[i], row.exact(x[i], y[i])); error > worst) {
      worst = error;
      at = i;
    }
  EXPECT_LE(worst, bound) << fmt::format("at ({}, {}): {}", x[at], y[at], result[at]);
}
INSTANTIATE_TEST_SUITE_P(All, Float64, testing::ValuesIn(rows),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace flexsn::test
