// The oracle itself: facts of its arithmetic, and that its error rule holds for what may really happen.
#include "tests/reference/Arithmetic.h"
#include "tests/reference/Checked.h"
#include "tests/reference/Coverage.h"
#include "tests/reference/Functions.h"
#include "tests/reference/Interpreter.h"
#include "tests/reference/Operations.h"
#include "tests/reference/Random.h"
#include "tests/reference/Slack.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace flexsn::reference {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();

void expectBits(float got, float want) { EXPECT_TRUE(sameBits(got, want)) << got << ", not " << want; }

TEST(ReferenceArithmetic, DivisionAndRemainderFloorAsInPyTorch) {
  expectBits(floorDivide(7.0f, -2.0f), -4);
  expectBits(floorDivide(-0.0f, 2.0f), -0.0f);
  expectBits(floorDivide(1.0f, 0.0f), inf);
  expectBits(floorDivide(1.0f, 0.1f), 9); // the quotient rounds to 10, but 0.1f is above 0.1
  expectBits(floorDivide(inf, 1.0f), nan);
  expectBits(remainder(7.0f, -2.0f), -1);
  expectBits(remainder(-7.0f, 2.0f), 1);
  expectBits(remainder(1.0f, 0.0f), nan);
  expectBits(remainder(-1.0f, inf), inf);
  EXPECT_EQ(floorDivideInt(-7, 2), -4);
  EXPECT_EQ(remainderInt(-7, 2), 1);
  EXPECT_EQ(floorDivideInt(5, 0), 0);
  EXPECT_EQ(remainderInt(5, 0), 0);
  EXPECT_EQ(floorDivideInt(INT32_MIN, -1), INT32_MIN);
  EXPECT_EQ(floorDivideInt(INT32_MIN, 3), -715827883);
  EXPECT_EQ(remainderInt(INT32_MIN, 3), 1);
}

TEST(ReferenceArithmetic, ExtremesOrderZerosAndKeepNaN) {
  expectBits(minimum(0.0f, -0.0f), -0.0f);
  expectBits(maximum(-0.0f, 0.0f), 0.0f);
  expectBits(minimum(nan, 1.0f), nan);
  expectBits(clip(nan, 0.0f, 1.0f), nan);
  expectBits(clip(5.0f, 3.0f, 1.0f), 1);
  expectBits(sign(nan), 0);
}

TEST(ReferenceArithmetic, RoundingIsToEvenAndConversionSaturates) {
  expectBits(roundToEven(0.5f), 0);
  expectBits(roundToEven(-0.5f), -0.0f);
  expectBits(roundToEven(1.5f), 2);
  expectBits(roundToEven(-2.5f), -2);
  expectBits(roundToEven(8388609.0f), 8388609);
  for (float x = -20; x < 20; x += 0.0625f)
    expectBits(roundToEven(x), std::nearbyint(x));
  EXPECT_EQ(toInt(nan), 0);
  EXPECT_EQ(toInt(inf), INT32_MAX);
  EXPECT_EQ(toInt(-3e9f), INT32_MIN);
  EXPECT_EQ(addInt(INT32_MAX, 1), INT32_MIN);
}

TEST(ReferenceArithmetic, IntegerPowersMultiplyFromTheLeft) {
  float a = 1.1f;
  expectBits(integerPower(a, 4), ((a * a) * a) * a);
  expectBits(integerPower(a, -3), 1 / ((a * a) * a));
  expectBits(integerPower(nan, 0), 1);
}

TEST(ReferenceFunctions, EveryFunctionOfTheListHasAValue) {
  for (const FunctionInfo &info : functions()) {
    if (info.types == FunctionTypes::Lanes || info.types == FunctionTypes::Test)
      continue;
    const float arguments[] = {0.5f, 0.25f, 0.75f};
    float value = evaluate(info.id, std::span<const float>(arguments, info.arity));
    EXPECT_FALSE(std::isnan(value)) << info.name;
  }
}

