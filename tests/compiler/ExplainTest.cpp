// What `explain` says of kernels.
#include "compiler/Explain.h"

#include "compiler/frontend/Functions.h"
#include "tests/compiler/Testing.h"

namespace flexsn {
namespace {

using namespace testing;

Explanation explained(const std::string &text, Request request, const CheckOptions &options = {}) {
  std::shared_ptr<const Model> model = checked(text, options);
  Diagnostics diagnostics(*model->source);
  Explanation explanation;
  EXPECT_TRUE(explain(*model, request, diagnostics, explanation))
      << fmt::format("{}", fmt::join(errors(diagnostics), "\n"));
  return explanation;
}

std::string work(const std::vector<WorkItem> &items) {
  std::string text;
  for (const WorkItem &item : items)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", item.count, item.name);
  return text;
}

/// The texts of the remarks about a topic, as far as a colon.
std::vector<std::string> remarks(const Explanation &explanation, std::string_view topic) {
  std::vector<std::string> texts;
  for (const Remark &remark : explanation.remarks)
    if (remark.topic == topic)
      texts.push_back(remark.text);
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Explain, KnowsEveryFunction) {
  for (const FunctionInfo &function : functions()) {
    if (function.name == "sum" || function.name == "dot") // of vectors, which are not compiled yet
      continue;
    std::string arguments = "x";
    for (unsigned i = 1; i < function.arity; ++i)
      arguments += fmt::format(", {}.5", i);
    std::string text = fmt::format("neuron A:\n  input x\n  y = where({0}({1}) > 0, {0}({1}), 1)\n  output y\n",
                                   function.name, arguments);
    if (function.name == "isnan")
      text = "neuron A:\n  input x\n  y = where(isnan(x), 1, 0)\n  output y\n";
    for (Storage data : {Storage::F32, Storage::F64}) {
      Request request;
      request.data = data;
      request.outputs = {"y"};
      EXPECT_NE(work(explained(text, request).step), "") << function.name;
    }
  }
}

TEST(Explain, CountsWhatEachRegionComputes) {
  Explanation lif_ = explained(lif, spikes());
  EXPECT_EQ(work(lif_.step), "6 add, 2 mul, 1 div, 1 spike");
  EXPECT_EQ(work(lif_.init), "");
  EXPECT_EQ(work(lif_.prologue), "1 fma, 1 div, 3 compare, 2 and, 1 select"); // tau's reciprocal
  EXPECT_GT(lif_.tile, 0U);
  EXPECT_FALSE(lif_.scheduleReason.empty());
  std::string text = "neuron A:\n  input x\n  state v = k * 2\n  param k = 1.0, m = 2.0\n  int_ = x > 0\n"
                     "  v = x**3 * (k / m) + min(v, 1) if int_ else exp(v)\n  s = v\n  output s\n";
  Explanation other = explained(text, spikes());
  EXPECT_EQ(work(other.prologue), "1 mul, 1 div"); // computed in `init` and `step` as written
  EXPECT_EQ(other.invariantSlots, 2U);
  EXPECT_EQ(work(explained("neuron A:\n  input x\n  s = x**-3\n  output s\n", spikes()).step), "2 mul, 1 div");
  EXPECT_EQ(work(other.step), "3 mul, 1 add, 1 exp, 1 compare, 1 min, 1 select");
}

TEST(Explain, FunctionsHaveTheCostOfTheirExpansion) {
  std::string text = "neuron A:\n  input x\n  s = exp(x) + sqrt(x)\n  output s\n";
  Request request = spikes();
  Explanation single = explained(text, request);
  ASSERT_EQ(work(single.step), "1 add, 1 sqrt, 1 exp");
  EXPECT_GT(single.step[2].each, 8U);
  EXPECT_FALSE(single.step[2].platform);
  EXPECT_EQ(remarks(single, "function"), Texts{fmt::format("'exp' is {} of the {} operations of a step",
                                                           single.step[2].each, single.step[2].each + 2)});
  EXPECT_EQ(remarks(single, "division").size(), 1U);
  request.data = Storage::F64;
  Explanation twice = explained(text, request);
  EXPECT_TRUE(twice.step[2].platform);
  EXPECT_EQ(remarks(twice, "function"), Texts{"'exp' is the platform's function, called for each neuron"});
}

TEST(Explain, SaysWhatIsDividedBy) {
  std::string text = "neuron A:\n  input x\n  param tau = 2.0\n  s = x / tau + 1 / tau * x / (tau * 2) + 2 / x\n"
                     "  s = s / tau\n  output s\n";
  Explanation explanation = explained(text, spikes());
  Texts texts = remarks(explanation, "division");
  ASSERT_EQ(texts.size(), 3U);
  EXPECT_EQ(texts[0].find("2 divisions in each step by the parameter 'tau':"), 0U) << texts[0];
  EXPECT_EQ(texts[1].find("a division in each step by what was computed from the parameters"), 0U) << texts[1];
  EXPECT_EQ(texts[2], "a division in each step by a value of the step");
  for (const Remark &remark : explanation.remarks)
    EXPECT_TRUE(remark.span);
}

std::string resetBy(const std::string &assignment, bool detach = false) {
  CheckOptions options;
  options.detachReset = detach;
  std::string text = "neuron A:\n  input x\n  state v = 0\n  charge: h = v + x\n  fire: s = spike(h - 1.0)\n"
                     "  reset: v = " +
                     assignment + "\n  output s\n";
  Texts texts = remarks(explained(text, spikes(), options), "spike");
  return texts.empty() ? "" : fmt::format("{}", fmt::join(texts, "\n"));
}

TEST(Explain, TellsAProductFromASelection) {
  const std::string product = "'v' depends on 's' by arithmetic, so a gradient flows through the spike";
  const std::string selection = "'v' depends on 's' by a selection, so no gradient flows through the spike";
  const std::string detached = "'v' depends on 's' detached, so no gradient flows through the spike";
  EXPECT_EQ(resetBy("h * (1 - s)"), product);
  EXPECT_EQ(resetBy("h - s"), product);
  EXPECT_EQ(resetBy("0 if s > 0 else h"), selection);
  EXPECT_EQ(resetBy("where(s > 0, 0, h)"), selection);
  EXPECT_EQ(resetBy("h - floor(s)"), selection);
  EXPECT_EQ(resetBy("h * (1 - detach(s))"), detached);
  EXPECT_EQ(resetBy("h * (1 - s)", /*detach=*/true), detached);
  EXPECT_EQ(resetBy("(0 if s > 0 else h) - s"), product); // one way is enough
  EXPECT_EQ(resetBy("gscale(s, 0.5) + h"), product);
  EXPECT_EQ(resetBy("h - spike(h - 2.0)"),
            "'v' depends on the spike in line 6 by arithmetic, so a gradient flows through the spike");
  EXPECT_EQ(resetBy("h"), "");
}

TEST(Explain, SaysWhichInputIsNotRead) {
  std::string text = "neuron A:\n  input x, y\n  s = spike(x)\n  output s\n";
  Explanation explanation = explained(text, spikes());
  EXPECT_EQ(remarks(explanation, "unused"), Texts{"the input 'y' is not read: no result depends on it"});
  ASSERT_EQ(explanation.operands.size(), 3U);
  EXPECT_TRUE(explanation.operands[0].used);
  EXPECT_FALSE(explanation.operands[1].used);
}

TEST(Explain, HasTheScheduleOfAGpu) {
  std::shared_ptr<const Model> model = checked(lif);
  Diagnostics diagnostics(*model->source);
  Explanation vector, scalar;
  ASSERT_TRUE(explainCuda(*model, spikes(), AccessPath::Vector, diagnostics, vector));
  ASSERT_TRUE(explainCuda(*model, spikes(), AccessPath::Scalar, diagnostics, scalar));
  EXPECT_EQ(vector.tile, 0U);
  EXPECT_EQ(vector.threads, 128U);
  EXPECT_EQ(vector.neurons, 4U); // 16 bytes
  EXPECT_GT(vector.chunk, 1U);
  EXPECT_GT(vector.blocks, 1U);
  EXPECT_NE(vector.scheduleReason, scalar.scheduleReason);
  EXPECT_EQ(work(vector.step), work(explained(lif, spikes()).step)) << "a step is a step";
}

TEST(Explain, RefusesWhatCannotBeCompiled) {
  std::shared_ptr<const Model> model = checked(lif);
  Diagnostics diagnostics(*model->source);
  Explanation explanation;
  explanation.tile = 7;
  Request request = spikes();
  request.outputs = {"nothing"};
  EXPECT_FALSE(explain(*model, request, diagnostics, explanation));
  EXPECT_EQ(explanation.tile, 7U) << "a failure leaves nothing behind";
  EXPECT_EQ(errors(diagnostics).size(), 1U);
}

} // namespace
} // namespace flexsn
