// Steps longer than people write: functions that are called instead of inlined, and code that only the code generator's
// fast register allocator takes in reasonable time, give the reference's values too.
#include "compiler/frontend/Functions.h"
#include "tests/reference/Checked.h"
#include "tests/reference/Comparison.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace flexsn {
namespace {

void expectEqualsReference(const std::string &text) {
  auto [models, errors] = reference::checkText(text);
  ASSERT_EQ(errors, "");
  for (bool doubles : {false, true}) {
    reference::Report report =
        reference::compare(*models.at(0), text, {.doubles = doubles, .monitors = false, .seed = 5});
    EXPECT_EQ(report.refused, "");
    EXPECT_EQ(report.failure, "") << (doubles ? "float64" : "float32");
    EXPECT_GT(report.exact + report.bounded, 0u);
  }
}

/// A step that uses one function 20 times: in the step, in the prologue (of k) and in the initial value.
std::string manyUses(const FunctionInfo &function) {
  auto call = [&](std::string_view x) {
    return function.arity == 1 ? fmt::format("{}({})", function.name, x) : fmt::format("{}({}, k)", function.name, x);
  };
  std::string text = fmt::format("neuron M:\n  input x\n  param k = 0.5\n  state v = {}\n", call("k"));
  text += fmt::format("  a = {}\n", call("k * 1.25"));
  for (int i = 0; i < 20; ++i)
    text += fmt::format("  y{} = {}\n", i, call(fmt::format("x * {}.5", i)));
  text += "  v = 0.5 * v + a\n  output v";
  for (int i = 0; i < 20; ++i)
    text += fmt::format(", y{}", i);
  return text + "\n";
}

class LongFunctions : public testing::TestWithParam<const char *> {};

TEST_P(LongFunctions, CalledOftenEqualTheReference) {
  const FunctionInfo *function = findFunction(GetParam());
  ASSERT_TRUE(function);
  expectEqualsReference(manyUses(*function));
}

// Short and long, with a branch (pow, sin), with two arguments, and of the platform in float64.
INSTANTIATE_TEST_SUITE_P(Functions, LongFunctions, testing::Values("exp", "sin", "erfc", "pow", "atan2", "sqrt"),
                         [](const auto &info) { return std::string(info.param); });

/// 6,000 operations, each of which reads the last result and an old one, so that hundreds are alive at once.
TEST(LongSteps, OfThousandsOfOperationsEqualTheReference) {
  std::string text = "neuron M:\n  input x\n  state v = 0\n  a0 = x\n  a1 = v\n";
  for (unsigned i = 2; i < 3000; ++i)
    text += fmt::format("  a{} = a{} * {}.5 + a{}\n", i, i - 1, i % 7 == 0 ? 1 : 0, i * 2654435761U % i);
  expectEqualsReference(text + "  v = a2999 * 0.001\n  output v\n");
}

} // namespace
} // namespace flexsn