/// A value of `x` as a correct kernel may have it.
Scalar<float> moved(Scalar<float> x, Random &random) {
  if (x.type == Type::Bool && x.slack > 0)
    x.integer = static_cast<int32_t>(random.below(2));
  if (x.type == Type::Float)
    if (auto other = static_cast<float>(x.real + random.between(-1, 1) * x.slack);
        std::fabs(other - x.number()) <= x.slack)
      x.real = other;
  return x;
}

/// Every float operation and function, on operands with slack: whatever value inside their intervals the operands take,
/// the result stays inside its own. (An unsound rule here would hide wrong kernels, or blame right ones.)
TEST(ReferenceSlack, ResultsStayWithinIt) {
  Random random(3);
  std::vector<std::pair<Expr, size_t>> nodes;
  for (Op op : {Op::Negate, Op::Add, Op::Subtract, Op::Multiply, Op::Divide, Op::FloorDivide, Op::Remainder, Op::Power,
                Op::Less, Op::GreaterEqual, Op::Equal, Op::NotEqual, Op::Quant, Op::Spike, Op::Select})
    nodes.emplace_back().first.op = op;
  for (int64_t n : {-3, -2, -1, 0, 1, 2, 3, 8}) {
    nodes.emplace_back().first.op = Op::IntegerPower;
    nodes.back().first.integer = n;
  }
  for (const FunctionInfo &info : functions())
    if (info.types != FunctionTypes::Lanes) {
      nodes.emplace_back().first.op = Op::Call;
      nodes.back().first.function = &info;
    }
  for (auto &[node, arity] : nodes) {
    arity = node.op == Op::Call                                                            ? node.function->arity
            : node.op == Op::Negate || node.op == Op::IntegerPower || node.op == Op::Spike ? 1
            : node.op == Op::Quant || node.op == Op::Select                                ? 3
                                                                                           : 2;
    for (int trial = 0; trial < 3000; ++trial) {
      std::vector<Scalar<float>> x;
      for (size_t i = 0; i < arity; ++i)
        x.push_back(Scalar<float>::ofReal(static_cast<float>(random.between(-3, 3)),
                                          random.chance(30) ? 0 : std::pow(10.0, random.between(-8, 0))));
      if (node.op == Op::Select)
        x[0] = {Type::Bool, 0, static_cast<int32_t>(random.below(2)), random.chance(50) ? 1.0 : 0.0};
      Scalar<float> result = operate(node, std::span<const Scalar<float>>(x));
      double slack = slackOf(node, std::span<const Scalar<float>>(x), result);
      for (Scalar<float> &operand : x)
        operand = moved(operand, random);
      double other = operate(node, std::span<const Scalar<float>>(x)).number();
      bool inside = std::isinf(slack) || std::fabs(other - result.number()) <= slack ||
                    (std::isnan(other) && std::isnan(result.number()));
      ASSERT_TRUE(inside) << "op " << static_cast<int>(node.op) << " " << (node.function ? node.function->name : "")
                          << ": " << result.number() << " moved to " << other << ", slack " << slack;
    }
  }
}

