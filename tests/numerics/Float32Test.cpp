// The float32 functions: their error against the C library's double functions, the same bits on every target.
#include "tests/numerics/Compiled.h"
#include "tests/numerics/Values.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace flexsn::test {
namespace {

constexpr int64_t block = 1 << 16;
constexpr uint64_t every = 257; // odd, so that all parts of the bit pattern vary; the full set has 2^32

/// The bound is what all 2^32 inputs gave, in ulp, rounded up (docs/functions.md).
struct Unary {
  const char *name;
  double ulp;
  double (*exact)(double);
  int direction = 0; ///< 1 ascending, -1 descending; 0 not monotone to the bit
};
constexpr double inf = std::numeric_limits<double>::infinity();
const Unary unary[] = {
    {"exp", 0.85, [](double x) { return std::exp(x); }, 1},
    {"expm1", 0.90, [](double x) { return std::expm1(x); }, 1},
    {"exprel", 1.60, [](double x) { return x == 0     ? 1
                                           : x == inf ? inf
                                                      : std::expm1(x) / x; }},
    {"log", 0.95, [](double x) { return x < 0 ? NAN : std::log(x); }, 1},
    {"log1p", 0.95, [](double x) { return x < -1 ? NAN : std::log1p(x); }, 1},
    {"log2", 0.94, [](double x) { return x < 0 ? NAN : std::log2(x); }, 1},
    {"tanh", 0.77, [](double x) { return std::tanh(x); }, 1},
    {"sigmoid", 0.77, [](double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }, 1},
    {"softplus", 1.72, [](double x) { return (x < 0 ? 0 : x) + std::log1p(std::exp(-std::fabs(x))); }},
    {"sin", 0.88, [](double x) { return std::sin(x); }},
    {"cos", 0.88, [](double x) { return std::cos(x); }},
    {"tan", 2.47, [](double x) { return std::tan(x); }},
    {"atan", 0.99, [](double x) { return std::atan(x); }, 1},
    {"asin", 2.36, [](double x) { return std::asin(x); }, 1},
    {"acos", 1.13, [](double x) { return std::acos(x); }, -1},
    {"sinh", 2.19, [](double x) { return std::sinh(x); }, 1},
    {"cosh", 1.32, [](double x) { return std::cosh(x); }},
    {"erf", 1.15, [](double x) { return std::erf(x); }},
    {"erfc", 3.45, [](double x) { return std::erfc(x); }},
    {"rsqrt", 1.50, [](double x) { return 1 / std::sqrt(x); }},
    {"sqrt", 0.5001, [](double x) { return std::sqrt(x); }, 1},
};

/// The function on all targets: the last one's results are measured, the others' are compared with them.
class OnAllTargets {
public:
  OnAllTargets(const std::string &name, unsigned arguments) : inputs(arguments, std::vector<float>(block)) {
    std::string body = fmt::format("%y = neuron.{} {} : f32", name, arguments == 2 ? "%x0, %x1" : "%x0");
    for (const Target &target : targets()) {
      kernels.emplace_back(mapText(arguments, "f32", "f32", body, widthFor(target, "f32")), target);
      outputs.emplace_back(block);
    }
  }

  /// Fills `results` from `inputs`. Without FMA instructions a fused operation is a call: with `sparse`, that target is
  /// left out.
  void run(bool sparse) {
    for (size_t i = sparse ? 1 : 0; i < kernels.size(); ++i) {
      std::vector<Binding> bindings;
      for (std::vector<float> &input : inputs)
        bindings.push_back({input.data()});
      bindings.push_back({outputs[i].data()});
      kernels[i].run(bindings, 1, block);
    }
    for (size_t i = sparse ? 1 : 0; i + 1 < kernels.size(); ++i)
      for (int64_t n = 0; n < block; ++n)
        if (bitsOf(outputs[i][n]) != bitsOf(results()[n])) {
          ADD_FAILURE() << nameOf(targets()[i]) << " gives other bits for " << inputs[0][n] << ", " << inputs.back()[n]
                        << ": " << outputs[i][n] << ", not " << results()[n];
          return;
        }
  }

