// The shape of checked models: versions, types, conversions, calls put in place.
#include "tests/frontend/check/Checked.h"

using namespace flexsn;
using namespace flexsn::test;

TEST(Model, AssignmentsMakeVersions) {
  auto model = checkBody("  input x; state v = 0\n  v = v + x\n  h = v\n  v = h*2\n  output v");
  ASSERT_EQ(model->statements.size(), 3u);
  const State &state = model->states.at(0);
  EXPECT_EQ(state.value->kind, Value::Kind::State);
  EXPECT_EQ(model->statements[0].value->operands[0]->value, state.value);
  EXPECT_EQ(model->statements[1].value->value, model->statements[0].target);
  EXPECT_EQ(model->statements[2].target->version, 2u);
  EXPECT_EQ(state.next, model->statements[2].target);
  EXPECT_EQ(model->outputs.at(0).value, state.next);
  EXPECT_EQ(model->lastValue("v"), state.next);
  EXPECT_EQ(model->lastValue("nothing"), nullptr);
  EXPECT_EQ(model->names(), (std::vector<std::string>{"x", "v", "h"}));
}

TEST(Model, AnUnwrittenStateKeepsItsValue) {
  auto model = checkBody("  input x; state v = 0\n  y = v + x\n  output y");
  EXPECT_EQ(model->states.at(0).next, model->states.at(0).value);
}

TEST(Model, DeclarationsInAnyOrder) {
  auto model = checkBody("  output s\n  h = v + x*K\n  s = spike(h - th)\n  v = h*(1 - s)\n  state v = th/2\n"
                         "  param th = L\n  const L = K/4\n  const K = 4\n  input x");
  EXPECT_EQ(model->params.at(0).defaultValue, 1.0);
  EXPECT_EQ(model->states.at(0).initial->op, Op::Divide);
}

TEST(Types, WholeNumbersTakeTheOtherType) {
  auto model =
      checkBody("  input x; state n: int = 3\n  a = x + 1\n  b = n + 1\n  c = 1\n  n = n - 2\n  output a, b, c");
  EXPECT_EQ(assigned(*model, "a").operands[1]->type, Type::Float);
  EXPECT_EQ(assigned(*model, "b").type, Type::Int);
  EXPECT_EQ(assigned(*model, "c").type, Type::Float);
  EXPECT_EQ(assigned(*model, "n").type, Type::Int);
}

TEST(Types, SelectionsOfWholeNumbersTakeTheTypeOfTheirName) {
  auto model = checkBody("  input x; state n: int = 0\n  p = x > 0\n  f = where(p, 1, 0) - where(x > 2, 1, 0)\n"
                         "  n = where(p, 1, 0) + (2 if x > 1 else 0)\n  output f");
  EXPECT_EQ(assigned(*model, "f").type, Type::Float);
  EXPECT_EQ(assigned(*model, "f").operands[0]->operands[1]->type, Type::Float);
  EXPECT_EQ(assigned(*model, "n").type, Type::Int);
  EXPECT_EQ(assigned(*model, "n").operands[1]->operands[2]->type, Type::Int);
}

TEST(Types, DivisionIsReal) {
  auto model = checkBody("  input x; state n: int = 3\n  a = n/2\n  b = n // 2\n  c = 1/2\n  n = n\n  output a, b, c");
  EXPECT_EQ(assigned(*model, "a").type, Type::Float);
  EXPECT_EQ(assigned(*model, "a").operands[0]->op, Op::Cast);
  EXPECT_EQ(assigned(*model, "b").type, Type::Int);
  EXPECT_EQ(assigned(*model, "c").number, 0.5);
}

TEST(Types, BoolsAreNumbersInArithmetic) {
  auto model = checkBody("  input x\n  p = x > 0\n  a = p*x\n  b = p + 1\n  c = p == (x > 1)\n  output a, b, c");
  const Expr &product = assigned(*model, "a");
  EXPECT_EQ(product.operands[0]->op, Op::Cast);
  EXPECT_EQ(product.operands[0]->type, Type::Float);
  EXPECT_EQ(assigned(*model, "b").type, Type::Int);
  EXPECT_EQ(assigned(*model, "c").operands[0]->type, Type::Bool);
}