/// With math = fast a product may be fused into its sum, from either side and with either sign.
TEST(ReferenceSlack, FusedProductsStayWithinIt) {
  Random random(5);
  Expr product, other;
  product.op = Op::Multiply;
  other.op = Op::Divide;
  for (int trial = 0; trial < 100'000; ++trial) {
    auto number = [&] { return static_cast<float>(std::ldexp(random.between(-2, 2), int(random.below(5)) * 20 - 40)); };
    const float a = number(), b = number();
    const float c = random.chance(50) ? number() : -a * b * static_cast<float>(random.between(0.99, 1.01));
    for (Op op : {Op::Add, Op::Subtract})
      for (bool left : {false, true}) {
        Expr sum;
        sum.op = op;
        sum.operands = {left ? &product : &other, left ? &other : &product};
        const Scalar<float> x[] = {Scalar<float>::ofReal(left ? a * b : c), Scalar<float>::ofReal(left ? c : a * b)};
        const Scalar<float> strict = operate(sum, std::span<const Scalar<float>>(x));
        const float fused = op == Op::Add ? std::fma(a, b, c) : left ? std::fma(a, b, -c) : std::fma(-a, b, c);
        EXPECT_LE(std::fabs(double(fused) - strict.number()),
                  slackOf(sum, std::span<const Scalar<float>>(x), strict, true))
            << a << " * " << b << ", " << c;
        EXPECT_EQ(slackOf(sum, std::span<const Scalar<float>>(x), strict), 0);
        sum.operands = {&other, &other}; // nothing to fuse
        EXPECT_EQ(slackOf(sum, std::span<const Scalar<float>>(x), strict, true), 0);
      }
  }
}

TEST(ReferenceSlack, DefinedBitsHaveNone) {
  Expr node;
  node.op = Op::Divide;
  std::vector<Scalar<float>> x = {Scalar<float>::ofReal(1), Scalar<float>::ofReal(3)};
  EXPECT_EQ(slackOf(node, std::span<const Scalar<float>>(x), operate(node, std::span<const Scalar<float>>(x))), 0);
  node.op = Op::Call;
  node.function = &functionInfo(Function::Exp);
  x.pop_back();
  Scalar<float> value = operate(node, std::span<const Scalar<float>>(x));
  EXPECT_EQ(slackOf(node, std::span<const Scalar<float>>(x), value), 1.5 * ulp(value.real));
}

TEST(ReferenceCoverage, EachConstructOfLaterIsNamed) {
  auto reason = [](const std::string &body) {
    auto [models, errors] = checkText("neuron A:\n  input x\n  state v = 0\n" + body + "  output v\n");
    EXPECT_EQ(errors, "");
    return models.empty() ? "" : notCovered(*models[0]).value_or("covered");
  };
  EXPECT_EQ(reason("  v = v + x\n"), "covered");
  EXPECT_EQ(reason("  v = prev(v) + x\n"), "prev");
  EXPECT_EQ(reason("  v = x + uniform()\n"), "random numbers");
  EXPECT_EQ(reason("  dt = 1\n  dv/dt = x - v\n"), "differential equations");
  EXPECT_EQ(reason("  param p[3] = 1\n  v = sum(p)*x\n"), "vectors");
  EXPECT_EQ(reason("  s = spike(v - 1)\n  v = x * (1 - s)\n  refractory 3 of s hold v\n"), "refractory");
}

TEST(ReferenceInterpreter, RunsTheFirstModelOfTheLanguagesPage) {
  auto [models, errors] = checkText("neuron LIF:\n  input x\n  state v = v_reset\n"
                                    "  param tau = 2.0, v_th = 1.0, v_reset = 0.0\n"
                                    "  charge: h = v + (x - (v - v_reset)) / tau\n  fire:   s = spike(h - v_th)\n"
                                    "  reset:  v = h * (1 - s) + v_reset * s\n  output s\n");
  ASSERT_EQ(errors, "");
  Interpreter<float> interpreter(*models[0], {});
  auto states = interpreter.initialStates();
  float v = 0;
  for (float x : {0.7f, 1.9f, 1.2f, 3.0f, -1.0f}) {
    float h = v + (x - (v - 0.0f)) / 2.0f, s = h - 1.0f >= 0;
    v = h * (1 - s) + 0.0f * s;
    states = interpreter.step({Scalar<float>::ofReal(x)}, states);
    expectBits(interpreter.output(models[0]->outputs[0]).real, s);
    expectBits(states[0].real, v);
    EXPECT_EQ(states[0].slack, 0);
  }
}

} // namespace
} // namespace flexsn::reference
