// Constants are folded in double by the text's own operators.
#include "compiler/frontend/Fold.h"
#include "tests/frontend/check/Checked.h"

#include <cmath>

using namespace flexsn;
using namespace flexsn::test;

static double constant(const std::string &expression) {
  auto model = checkBody("  input x\n  y = " + expression + "\n  output y");
  const Expr &expr = assigned(*model, "y");
  EXPECT_EQ(expr.op, Op::Constant) << expression;
  EXPECT_EQ(expr.type, Type::Float) << expression;
  return expr.number;
}

TEST(Fold, Arithmetic) {
  EXPECT_EQ(constant("1 + 2*3"), 7);
  EXPECT_EQ(constant("2**3**2"), 512);
  EXPECT_EQ(constant("-2**2"), -4);
  EXPECT_EQ(constant("7/2"), 3.5);
  EXPECT_EQ(constant("7 // 2"), 3);
  EXPECT_EQ(constant("-7 // 2"), -4);
  EXPECT_EQ(constant("-7 % 3"), 2);
  EXPECT_EQ(constant("7 % -3"), -2);
  EXPECT_EQ(constant("1 // 0.1"), 9); // as torch.floor_divide: 0.1 is a little more than a tenth
  EXPECT_EQ(constant("5.5 % 2"), 1.5);
  EXPECT_EQ(constant("2**-1"), 0.5);
  EXPECT_EQ(constant("0.1 + 0.2"), 0.1 + 0.2);
  EXPECT_EQ(constant("1/inf"), 0);
  EXPECT_EQ(constant("inf"), HUGE_VAL);
}

TEST(Fold, SignsOfZero) {
  EXPECT_FALSE(std::signbit(constant("-0"))); // whole numbers have one zero
  EXPECT_TRUE(std::signbit(constant("-0.0")));
  EXPECT_TRUE(std::signbit(constant("min(0.0, -0.0)")));
  EXPECT_FALSE(std::signbit(constant("max(-0.0, 0.0)")));
}

TEST(Fold, Functions) {
  EXPECT_EQ(constant("abs(-3)"), 3);
  EXPECT_EQ(constant("clip(5, 0, 4)"), 4);
  EXPECT_EQ(constant("round(0.5)"), 0);
  EXPECT_EQ(constant("round(1.5)"), 2);
  EXPECT_EQ(constant("round(-2.5)"), -2);
  EXPECT_EQ(constant("round(2.4999999999999996)"), 2);
  EXPECT_EQ(constant("round(9007199254740991.0)"), 9007199254740991.0);
  EXPECT_EQ(constant("trunc(-1.5)"), -1);
  EXPECT_EQ(constant("sign(-2.5)"), -1);
  EXPECT_EQ(constant("exprel(0)"), 1);
  EXPECT_EQ(constant("softplus(1000)"), 1000);
  EXPECT_EQ(constant("sigmoid(0)"), 0.5);
  EXPECT_EQ(constant("exp(1)"), std::exp(1.0));
  EXPECT_EQ(constant("where(1 < 2, pi, e)"), M_PI);
  EXPECT_EQ(constant("1 if not true else 2"), 2);
}

TEST(Fold, EveryFunctionFolds) {
  for (const FunctionInfo &info : functions()) {
    const bool lanes = info.types == FunctionTypes::Lanes;
    EXPECT_EQ(foldFunction(info.id, {0.5, 0.25, 1.0}).has_value(), !lanes) << info.name;
  }
}

TEST(Fold, NothingThatChangesAValueOfTheStep) {
  auto model =
      checkBody("  input x\n  a = x*0\n  b = x + 0\n  c = x*2*3\n  d = 2*3*x\n  f = 1*x\n  output a, b, c, d, f");
  EXPECT_EQ(print(assigned(*model, "a")), "x * 0.0");
  EXPECT_EQ(print(assigned(*model, "b")), "x + 0.0");
  EXPECT_EQ(print(assigned(*model, "c")), "x * 2.0 * 3.0");
  EXPECT_EQ(print(assigned(*model, "d")), "6.0 * x");
  EXPECT_EQ(print(assigned(*model, "f")), "1.0 * x");
}
