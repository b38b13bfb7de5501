// The tape against central differences of the relaxed model: operators and surrogates one by one, then whole neurons.
#include "tests/reference/Relaxed.h"

#include "compiler/frontend/Surrogates.h"
#include "tests/reference/Calls.h"
#include "tests/reference/Checked.h"
#include "tests/reference/Coverage.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace flexsn::reference {
namespace {

/// How many models of the collection must be compared. Raise it when the language grows; never lower it.
constexpr size_t expectedOfCollection = 26;

/// Differences are exact to about 1e-10 of the largest gradient, and to less where the slope bends sharply.
constexpr double tolerance = 1e-7;

/// Which values the spikes of a model took in its calls.
struct Spikes {
  bool fired = false, silent = false;

  void watch(const Model &model, const NeuronCall &call) {
    Interpreter<double> interpreter(model, call.settings);
    auto states = interpreter.initialStates();
    for (size_t t = 0; t < call.steps; ++t) {
      std::vector<Scalar<double>> inputs;
      for (const Input &input : model.inputs)
        inputs.push_back(Scalar<double>::ofReal(call.inputs.at(input.value->name)[t]));
      states = interpreter.step(inputs, states);
      for (const Statement &statement : model.statements)
        if (statement.target->spikes)
          (interpreter.value(statement.target).number() != 0 ? fired : silent) = true;
    }
  }
};

Spikes compareModel(const Model &model, const std::vector<double> &scales = {0.5, 1, 3}) {
  Random random(7);
  Spikes spikes;
  for (size_t steps : {1, 2, 5, 17})
    for (double scale : scales)
      for (bool given : {false, true}) {
        auto [call, upstream] = drawCall(model, {steps, scale, given}, random);
        EXPECT_EQ(difference(gradients<double>(model, call, upstream),
                             centralDifferences(model, call, upstream).gradients, tolerance),
                  "")
            << model.name << ", T=" << steps << ", inputs of " << scale << (given ? ", states given" : "");
        if (!given)
          spikes.watch(model, call);
      }
  return spikes;
}

void compareText(const std::string &text, const CheckOptions &options = {}) {
  auto [models, errors] = checkText(text, options);
  ASSERT_EQ(errors, "");
  for (const auto &model : models)
    compareModel(*model);
}

class RelaxedExpressions : public testing::TestWithParam<const char *> {};

TEST_P(RelaxedExpressions, HaveTheSlopesOfTheirDifferences) {
  compareText(fmt::format("neuron M:\n  input x, y\n  state v = p\n  param p = 1.5, q = 0.75\n"
                          "  surrogate two(a, b): value = a > b, grad a = 1 / (1 + (a - b)**2), grad b = sin(a) - b\n"
                          "  surrogate known(a, b): value = a > b, grad a = b, grad b = a, primitive = a*b\n"
                          "  surrogate one(a, b): value = a > b, grad a = cos(a) + b\n"
                          "  v = 0.5*v + {}\n  output v\n",
                          GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Operators, RelaxedExpressions,
                         testing::Values("x - y*v", "-x / (q + y*y)", "x % p", "(x // p)*y", "fmod(x, p)", "x**3*q",
                                         "(2.5 + x)**-2", "(4 + x)**p", "atan2(x, y)", "(x > y)*v",
                                         "x if x > q else y*p", "where(x < y, x*q, v)", "clip(x, q, p)", "min(x, y*p)",
                                         "max(x, v)", "detach(x)*y", "gscale(x*y, q)", "quant(x, -1, 2)*q",
                                         "quant(x, -q, p)*x", "spike(x - v)*y", "spike(x, sigmoid(alpha=p))",
                                         "floor(x)*y + round(v)*x", "exprel(x*q)", "two(x, y*q)", "known(x, y*q)",
                                         "one(x*p, y*q)", "abs(x)*y"),
                         [](const auto &info) { return fmt::format("No{}", info.index); });

TEST(RelaxedModel, EverySurrogateHasTheSlopeOfItsPrimitive) {
  for (const SurrogateInfo &info : surrogates())
    compareText(fmt::format("neuron M:\n  input x\n  state v = 0\n  param v_th = 1\n  surrogate {}\n  h = 0.5*v + x\n"
                            "  s = spike(h - v_th)\n  v = h*(1 - s)\n  output s\n",
                            info.name));
}

TEST(RelaxedModel, KnowsTruncationTransformsBoundsAndDetachedResets) {
  const std::string text =
      "neuron M:\n  input x\n  state v = r\n  truncate 3\n  param r = 0.25, d = 0.5 in [0.45, 0.55] "
      "clamp\n  param k = 0.5 as sigmoid, l = 1 as softplus, m = 1 as exp, n = 0.5 as tanh\n"
      "  charge: h = k*v + l*x + n*d\n  fire: s = spike(h - m)\n  reset: v = h - s*m\n  output s\n";
  compareText(text);
  compareText(text, {.constants = {}, .surrogate = {}, .dims = {}, .detachReset = true});
}

std::string readFile(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(RelaxedModel, TheCollectionHasTheSlopesOfItsDifferences) {
  auto [models, errors] = checkText(readFile(FLEXSN_SOURCE_DIR "/tests/data/zoo.fsn"));
  ASSERT_EQ(errors, "");
  size_t compared = 0;
  for (const auto &model : models)
    if (auto reason = notCovered(*model)) {
      fmt::print("not covered, {}: {}\n", *reason, model->name);
    } else {
      Spikes spikes = compareModel(*model, {0.5, 1, 3, 10}); // 10: Izhikevich's spikes need it
      const bool hasSpikes =
          std::any_of(model->values.begin(), model->values.end(), [](const Value &value) { return value.spikes; });
      EXPECT_TRUE(!hasSpikes || (spikes.fired && spikes.silent)) << model->name << ": spikes of one value alone";
      ++compared;
    }
  EXPECT_GE(compared, expectedOfCollection);
}

TEST(RelaxedModel, TheShippedModelsHaveTheSlopesOfTheirDifferences) {
  for (const auto &entry : std::filesystem::directory_iterator(FLEXSN_SOURCE_DIR "/examples/models"))
    if (entry.path().extension() == ".fsn")
      compareText(readFile(entry.path()));
}

} // namespace
} // namespace flexsn::reference
