// The oracle's gradients where they are known by hand, or were computed apart from this project.
#include "tests/reference/Gradients.h"

#include "tests/reference/Checked.h"

#include <gtest/gtest.h>

namespace flexsn::reference {
namespace {

/// A call of the model whose lines are `body`.
struct Example {
  std::string body;
  NeuronCall call;
  Upstream upstream;

  Gradients of(bool float32 = false, const CheckOptions &options = {}) const {
    auto [models, errors] = checkText("neuron M:\n" + body, options);
    EXPECT_EQ(errors, "");
    if (models.empty())
      return {};
    return float32 ? gradients<float>(*models[0], call, upstream) : gradients<double>(*models[0], call, upstream);
  }
};

/// d z / d x and what else there is, for one step.
Gradients ofOne(const std::string &body, double x, Settings settings = {}) {
  return Example{"  input x; output z\n" + body, {1, std::move(settings), {{"x", {x}}}, {}}, {{{"z", {1}}}, {}}}.of();
}

using Row = std::vector<double>;

void expectNear(const Row &got, const Row &want, double relative) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], want[i], relative * std::fabs(want[i])) << i;
}

// synsense/sinabs-exodus#3: the gradient through a carried state was dropped.
const char *const carry = "  input x; output s; state v = 0\n  param a = 0.75, v_th = 1\n  h = a*v + x\n"
                          "  s = spike(h - v_th, atan(alpha=2.0))\n  v = h - v_th*s\n";

TEST(ReferenceGradients, GoThroughACarriedState) {
  for (bool float32 : {false, true}) {
    const Example whole{carry,
                        {6, {}, {{"x", {0.5, 0.5, 0.75, 0.25, 0.5, 1.0}}}, {{"v", 0.25}}},
                        {{{"s", {1, 2, 3, 4, 5, 6}}}, {{"v", 0.5}}}};
    Gradients g = whole.of(float32);
    expectNear(g.inputs["x"], {1.245602823, 2.000563805, 2.979399364, 3.923516259, 4.907831500, 5.617896436}, 1e-6);
    EXPECT_NEAR(g.initialStates["v"], 0.9342021169, 1e-6);

    const Example second{
        carry, {3, {}, {{"x", {0.25, 0.5, 1.0}}}, {{"v", 0.76171875}}}, {{{"s", {4, 5, 6}}}, {{"v", 0.5}}}};
    Gradients last = second.of(float32);
    EXPECT_NEAR(last.initialStates["v"], 2.942637194, 3e-6);
    const Example first{
        carry, {3, {}, {{"x", {0.5, 0.5, 0.75}}}, {{"v", 0.25}}}, {{{"s", {1, 2, 3}}}, last.initialStates}};
    expectNear(first.of(float32).inputs["x"], {1.245602823, 2.000563805, 2.979399364}, 1e-6);
  }
}

// pytorch/pytorch#68425: 0 * inf from the side that a selection does not take.
TEST(ReferenceGradients, OfABranchNotTakenAreExactlyZero) {
  const std::string guard = "  input x; output y, z, q\n  state v = 0\n  y = exp(x) if x <= 0 else 1 + x\n"
                            "  z = sqrt(x) if x > 0 else x\n  q = x / v if v != 0 else x\n  v = v + 1\n";
  auto gradient = [&](const char *name, double x) {
    return Example{guard, {1, {}, {{"x", {x}}}, {{"v", 0}}}, {{{name, {1}}}, {}}}.of(true).inputs["x"][0];
  };
  EXPECT_EQ(gradient("y", 100), 1);
  EXPECT_EQ(gradient("y", 0), 1);
  EXPECT_NEAR(gradient("y", -1), 0.36787944, 1e-7);
  EXPECT_EQ(gradient("z", -1), 1);
  EXPECT_EQ(gradient("z", 0), 1);
  EXPECT_EQ(gradient("z", 4), 0.25);
  Gradients g = Example{guard, {2, {}, {{"x", {3, 5}}}, {{"v", 0}}}, {{{"q", {1, 1}}}, {}}}.of(true);
  EXPECT_EQ(g.inputs["x"], (Row{1, 1}));
  EXPECT_EQ(g.initialStates["v"], -5);
  EXPECT_EQ(ofOne("  z = where(x > 0, log(x), 2 * x)\n", 0).inputs["x"][0], 2);
}