TEST(Types, RoundedValuesGoIntoIntNames) {
  auto model = checkBody("  input x; output n: int\n  n = floor(x)");
  EXPECT_EQ(assigned(*model, "n").op, Op::Cast);
  EXPECT_EQ(assigned(*model, "n").type, Type::Int);
  EXPECT_EQ(model->outputs.at(0).type, Type::Int);
}

TEST(Types, QuantKeepsTheComputeTypeInTheStep) {
  auto model =
      checkBody("  input x; output c, d, k: int; state v = 0\n  c = quant(v + x, 0, 4)\n  d = c\n  k = c\n  v = v - c");
  EXPECT_EQ(assigned(*model, "c").op, Op::Quant);
  for (const Output &output : model->outputs) {
    EXPECT_TRUE(output.value->whole) << output.name;
    EXPECT_TRUE(output.value->spikes) << output.name;
    EXPECT_EQ(output.value->type, Type::Float) << output.name;
    EXPECT_EQ(output.type, Type::Int) << output.name;
  }
}

TEST(Types, PrevHasTheTypeOfTheLastAssignment) {
  auto model =
      checkBody("  input x\n  y = x if prev(late) else 0\n  n = prev(n) + 1\n  late = not prev(late)\n  output y, n");
  EXPECT_EQ(assigned(*model, "y").operands[0]->type, Type::Bool);
  EXPECT_EQ(assigned(*model, "y").operands[0]->value, model->lastValue("late"));
  EXPECT_EQ(assigned(*model, "n").type, Type::Float);
}

TEST(Expressions, ConstantWholePowersAreProducts) {
  auto model = checkBody("  input x; const K = 3\n  a = x**2\n  b = x**K\n  c = pow(x, -2)\n  d = x**0\n  f = x**1\n"
                         "  g = x**9\n  h = x**0.5\n  k = 2**x\n  output a, b, c, d, f, g, h, k");
  EXPECT_EQ(assigned(*model, "a").op, Op::IntegerPower);
  EXPECT_EQ(assigned(*model, "b").integer, 3);
  EXPECT_EQ(assigned(*model, "c").integer, -2);
  EXPECT_EQ(assigned(*model, "d").number, 1.0);
  EXPECT_EQ(assigned(*model, "f").op, Op::Read);
  for (const char *real : {"g", "h", "k"})
    EXPECT_EQ(assigned(*model, real).op, Op::Power) << real;
}

TEST(Expressions, VectorsAreWidened) {
  auto model = checkBody("  const K = 4\n  input x[K]; state d[K] = 1; param w[neuron, K] = 0.5, b = 2\n"
                         "  d = d*b + w*x\n  y = sum(d) + d[3]\n  output y");
  const Expr &sum = assigned(*model, "d");
  EXPECT_EQ(sum.lanes, 4u);
  EXPECT_EQ(sum.operands[0]->operands[1]->op, Op::Broadcast);
  EXPECT_EQ(model->states.at(0).initial->lanes, 4u);
  EXPECT_EQ(assigned(*model, "y").lanes, 1u);
  EXPECT_EQ(model->params.at(0).dims, std::vector<Dim>{Dim::Neuron});
}

TEST(Expressions, SelectionsOfWholeNumbersBesideVectors) {
  auto model = checkBody("  input x[3]; state n[3]: int = 0\n  y = where(x > 0, 1, 0)\n"
                         "  n = n + where(x > 0, 1, 0)\n  output y");
  EXPECT_EQ(assigned(*model, "y").lanes, 3u);
  EXPECT_EQ(assigned(*model, "y").operands[1]->lanes, 3u);
  EXPECT_EQ(assigned(*model, "y").operands[1]->type, Type::Float);
  EXPECT_EQ(assigned(*model, "n").operands[1]->operands[1]->type, Type::Int);
}

