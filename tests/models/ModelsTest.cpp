// The neurons that users meet: the shipped models, and the collection from public implementations. Each one that the
// interpreter covers must equal it; the others are counted by reason.
#include "tests/reference/Checked.h"
#include "tests/reference/Comparison.h"
#include "tests/reference/Coverage.h"
#include "tests/reference/Kernel.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace flexsn {
namespace {

/// How many models of the collection must be compared. Raise it when the language grows; never lower it.
constexpr size_t expectedOfCollection = 26;

std::string readFile(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Tally {
  size_t compared = 0;
  std::map<std::string, std::vector<std::string>> notCovered;
};

void compareModel(const Model &model, const std::string &text, Tally &tally) {
  if (auto reason = reference::notCovered(model)) {
    tally.notCovered[*reason].push_back(model.name);
    return;
  }
  using Options = reference::ComparisonOptions;
  for (const Options &options :
       {Options{}, Options{.monitors = true}, Options{.doubles = true}, Options{.doubles = true, .monitors = true},
        Options{.fast = true, .seed = 11}, Options{.doubles = true, .monitors = true, .fast = true}}) {
    reference::Report report = reference::compare(model, text, options);
    if (!report.refused.empty()) {
      tally.notCovered[report.refused.substr(0, report.refused.find('\n'))].push_back(model.name);
      return;
    }
    EXPECT_EQ(report.failure, "") << model.name << (options.doubles ? ", float64" : ", float32")
                                  << (options.fast ? ", fast" : "");
    EXPECT_GT(report.exact + report.bounded, 0u) << model.name;
  }
  ++tally.compared;
}

void print(const Tally &tally) {
  fmt::print("{} models compared\n", tally.compared);
  for (const auto &[reason, names] : tally.notCovered)
    fmt::print("  not covered, {}: {}\n", reason, fmt::join(names, " "));
}

TEST(Models, TheCollectionEqualsTheReference) {
  std::string text = readFile(FLEXSN_SOURCE_DIR "/tests/data/zoo.fsn");
  auto [models, errors] = reference::checkText(text);
  ASSERT_EQ(errors, "");
  Tally tally;
  for (const auto &model : models)
    compareModel(*model, text, tally);
  print(tally);
  EXPECT_GE(tally.compared, expectedOfCollection);
}

TEST(Models, EveryShippedModelEqualsTheReference) {
  Tally tally;
  for (const auto &entry : std::filesystem::directory_iterator(FLEXSN_SOURCE_DIR "/examples/models")) {
    if (entry.path().extension() != ".fsn")
      continue;
    std::string text = readFile(entry.path());
    auto [models, errors] = reference::checkText(text);
    ASSERT_EQ(errors, "");
    ASSERT_EQ(models.size(), 1u) << entry.path();
    EXPECT_EQ(models[0]->name, entry.path().stem().string()) << "@NAME finds a model by its file's name";
    compareModel(*models[0], text, tally);
  }
  print(tally);
  EXPECT_TRUE(tally.notCovered.empty());
  EXPECT_GE(tally.compared, 13u);
}

/// math = fast fuses what it says it does, and nothing is fused without it.
TEST(Models, FastMathFusesProducts) {
  const std::string text = "neuron F:\n  input x\n  y = x * x - 1\n  z = x * x\n  w = z - 1\n  output y, w\n";
  const float x = 1 + 0x1p-13f, square = x * x;
  for (bool fast : {false, true}) {
    std::string error;
    auto kernel = reference::Kernel::compile(text, "F", {.fast = fast, .outputs = {}}, error);
    ASSERT_TRUE(kernel) << error;
    reference::Array input(reference::Cell::F32, 1);
    input.set(0, x);
    auto result = kernel->run({.steps = 1, .shape = {1}, .inputs = {input}, .params = {}, .initialStates = {}});
    ASSERT_EQ(result.error, "");
    for (const reference::Array &output : result.outputs)
      EXPECT_EQ(output.get<float>(0), fast ? std::fma(x, x, -1.0f) : square - 1) << fast;
  }
}

/// What the equations promise under a constant input: how often each neuron fires.
TEST(Models, ShippedModelsFireAsTheyShould) {
  struct Row {
    const char *model;
    double input;
    size_t steps, least, most;
  };
  constexpr Row rows[] = {
      {"IF", 0.25, 200, 50, 50},        // 4 steps to the threshold, no leak
      {"LIF", 0.99, 200, 0, 0},         // never reaches it
      {"LIF", 1.5, 200, 100, 100},      // 0.75, then 1.125
      {"PLIF", 1.5, 200, 100, 100},     // the same at k = 1/2
      {"QIF", 1, 200, 40, 100},         // well above the rheobase
      {"EIF", 0.5, 200, 40, 100},       //
      {"AdEx", 400, 5000, 0, 0},        // below the rheobase of about 510 pA
      {"AdEx", 800, 5000, 5, 20},       // adapts: 500 ms, some 20 Hz
      {"Izhikevich", 0, 1000, 0, 0},    // at rest
      {"Izhikevich", 10, 1000, 15, 30}, // regular spiking, as in the paper's figure
      {"ALIF", 1.5, 400, 10, 22},       // slower than the 22 spikes of a fixed threshold
      {"Synaptic", 0.01, 200, 0, 0},    // settles at 0.01 / 0.1 / 0.2 = 0.5
      {"Synaptic", 0.03, 200, 20, 50},  //
      {"ILIF", 1.5, 200, 200, 200},     // one or two spikes at once, every step
      {"BRF", 20, 500, 1, 20},          // rings, fires, and is refractory
  };
  for (const Row &row : rows) {
    std::string text = readFile(fmt::format("{}/examples/models/{}.fsn", FLEXSN_SOURCE_DIR, row.model)), error;
    auto kernel = reference::Kernel::compile(text, row.model, {.data = reference::Cell::F32, .outputs = {}}, error);
    ASSERT_TRUE(kernel) << error;
    reference::Array input(reference::Cell::F32, row.steps);
    for (size_t t = 0; t < row.steps; ++t)
      input.setNumber(t, row.input);
    auto result = kernel->run({.steps = row.steps, .shape = {1}, .inputs = {input}, .params = {}, .initialStates = {}});
    ASSERT_EQ(result.error, "");
    size_t fired = 0;
    for (size_t t = 0; t < row.steps; ++t)
      fired += result.outputs[0].number(t) != 0;
    EXPECT_GE(fired, row.least) << row.model << " at " << row.input;
    EXPECT_LE(fired, row.most) << row.model << " at " << row.input;
  }
}

} // namespace
} // namespace flexsn