TEST(ReferenceGradients, AreControlledByTheText) {
  EXPECT_EQ(ofOne("  z = detach(x) * x\n", 3).inputs["x"], (Row{3}));
  Gradients scaled = ofOne("  param k = 4\n  z = gscale(x * x, k)\n", 3);
  EXPECT_EQ(scaled.inputs["x"], (Row{24}));
  EXPECT_EQ(scaled.params["k"], 0);
  for (double x : {-0.5, 0.0, 0.4, 2.0, 2.5}) // straight through on the bounds too
    EXPECT_EQ(ofOne("  z = quant(x, 0, 2)\n", x).inputs["x"][0], x >= 0 && x <= 2) << x;
  EXPECT_EQ(ofOne("  z = (x > 0) * x\n", 3).inputs["x"], (Row{1}));
}

TEST(ReferenceGradients, OfAUsersSurrogateAreTheTexts) {
  const std::string level = "  param m = 0.5, w = 2\n  surrogate level(y, t, u=1): value = y > t, grad y = 3 * u, "
                            "grad t = -y\n  z = level(x, m, w) * 10\n";
  for (double x : {0.25, 1.0}) {
    Gradients g = ofOne(level, x);
    EXPECT_EQ(g.inputs["x"], (Row{60}));
    EXPECT_EQ(g.params["m"], -10 * x);
    EXPECT_EQ(g.params["w"], 0);
  }
  EXPECT_EQ(ofOne("  surrogate flat(y): value = y * y\n  z = flat(x)\n", 3).inputs["x"], (Row{0}));
}

TEST(ReferenceGradients, OfParametersAreOfTheStoredOperand) {
  Gradients g = ofOne("  param k = 0.25 learnable as sigmoid\n  z = k * x\n", 3);
  EXPECT_NEAR(g.params["raw_k"], 3 * 0.25 * 0.75, 1e-15);
  EXPECT_FALSE(g.params.contains("k"));
  auto clamped = [](double k) {
    return ofOne("  param k = 0.5 in [0.25, 1] clamp\n  z = k * x\n", 3, {{"k", k}}).params["k"];
  };
  EXPECT_EQ(clamped(0.125), 0);
  EXPECT_EQ(clamped(0.25), 3);
  EXPECT_EQ(clamped(1), 3);
  EXPECT_EQ(clamped(2), 0);
}

TEST(ReferenceGradients, OfADeclaredStateAreItsParameters) {
  const std::string body = "  input x; output v; state v = 2 * r\n  param r = 1.5\n  v = 0.5 * v + x\n";
  Gradients declared = Example{body, {2, {}, {{"x", {0, 0}}}, {}}, {{}, {{"v", 1}}}}.of();
  EXPECT_EQ(declared.params["r"], 0.5);
  EXPECT_TRUE(declared.initialStates.empty());
  Gradients given = Example{body, {2, {}, {{"x", {0, 0}}}, {{"v", 3}}}, {{}, {{"v", 1}}}}.of();
  EXPECT_EQ(given.params["r"], 0);
  EXPECT_EQ(given.initialStates["v"], 0.25);
}

TEST(ReferenceGradients, TruncateCutsFromTheStartOfTheCall) {
  const std::string body = "  input x; output v; state v = 0\n  truncate 2\n  v = v + x\n";
  Gradients g = Example{body, {5, {}, {{"x", Row(5, 1)}}, {{"v", 1}}}, {{{"v", {1, 1, 1, 1, 0}}}, {{"v", 10}}}}.of();
  EXPECT_EQ(g.inputs["x"], (Row{2, 1, 2, 1, 10}));
  EXPECT_EQ(g.initialStates["v"], 0);
}

TEST(ReferenceGradients, KnowTheOptionDetachReset) {
  const Example run{
      "  input x; output s; state v = 0\n  charge: h = v + x\n  fire: s = spike(h - 1, deterministic_pass())\n"
      "  reset: v = h - s\n",
      {1, {}, {{"x", {2}}}, {{"v", 0}}},
      {{}, {{"v", 1}}}};
  EXPECT_EQ(run.of().inputs["x"], (Row{0}));
  EXPECT_EQ(run.of(false, {.constants = {}, .surrogate = {}, .dims = {}, .detachReset = true}).inputs["x"], (Row{1}));
}

TEST(ReferenceGradients, AreZeroWhereNothingFlowsBack) {
  Gradients g = Example{carry, {2, {}, {{"x", {1, 1}}}, {{"v", 0}}}, {}}.of();
  EXPECT_EQ(g.inputs["x"], (Row{0, 0}));
  EXPECT_EQ(g.initialStates["v"], 0);
  EXPECT_EQ(g.params["a"], 0);
}

} // namespace
} // namespace flexsn::reference
