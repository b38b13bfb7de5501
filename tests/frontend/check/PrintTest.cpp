// The canonical text: equal for equal programs, and checked again it is itself.
#include "tests/frontend/check/Checked.h"

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace flexsn;
using namespace flexsn::test;

static std::string readFile(const std::filesystem::path &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

static std::string printed(const std::string &expression) {
  auto model = checkBody("  input x, y, z\n  state n: int = 0\n  r = " + expression + "\n  n = n + 1\n  output r");
  return print(assigned(*model, "r"));
}

TEST(Print, BracketsWhereTheyAreNeeded) {
  for (const char *same :
       {"x - (y - z)", "x - y - z", "(x + y) * z", "x / (y * z)", "x / y * z", "-x**2", "(-x)**2", "x**-2",
        "x**(y + z)", "(x**y)**z", "x**y**z", "-(x + y)", "x - -y", "not (x > y and y > z)", "(x > y) == (y > z)",
        "x > y or y > z and z > x", "min(x, y + z)", "x // y % z", "x % (y // z)"})
    EXPECT_EQ(printed(same), same);
  EXPECT_EQ(printed("((x + ((y))))"), "x + y");
  EXPECT_EQ(printed("x if y > 0 else z"), "where(y > 0.0, x, z)");
  EXPECT_EQ(printed("x * -2"), "x * -2.0");
  EXPECT_EQ(printed("(-2)**x"), "(-2.0)**x");
}

TEST(Print, NumbersReadBackToTheSameBits) {
  EXPECT_EQ(printed("x + 0.1"), "x + 0.1");
  EXPECT_EQ(printed("x + 1e300"), "x + 1e+300");
  EXPECT_EQ(printed("x + 1/3"), "x + 0.3333333333333333");
  EXPECT_EQ(printed("n + 2"), "n + 2");
  EXPECT_EQ(printed("n * 2.0"), "n * 2.0");
  EXPECT_EQ(printed("x + inf"), "x + inf");
  EXPECT_EQ(printed("x - 5e-324"), "x - 5e-324");
}

TEST(Print, EqualProgramsPrintEqually) {
  auto one =
      checkAll("neuron A: # a comment\n  input x; output s; state v = 0\n  const K = 2\n  v = (v + x*K) # and so on\n"
               "  s = spike(v - 1)\n\n");
  auto two = checkAll(
      "neuron A:\n\n  state v = 0\n  input x\n  v += x*(1 + 1)\n  s = spike(v - 1.0, atan(2.0))\n  output s\n");
  EXPECT_EQ(print(*one.at(0)), print(*two.at(0)));
}

TEST(Print, ValuesOfParametersAreInNoKey) {
  auto one = checkAll("neuron A:\n  input x; output y; param k = 2 learnable; dt = 1\n  y = x*k*dt\n");
  auto two = checkAll("neuron A:\n  input x; output y; param k = 3 learnable; dt = 2\n  y = x*k*dt\n");
  EXPECT_NE(print(*one.at(0)), print(*two.at(0)));
  EXPECT_EQ(print(*one.at(0), true), print(*two.at(0), true));
  EXPECT_EQ(print(*one.at(0), true), "neuron A:\n  input x\n  param k learnable\n  dt\n  y = x * k * dt\n  output y\n");
}

TEST(Print, AWholeModel) {
  auto model =
      checkBody("  input x, g[4]; output s, c: int; state v = v_r, n: int = 3; dt = 1e-3; method expeuler(substeps=2)\n"
                "  param v_r = 0, w[neuron, 4] = 0.5 learnable as sigmoid, d = 2 in [0, 8), q = 1 frozen\n"
                "  surrogate own(y): value = y > 0, grad y = 1\n  refractory 3 of s hold v\n  truncate 5\n"
                "  charge: dv/dt = sum(w*g) - v + delay(x, d)*q\n  fire: s = spike(v - 1, own); c = quant(v, 0, 3)\n"
                "  reset: v = v_r if s > 0 else v; n = max(n - 1, 0)");
  EXPECT_EQ(print(*model), "neuron N:\n"
                           "  input x\n"
                           "  input g[4]\n"
                           "  state v = v_r\n"
                           "  state n: int = 3\n"
                           "  dt = 0.001\n"
                           "  param v_r = 0.0\n"
                           "  param w[neuron, 4] = 0.5 learnable as sigmoid\n"
                           "  param d = 2.0 in [0.0, 8.0) clamp\n"
                           "  param q = 1.0 frozen\n"
                           "  surrogate own(y): value = y > 0.0, grad y = 1.0\n"
                           "  refractory 3.0 of s hold v\n"
                           "  truncate 5\n"
                           "  charge:\n"
                           "  dv/dt = sum(w * g) - v + delay(x, d) * q method expeuler(substeps=2)\n"
                           "  fire:\n"
                           "  s = own(v - 1.0)\n"
                           "  c = quant(v, 0.0, 3.0)\n"
                           "  reset:\n"
                           "  v = where(s > 0.0, v_r, v)\n"
                           "  n = max(n - 1, 0)\n"
                           "  output s\n"
                           "  output c: int\n");
}

TEST(Print, EveryModelOfTheZooChecksAgainToItself) {
  auto models = checkAll(readFile(std::filesystem::path(FLEXSN_SOURCE_DIR) / "tests/data/zoo.fsn"));
  EXPECT_GE(models.size(), 30u);
  for (const auto &model : models) {
    std::string text = print(*model);
    auto again = checkAll(text);
    ASSERT_EQ(again.size(), 1u) << text;
    EXPECT_EQ(print(*again[0]), text);
  }
}

TEST(Print, AnArgumentThatIsUsedTwiceIsNamed) {
  auto model = checkBody("  input x\n  def f(a) = a*a\n  y = f(f(x + 1))\n  output y");
  EXPECT_EQ(print(assigned(*model, "y")), "let(a.2 = let(a.1 = x + 1.0, a.1 * a.1), a.2 * a.2)");
}