  const std::vector<float> &results() const { return outputs.back(); }
  std::vector<std::vector<float>> inputs;

private:
  std::vector<Compiled> kernels;
  std::vector<std::vector<float>> outputs;
};

/// The largest error seen, with its place.
struct Worst {
  double ulp = 0;
  float x = 0, y = 0, got = 0;
  double want = 0;
  void see(double error, float atX, float atY, float result, double exact) {
    if (error > ulp)
      *this = {error, atX, atY, result, exact};
  }
  std::string text() const { return fmt::format("{} ulp at ({}, {}): {} for {}", ulp, x, y, got, want); }
};

class Float32Unary : public testing::TestWithParam<Unary> {};

TEST_P(Float32Unary, ErrorAndBits) {
  const Unary &row = GetParam();
  OnAllTargets function(row.name, 1);
  Worst worst;
  std::vector<float> special = specialValues<float>();
  uint64_t against = 0;
  for (uint64_t start = 0, n = 0; start < 1ull << 32; start += block * every, ++n) {
    std::vector<float> &x = function.inputs[0];
    for (int64_t i = 0; i < block; ++i)
      x[i] = std::bit_cast<float>(static_cast<uint32_t>(std::min<uint64_t>(start + i * every, UINT32_MAX)));
    if (n == 0)
      std::copy(special.begin(), special.end(), x.begin());
    function.run(n % 16 != 0);
    for (int64_t i = 0; i < block; ++i) {
      double exact = row.exact(x[i]);
      worst.see(errorInUlp(function.results()[i], exact), x[i], 0, function.results()[i], exact);
    }
    for (int64_t i = n == 0 ? static_cast<int64_t>(special.size()) + 1 : 1; i < block && row.direction != 0; ++i) {
      float step = (function.results()[i] - function.results()[i - 1]) * static_cast<float>(row.direction);
      against += x[i] > x[i - 1] ? step < 0 : x[i] < x[i - 1] && step > 0; // negative inputs descend
    }
  }
  EXPECT_LE(worst.ulp, row.ulp) << worst.text();
  EXPECT_EQ(against, 0u) << "steps against the function's direction";
  RecordProperty("ulp", fmt::format("{:.3f}", worst.ulp));
}
INSTANTIATE_TEST_SUITE_P(All, Float32Unary, testing::ValuesIn(unary),
                         [](const auto &info) { return std::string(info.param.name); });

// ---- Two arguments --------------------------------------------------------------------------------------------------

/// The bits of x with another exponent field; its sign is kept or made positive.
float withExponent(uint32_t x, uint32_t exponent, uint32_t signMask) {
  return std::bit_cast<float>((x & (0x007fffffu | signMask)) | exponent << 23);
}

/// y such that |y log2 x| is at most about 152: results over the whole range and just beyond.
float exponentFor(float x, uint32_t y) {
  return static_cast<float>(static_cast<int32_t>(y) >> 8) * 0x1p-23f * 152.0f / (std::fabs(std::log2(x)) + 1e-9f);
}

struct Pair {
  float a, b;
};
Pair powPair(uint64_t n, uint32_t a, uint32_t b) {
  if (n % 4 == 1) { // x in [2^-64, 2^64]
    float x = withExponent(a, 63 + (a >> 24 & 127), 0);
    return {x, exponentFor(x, b)};
  }
  if (n % 4 == 2) { // x within 2^-8 of 1
    float x = std::bit_cast<float>(0x3f800000u + static_cast<uint32_t>(static_cast<int32_t>(a) >> 16));
    return {x, exponentFor(x, b)};
  }
  if (n % 4 == 3) // negative x, integer y
    return {-withExponent(a, 125 + (a >> 30), 0), static_cast<float>(static_cast<int32_t>(b) >> 23)};
  return {std::bit_cast<float>(a), std::bit_cast<float>(b)};
}
Pair atan2Pair(uint64_t n, uint32_t a, uint32_t b) {
  constexpr uint32_t sign = 0x80000000u;
  float x = withExponent(b, 126 + (b >> 28 & 1), sign);
  if (n % 4 == 1)
    return {withExponent(a, 120 + (a >> 28 & 7), sign), x};
  if (n % 4 == 2) // near the diagonal
    return {x * std::bit_cast<float>(0x3f800000u + static_cast<uint32_t>(static_cast<int32_t>(a) >> 14)), x};
  if (n % 4 == 3) // tiny quotients
    return {withExponent(a, 82 + (a >> 27 & 15) * 3, sign), x};
  return {std::bit_cast<float>(a), std::bit_cast<float>(b)};
}

struct Binary {
  const char *name;
  double ulp; ///< over 2^28 pairs, rounded up; 0: exact
  double (*exact)(double, double);
  Pair (*pair)(uint64_t, uint32_t, uint32_t);
};
const Binary binary[] = {
    {"pow", 1.81, [](double x, double y) { return std::pow(x, y); }, powPair},
    {"atan2", 1.53, [](double y, double x) { return std::atan2(y, x); }, atan2Pair},
    {"fmod", 0, [](double x, double y) { return std::fmod(x, y); }, powPair},
};

class Float32Binary : public testing::TestWithParam<Binary> {};

TEST_P(Float32Binary, ErrorAndBits) {
  const Binary &row = GetParam();
  OnAllTargets function(row.name, 2);
  Worst worst;
  std::vector<float> special = specialValues<float>();
  const uint64_t pairs = special.size() * special.size();
  for (uint64_t n = 0; n < 1 << 22; n += block) {
    std::vector<float> &a = function.inputs[0], &b = function.inputs[1];
    for (uint64_t i = 0; i < block; ++i) {
      uint64_t at = n + i;
      Pair pair = at < pairs
                      ? Pair{special[at / special.size()], special[at % special.size()]}
                      : row.pair(at, static_cast<uint32_t>(hashed(2 * at)), static_cast<uint32_t>(hashed(2 * at + 1)));
      a[i] = pair.a;
      b[i] = pair.b;
    }
    function.run(n % (block * 16) != 0);
    for (int64_t i = 0; i < block; ++i) {
      double exact = row.exact(a[i], b[i]);
      worst.see(errorInUlp(function.results()[i], exact), a[i], b[i], function.results()[i], exact);
    }
  }
  EXPECT_LE(worst.ulp, row.ulp) << worst.text();
}
INSTANTIATE_TEST_SUITE_P(All, Float32Binary, testing::ValuesIn(binary),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace flexsn::test
