// The float32 functions: their error against the C library's double functions, the same bits on every target and at
// every width.
#include "tests/numerics/Compiled.h"
#include "tests/numerics/Measure.h"
#include "tests/numerics/Values.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace flexsn::test {

static void PrintTo(const FunctionRow &row, std::ostream *out) { *out << row.name; }

namespace {

// Odd, so that all parts of the bit pattern vary; benchmarks/results has the run over every input.
constexpr Extent sample{.every = 257, .pairs = 1 << 20};

class Float32 : public testing::TestWithParam<FunctionRow> {};

TEST_P(Float32, ErrorAndBits) {
  const FunctionRow &row = GetParam();
  Findings found = measure(row, sample);
  EXPECT_LE(found.ulp, row.ulp) << fmt::format("at ({}, {}): {} for {}", found.x, found.y, found.got, found.want);
  EXPECT_EQ(found.wrong, 0u) << fmt::format("the first at ({}, {})", found.wrongX, found.wrongY);
  EXPECT_EQ(found.otherBits, 0u) << "targets differ";
  if (row.monotone) {
    EXPECT_EQ(found.against, 0u) << "steps against the function's direction";
  }
  if (row.ulp <= 0.5) {
    EXPECT_EQ(found.misrounded, 0u);
  }
  EXPECT_GT(found.special, 0u);
  RecordProperty("ulp", fmt::format("{:.3f}", found.ulp));
}

/// A lane's result depends on its input alone: not on how many lanes there are, nor on whether it stands in a full
/// vector, in a ragged tail or in a scalar loop.
TEST_P(Float32, WidthsAndTailsGiveTheSameBits) {
  const FunctionRow &row = GetParam();
  constexpr unsigned tile = 64;
  std::vector<float> x = specialValues<float>(), y = x;
  for (uint64_t n = 0; n < 200; ++n) {
    x.push_back(std::bit_cast<float>(static_cast<uint32_t>(hashed(2 * n))));
    y.push_back(static_cast<float>(hashed(n) % 1000) * 0.01f);
    x.push_back(static_cast<float>(hashed(n + 200) % 4000) * 0.01f - 20);
    y.push_back(x.back() + 1);
  }
  std::vector<float> want;
  const Target baseline = targets().front(), native = targets().back();
  for (const auto &[target, width] :
       {std::pair(native, 16u), {native, 8u}, {native, 4u}, {native, 1u}, {baseline, 1u}}) {
    Compiled kernel(mapText(row.arguments, "f32", "f32", bodyOf(row, "f32"), width, tile), target);
    std::vector<float> got(x.size());
    // Every length up to a tile and a bit: inputs fall into full vectors and into every place of a tail.
    for (size_t begin = 0, length = 1; begin < x.size(); begin += length, length = length % 67 + 1) {
      length = std::min(length, x.size() - begin);
      std::vector<Binding> bindings = {{x.data() + begin}, {got.data() + begin}};
      if (row.arguments == 2)
        bindings.insert(bindings.begin() + 1, Binding{y.data() + begin});
      kernel.run(bindings, 1, static_cast<int64_t>(length));
    }
    if (want.empty())
      want = got;
    for (size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(bitsOf(got[i]), bitsOf(want[i]))
          << nameOf(target) << ", width " << width << ": " << got[i] << ", not " << want[i] << ", for " << x[i];
  }
}

INSTANTIATE_TEST_SUITE_P(All, Float32, testing::ValuesIn(functionTable().begin(), functionTable().end()),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(Measure, ThreadsFindTheSame) {
  const Extent one{.every = 65537, .pairs = 1 << 18, .threads = 1},
      three{.every = 65537, .pairs = 1 << 18, .threads = 3};
  for (const char *name : {"erfc", "pow"}) {
    Findings a = measure(functionRow(name), one), b = measure(functionRow(name), three);
    EXPECT_EQ(a.inputs, b.inputs);
    EXPECT_EQ(a.ulp, b.ulp);
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.misrounded, b.misrounded);
    EXPECT_EQ(a.special, b.special);
  }
}

/// The judge sees what is wrong.
TEST(Judge, CountsEachKindOfError) {
  const FunctionRow &exp = functionRow("exp"), &sqrt = functionRow("sqrt");
  auto found = [](const FunctionRow &row, float x, float got) {
    Findings findings;
    judge(row, x, 0, got, findings);
    return findings;
  };
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(found(sqrt, 4, 2).misrounded, 0u);
  EXPECT_EQ(found(sqrt, 4, std::nextafter(2.0f, 3.0f)).misrounded, 1u);
  EXPECT_EQ(found(sqrt, 4, std::nextafter(2.0f, 3.0f)).ulp, 1);
  EXPECT_EQ(found(sqrt, -0.0f, 0.0f).wrong, 1u);
  EXPECT_EQ(found(sqrt, -1, nan).wrong, 0u);
  EXPECT_EQ(found(sqrt, -1, 0).wrong, 1u);
  EXPECT_EQ(found(sqrt, 1, -1).wrong, 1u);
  EXPECT_EQ(found(exp, -inf, 0).wrong, 0u);
  EXPECT_EQ(found(exp, inf, std::numeric_limits<float>::max()).wrong, 1u);
  // exp(-100) is 26.547 of the smallest subnormal.
  EXPECT_EQ(found(exp, -100, 27 * 0x1p-149f).subnormal, 1u);
  EXPECT_EQ(found(exp, -100, 27 * 0x1p-149f).misrounded, 0u);
  EXPECT_EQ(found(exp, -100, 26 * 0x1p-149f).misrounded, 1u);
  EXPECT_NEAR(found(exp, -100, 26 * 0x1p-149f).ulp, 0.5473, 1e-4);
}

} // namespace
} // namespace flexsn::test
