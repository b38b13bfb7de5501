// Storages that are not what is computed with: float16, bfloat16 and int8, the same bits on every target.
#include "tests/numerics/Compiled.h"

#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace flexsn::test {
namespace {

/// A 16-bit format: bits of the fraction, exponent of the smallest normal number, largest exponent.
struct Format {
  const char *storage;
  int fraction, lowest, highest;
};
constexpr Format half{"f16", 10, -14, 15}, brain{"bf16", 7, -126, 127};

/// What the bits mean, from the definition.
double meaning(const Format &format, uint16_t bits) {
  int exponentBits = 15 - format.fraction;
  int exponent = bits >> format.fraction & ((1 << exponentBits) - 1), fraction = bits & ((1 << format.fraction) - 1);
  double magnitude;
  if (exponent == (1 << exponentBits) - 1)
    magnitude = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, format.lowest - format.fraction);
  else
    magnitude = std::ldexp((1 << format.fraction) + fraction, exponent - 1 + format.lowest - format.fraction);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/// The nearest value of the format, ties to even, in doubles.
double nearest(const Format &format, float value) {
  if (!std::isfinite(value) || value == 0)
    return value;
  int exponent = std::max(std::ilogb(value), format.lowest);
  double unit = std::ldexp(1, exponent - format.fraction);
  double rounded = std::nearbyint(value / unit) * unit;
  bool overflows = std::fabs(rounded) >= std::ldexp(1, format.highest + 1);
  return overflows ? std::copysign(std::numeric_limits<double>::infinity(), value) : rounded;
}

/// A kernel that copies its input to its output, each in a storage.
std::string copyText(const std::string &type, const std::string &from, const std::string &to, unsigned width) {
  return fmt::format(R"(
scan.kernel @copy inference operands [#scan.operand<"x", input, {1}>, #scan.operand<"y", output, {2}>] states []
    schedule #scan.cpu<tile = 1024, width = {3}>
prologue {{
  scan.yield
}} init {{
  scan.yield
}} step {{
^bb0(%x: {0}):
  scan.yield %x : {0}
}})",
                     type, from, to, width);
}

class Storages : public testing::TestWithParam<Target> {
protected:
  /// `input` copied from one storage to another.
  template <class To, class From>
  std::vector<To> copied(const std::string &type, const std::string &from, const std::string &to,
                         std::vector<From> input) {
    Compiled kernel(copyText(type, from, to, widthFor(GetParam(), type)), GetParam());
    std::vector<To> output(input.size());
    std::vector<Binding> bindings = {{input.data()}, {output.data()}};
    kernel.run(bindings, 1, static_cast<int64_t>(input.size()));
    return output;
  }

  void widensEvery(const Format &format) {
    std::vector<uint16_t> bits(65536 + 3); // a ragged vector at the end
    for (size_t i = 0; i < bits.size(); ++i)
      bits[i] = static_cast<uint16_t>(i);
    auto values = copied<float>("f32", format.storage, "f32", bits);
    for (size_t i = 0; i < bits.size(); ++i) {
      double want = meaning(format, bits[i]);
      bool same =
          std::isnan(want) ? std::isnan(values[i]) : values[i] == want && std::signbit(values[i]) == std::signbit(want);
      ASSERT_TRUE(same) << fmt::format("{:#06x} is {}, not {}", bits[i], values[i], want);
    }
  }

  void narrowsTo(const Format &format, const std::vector<float> &values) {
    auto bits = copied<uint16_t>("f32", "f32", format.storage, values);
    for (size_t i = 0; i < values.size(); ++i) {
      double want = nearest(format, values[i]), got = meaning(format, bits[i]);
      bool same = std::isnan(want) ? std::isnan(got) : got == want && std::signbit(got) == std::signbit(want);
      ASSERT_TRUE(same) << fmt::format("{} ({:#010x}) becomes {}, not {}", values[i],
                                       std::bit_cast<uint32_t>(values[i]), got, want);
    }
  }