TEST(Definitions, ArgumentsAreBoundOnce) {
  auto model =
      checkBody("  input x\n  def square(a) = a*a\n  def once(a) = a + 1\n  y = square(x + 1)\n  z = square(x)\n"
                "  w = once(x*2)\n  c = square(3)\n  output y, z, w, c");
  const Expr &let = assigned(*model, "y");
  ASSERT_EQ(let.op, Op::Let);
  EXPECT_EQ(let.operands[1]->operands[0]->value, let.value);
  EXPECT_EQ(let.operands[1]->operands[1]->value, let.value);
  EXPECT_EQ(assigned(*model, "z").op, Op::Multiply);
  EXPECT_EQ(assigned(*model, "w").op, Op::Add);
  EXPECT_EQ(assigned(*model, "c").number, 9.0);
}

TEST(Definitions, TheModelsOwnHideThoseOfTheFile) {
  auto models = checkAll("def f(a) = 2*a\nneuron A:\n  input x; output y\n  def f(a) = 3*a\n  y = f(x)\n"
                         "neuron B:\n  input x; output y\n  y = f(x)\n");
  ASSERT_EQ(models.size(), 2u);
  EXPECT_EQ(assigned(*models[0], "y").operands[0]->number, 3.0);
  EXPECT_EQ(assigned(*models[1], "y").operands[0]->number, 2.0);
}

TEST(Equations, NeighboursAreOneSystem) {
  auto model = checkBody("  input x; state i = 0, v = 0, w = 0; dt = 1e-3; method rk4(substeps=2)\n"
                         "  di/dt = x - i\n  dv/dt = i - v\n  v = v + 1\n  dw/dt = v method euler\n  output v");
  ASSERT_EQ(model->statements.size(), 3u);
  const std::vector<Ode> &system = model->statements[0].system;
  ASSERT_EQ(system.size(), 2u);
  EXPECT_EQ(system[1].rate->operands[0]->value, model->states[0].value); // i as it was when the group began
  EXPECT_EQ(system[0].method, Method::Rk4);
  EXPECT_EQ(system[0].substeps, 2u);
  EXPECT_EQ(model->statements[2].system[0].method, Method::Euler);
  EXPECT_EQ(model->statements[2].system[0].substeps, 1u);
  EXPECT_TRUE(model->params.at(0).isDt && model->params.at(0).frozen);
}

TEST(RandomNumbers, EveryDrawHasASite) {
  auto model =
      checkBody("  input x; state v = uniform()\n  def twice(p) = bernoulli(p) + normal()\n  v = v + normal()\n"
                "  y = twice(x) + twice(x)\n  output y, v");
  EXPECT_EQ(model->states.at(0).initial->integer, 0);
  EXPECT_EQ(assigned(*model, "v").operands[1]->integer, 1);
  EXPECT_EQ(assigned(*model, "y").operands[1]->operands[1]->integer, 5);
}

TEST(Refractory, SpikeAndStateAreFoundWhereTheyAreAlone) {
  auto model = checkBody("  input x; state v = 0; param t_ref = 0.3; dt = 0.1\n  refractory t_ref/dt\n  v = v + x\n"
                         "  s = spike(v - 1)\n  output s");
  ASSERT_EQ(model->refractory.size(), 1u);
  EXPECT_EQ(model->refractory[0].spike, "s");
  EXPECT_EQ(model->refractory[0].hold, std::vector<std::string>{"v"});
}

TEST(Parameters, AttributesAndDims) {
  auto model = checkBody("  input x; output y\n  param a[step, channel] = 0.5 learnable as sigmoid, b = 1 in (0, inf),"
                         " c = 2 learnable in [0, 4], d: int = 3 frozen\n  truncate 8\n  y = x*a*b*c*d");
  const std::vector<Param> &params = model->params;
  EXPECT_EQ(params[0].operandName(), "raw_a");
  EXPECT_EQ(params[0].dims, (std::vector<Dim>{Dim::Step, Dim::Channel}));
  EXPECT_TRUE(params[1].bounds->lowOpen && params[1].bounds->highOpen && !params[1].bounds->clamp);
  EXPECT_TRUE(params[2].bounds->clamp); // learnable
  EXPECT_EQ(params[3].value->type, Type::Int);
  EXPECT_EQ(model->truncate, 8u);
}
