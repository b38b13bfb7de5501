// 500 random models through the kernel and through the reference interpreter. A failure is shrunk and printed as a
// text.
#include "tests/reference/Random.h"
#include "tests/random/Generator.h"
#include "tests/random/Shrink.h"
#include "tests/reference/Checked.h"
#include "tests/reference/Comparison.h"
#include "tests/reference/Functions.h"
#include "tests/reference/Kernel.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace flexsn::random {
namespace {

constexpr unsigned blocks = 20, modelsPerBlock = 25;

/// The functions with an ulp bound that kernels exist for in both types; the others are printed, and counted below.
struct Supported {
  Features features;
  std::vector<std::string> missing;
};

bool kernelTakes(const std::string &expression) {
  std::string text = fmt::format("neuron F:\n  input x\n  y = {}\n  output y\n", expression), error;
  return reference::Kernel::compile(text, "F", {.data = reference::Cell::F32, .outputs = {}}, error) &&
         reference::Kernel::compile(text, "F", {.data = reference::Cell::F64, .outputs = {}}, error);
}

const Supported &supported() {
  static const Supported result = [] {
    Supported s;
    for (const FunctionInfo &info : functions()) {
      if (info.types != FunctionTypes::Real || info.arity != 1 || reference::errorBound<float>(info.id) == 0)
        continue;
      std::string name(info.name);
      (kernelTakes(name + "(x)") ? s.features.functions : s.missing).push_back(name);
    }
    s.features.pow = kernelTakes("pow(x, 0.5)");
    return s;
  }();
  return result;
}

/// Even seeds make models whose every bit is defined; odd ones may call functions with an ulp bound.
Features featuresOf(uint64_t seed) { return seed % 2 == 0 ? Features{} : supported().features; }

reference::ComparisonOptions optionsOf(uint64_t seed, bool doubles) {
  return {
      .doubles = doubles, .monitors = seed % 4 < 2, .fast = seed % 5 == 0, .finalState = seed % 4 == 3, .seed = seed};
}

/// Dims for the parameters of some of the models, as a request may give them.
CheckOptions dimsOf(uint64_t seed, const std::string &text) {
  static const std::vector<std::vector<Dim>> choices = {
      {}, {Dim::Channel}, {Dim::Neuron}, {Dim::Step}, {Dim::Step, Dim::Channel}, {Dim::Step, Dim::Neuron}};
  CheckOptions options;
  if (seed % 3 != 1)
    return options;
  auto [models, errors] = reference::checkText(text);
  reference::Random random(seed);
  for (const Param &param : models.empty() ? std::vector<Param>() : models[0]->params)
    if (param.value->type == Type::Float && !param.isDt) {
      options.dims[param.value->name] = choices[random.below(static_cast<unsigned>(choices.size()))];
      if (!reference::checkText(text, options).errors.empty()) // read before the first step
        options.dims[param.value->name] = {Dim::Neuron};
    }
  return options;
}

reference::Report compareText(uint64_t seed, const std::string &text, const reference::ComparisonOptions &options) {
  auto [models, errors] = reference::checkText(text, dimsOf(seed, text));
  if (!errors.empty() || models.size() != 1)
    return {};
  return reference::compare(*models[0], text, options);
}

/// Compares one model in one type; a failure is reported with the smallest text that still has it.
void run(uint64_t seed, bool doubles, reference::Report &total) {
  Text text = generate(seed, featuresOf(seed));
  auto [models, errors] = reference::checkText(print(text), dimsOf(seed, print(text)));
  ASSERT_EQ(errors, "") << "the generator made a text that does not check:\n" << print(text);
  ASSERT_EQ(models.size(), 1u);
  reference::ComparisonOptions options = optionsOf(seed, doubles);
  reference::Report report = reference::compare(*models[0], print(text), options);
  EXPECT_EQ(report.refused, "") << print(text);
  if (!report.failure.empty()) {
    auto fails = [&](const std::string &candidate) { return !compareText(seed, candidate, options).failure.empty(); };
    std::string small = print(shrink(std::move(text), fails));
    ADD_FAILURE() << "seed " << seed << (doubles ? ", float64" : ", float32") << ": " << report.failure
                  << "\nsmallest text that still fails:\n"
                  << small << compareText(seed, small, options).failure;
  }
  total += report;
}

class RandomModels : public testing::TestWithParam<unsigned> {};

TEST_P(RandomModels, KernelsEqualTheReference) {
  reference::Report total;
  for (unsigned i = 0; i < modelsPerBlock; ++i) {
    uint64_t seed = 1 + GetParam() * modelsPerBlock + i;
    run(seed, false, total);
    if (seed % 3 == 0)
      run(seed, true, total);
  }
  fmt::print("{} numbers equal bit for bit, {} within their bound, {} not bound by the language\n", total.exact,
             total.bounded, total.open);
  // A test that compares nothing would pass as well.
  EXPECT_GT(total.exact, 100'000u);
  EXPECT_GT(total.bounded, 1'000u);
  EXPECT_LT(total.open, (total.exact + total.bounded) / 10);
}

INSTANTIATE_TEST_SUITE_P(Blocks, RandomModels, testing::Range(0u, blocks));

TEST(RandomModelFeatures, TheFunctionsThatKernelsMustHave) {
  const Supported &s = supported();
  for (const char *name : {"exp", "log", "tanh", "sigmoid"})
    EXPECT_NE(std::find(s.features.functions.begin(), s.features.functions.end(), name), s.features.functions.end())
        << name;
  fmt::print("functions in random models: {}; not yet: {}\n", fmt::join(s.features.functions, " "),
             fmt::join(s.missing, " "));
}

TEST(RandomModelFeatures, TheSameSeedGivesTheSameText) {
  EXPECT_EQ(print(generate(7, {})), print(generate(7, {})));
  EXPECT_NE(print(generate(7, {})), print(generate(8, {})));
}

/// The shrinker is what a failure is read through: it must keep the failure and drop the rest.
TEST(RandomModelFeatures, ShrinkingKeepsTheFailureAlone) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Text text = generate(seed, {});
    auto fails = [](const std::string &candidate) {
      return reference::checkText(candidate).errors.empty() && candidate.find("spike(") != std::string::npos;
    };
    ASSERT_TRUE(fails(print(text)));
    std::string small = print(shrink(std::move(text), fails));
    EXPECT_TRUE(fails(small));
    EXPECT_LE(std::count(small.begin(), small.end(), '\n'), 4) << small;
  }
}

} // namespace
} // namespace flexsn::random
