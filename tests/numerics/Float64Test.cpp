// The float64 functions: the platform's, or composed of its, to the bit; within 4 ulp of the long double functions.
#include "tests/numerics/Measure.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace flexsn::test {

static void PrintTo(const FunctionRow &row, std::ostream *out) { *out << row.name; }

namespace {

constexpr uint64_t count = 1'000'000;
constexpr double bound = 4; // glibc's manual gives its functions up to 3; a composition adds a rounding or two

class Float64 : public testing::TestWithParam<FunctionRow> {};

TEST_P(Float64, IsThePlatformsToTheBit) {
  const FunctionRow &row = GetParam();
  DoubleFindings found = measureDoubles(row, count);
  EXPECT_EQ(found.otherBits, 0u);
  EXPECT_LE(found.ulp, bound) << fmt::format("at ({}, {}): {}", found.x, found.y, found.got);
}

INSTANTIATE_TEST_SUITE_P(All, Float64, testing::ValuesIn(functionTable().begin(), functionTable().end()),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace flexsn::test
