// Which surrogate a spike takes, and what detach_reset detaches.
#include "tests/frontend/check/Checked.h"

using namespace flexsn;
using namespace flexsn::test;

static const char *const lif = "  input x; state v = 0; param th = 1\n  charge: h = v + x\n  fire: s = spike(h - th)\n"
                               "  reset: r = s; v = h*(1 - s) + th*spike(h)\n  output s";

TEST(Surrogate, DefaultsComeFromTheList) {
  auto model = checkBody("  input x\n  s = spike(x)\n  output s");
  const Expr &spike = assigned(*model, "s");
  EXPECT_EQ(spike.surrogate->name, "atan");
  EXPECT_EQ(spike.operands.at(1)->number, 2.0);
  EXPECT_FALSE(spike.strict);
}

TEST(Surrogate, TheModelsLineAndTheOptionReplaceTheDefaultAlone) {
  const std::string lines = "  input x; param k = 3; surrogate sigmoid(alpha=k)\n  a = spike(x, strict=true)\n"
                            "  b = spike(x, rect)\n  output a, b";
  auto model = checkBody(lines);
  EXPECT_EQ(assigned(*model, "a").surrogate->name, "sigmoid");
  EXPECT_EQ(assigned(*model, "a").operands[1]->value->name, "k");
  EXPECT_TRUE(assigned(*model, "a").strict);
  CheckOptions options;
  options.surrogate = "s2nn(beta=-2, alpha=3)";
  model = checkBody(lines, options);
  EXPECT_EQ(assigned(*model, "a").surrogate->name, "s2nn");
  EXPECT_EQ(assigned(*model, "a").operands[1]->number, 3.0);
  EXPECT_EQ(assigned(*model, "a").operands[2]->number, -2.0);
  EXPECT_EQ(assigned(*model, "b").surrogate->name, "rect");
}

TEST(Surrogate, EveryDefaultIsANumberThatItTakes) {
  for (const SurrogateInfo &info : surrogates())
    for (const SurrogateParameter &parameter : info.parameters) {
      SCOPED_TRACE(fmt::format("{} {}", info.name, parameter.name));
      EXPECT_TRUE(parameter.takes(parameter.defaultValue));
      EXPECT_FALSE(parameter.takes(parameter.above));
      EXPECT_FALSE(parameter.takes(std::numeric_limits<double>::infinity()));
      EXPECT_FALSE(parameter.takes(std::numeric_limits<double>::quiet_NaN()));
    }
}

TEST(Surrogate, UsersOwnAreCalledOrPassed) {
  auto model = checkBody("  input x; surrogate own(y, k=2): value = y > 0, grad y = k*y, primitive = y\n"
                         "  a = own(x, 3)\n  b = spike(x, own)\n  c = spike(x, own(k=4))\n  output a, b, c");
  const Expr &called = assigned(*model, "a"), &passed = assigned(*model, "b");
  EXPECT_EQ(called.op, Op::Surrogate);
  EXPECT_EQ(called.operands.at(1)->number, 3.0);
  EXPECT_EQ(passed.definition, called.definition);
  EXPECT_EQ(passed.operands.at(1)->number, 2.0);
  EXPECT_EQ(assigned(*model, "c").operands.at(1)->number, 4.0);
  const SurrogateDefinition &own = model->surrogateDefinitions.at(0);
  EXPECT_EQ(own.value->op, Op::Cast); // the value of a surrogate is a number
  ASSERT_EQ(own.gradients.size(), 1u);
  EXPECT_EQ(own.gradients[0].first, own.parameters[0]);
}

TEST(Surrogate, EveryOneOfTheListIsAccepted) {
  for (const SurrogateInfo &info : surrogates()) {
    std::string arguments;
    for (const SurrogateParameter &parameter : info.parameters)
      arguments += fmt::format("{}{}={}", arguments.empty() ? "" : ", ", parameter.name, parameter.count ? 3 : 1.5);
    auto model = checkBody(fmt::format("  input x\n  s = spike(x, {}({}))\n  output s", info.name, arguments));
    EXPECT_EQ(assigned(*model, "s").surrogate, &info);
    EXPECT_EQ(assigned(*model, "s").operands.size(), info.parameters.size() + 1);
  }
}

TEST(DetachReset, DetachesReadsOfSpikesAndSpikesInTheReset) {
  auto plain = checkBody(lif);
  EXPECT_TRUE(plain->hasReset);
  EXPECT_EQ(print(assigned(*plain, "v")), "h * (1.0 - s) + th * spike(h, atan(alpha=2.0))");
  CheckOptions options;
  options.detachReset = true;
  auto detached = checkBody(lif, options);
  EXPECT_EQ(print(assigned(*detached, "v")), "h * (1.0 - detach(s)) + th * detach(spike(h, atan(alpha=2.0)))");
  EXPECT_EQ(print(assigned(*detached, "r")), "detach(s)");
  EXPECT_EQ(print(assigned(*detached, "s")), "spike(h - th, atan(alpha=2.0))");
}

TEST(Options, ConstantsAndDims) {
  CheckOptions options;
  options.constants["K"] = 3;
  options.dims["tau"] = {Dim::Neuron};
  auto model = checkBody("  const K = 4\n  input x[K]; param tau = 2\n  y = sum(x)/tau\n  output y", options);
  EXPECT_EQ(model->inputs.at(0).value->lanes, 3u);
  EXPECT_EQ(model->params.at(0).dims, std::vector<Dim>{Dim::Neuron});
}