  /// Each value of the format, the middle between it and the next, and the floats beside both; and any bits.
  void narrowsEvery(const Format &format) {
    std::vector<float> values;
    const float infinity = std::numeric_limits<float>::infinity();
    for (uint32_t i = 0; i < 0x8000; ++i) {
      double here = meaning(format, static_cast<uint16_t>(i)), next = meaning(format, static_cast<uint16_t>(i + 1));
      if (!std::isfinite(here))
        break;
      double middle = std::isfinite(next) ? (here + next) / 2
                                          : here + (here - nearest(format, static_cast<float>(here * 0.999))) / 2;
      for (float value : {static_cast<float>(here), static_cast<float>(middle)})
        for (float beside : {value, std::nextafter(value, infinity), std::nextafter(value, 0.0F)}) {
          values.push_back(beside);
          values.push_back(-beside);
        }
    }
    for (float value : {65519.996F, 65520.0F, 65536.0F, std::numeric_limits<float>::max(), infinity,
                        std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::min()}) {
      values.push_back(value);
      values.push_back(-value);
    }
    for (uint32_t nan : {0x7f800001U, 0x7f802000U, 0x7fc00000U, 0x7fffffffU, 0xff800001U, 0xffffffffU})
      values.push_back(std::bit_cast<float>(nan));
    std::mt19937 random(3);
    for (int i = 0; i < 1'000'003; ++i)
      values.push_back(std::bit_cast<float>(static_cast<uint32_t>(random())));
    narrowsTo(format, values);
  }
};

TEST_P(Storages, EveryFloat16IsWidened) { widensEvery(half); }
TEST_P(Storages, EveryBFloat16IsWidened) { widensEvery(brain); }
TEST_P(Storages, Float16IsRoundedToNearestEven) { narrowsEvery(half); }
TEST_P(Storages, BFloat16IsRoundedToNearestEven) { narrowsEvery(brain); }

/// What fits comes back with its bits; a NaN, quiet or not, as one.
TEST_P(Storages, SixteenBitsSurviveTheWayThere) {
  for (const Format &format : {half, brain}) {
    std::vector<uint16_t> bits(65536);
    for (size_t i = 0; i < bits.size(); ++i)
      bits[i] = static_cast<uint16_t>(i);
    auto back = copied<uint16_t>("f32", format.storage, format.storage, bits);
    for (size_t i = 0; i < bits.size(); ++i)
      if (std::isnan(meaning(format, bits[i]))) {
        ASSERT_TRUE(std::isnan(meaning(format, back[i]))) << format.storage;
      } else {
        ASSERT_EQ(back[i], bits[i]) << format.storage;
      }
  }
}

template <class T> std::pair<std::vector<T>, std::vector<int8_t>> wholeNumbers() {
  const T infinity = std::numeric_limits<T>::infinity();
  std::vector<T> values = {0,
                           T(-0.0),
                           -127,
                           -128,
                           -129,
                           127,
                           128,
                           T(1e30),
                           T(-1e30),
                           2147483648,
                           -2147483649.0,
                           infinity,
                           -infinity,
                           std::numeric_limits<T>::quiet_NaN(),
                           std::numeric_limits<T>::max()};
  std::vector<int8_t> want = {0, 0, -127, -128, -128, 127, 127, 127, -128, 127, -128, 127, -128, 0, 127};
  for (int i = -300; i <= 300; ++i) {
    values.push_back(static_cast<T>(i));
    want.push_back(static_cast<int8_t>(std::clamp(i, -128, 127)));
  }
  return {values, want};
}

TEST_P(Storages, WholeNumbersSaturateInt8) {
  auto [floats, want] = wholeNumbers<float>();
  EXPECT_EQ((copied<int8_t>("f32", "f32", "i8", floats)), want);
  auto [doubles, wantAgain] = wholeNumbers<double>();
  EXPECT_EQ((copied<int8_t>("f64", "f64", "i8", doubles)), wantAgain);
}

INSTANTIATE_TEST_SUITE_P(Targets, Storages, testing::ValuesIn(targets()),
                         [](const auto &info) { return nameOf(info.param); });

} // namespace
} // namespace flexsn::test
