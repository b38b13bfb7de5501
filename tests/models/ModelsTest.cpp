// The neurons that users meet: the shipped models, and the collection from public implementations. Each one that the
// interpreter covers must equal it; the others are counted by reason.
#include "tests/reference/Checked.h"
#include "tests/reference/Comparison.h"
#include "tests/reference/Coverage.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace flexsn {
namespace {

/// How many models of the collection must be compared. Raise it when the language grows; never lower it.
constexpr size_t expectedOfCollection = 23;

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
  for (bool doubles : {false, true})
    for (bool monitors : {false, true}) {
      reference::Report report =
          reference::compare(model, text, {.doubles = doubles, .monitors = monitors, .seed = 11});
      if (!report.refused.empty()) {
        tally.notCovered[report.refused.substr(0, report.refused.find('\n'))].push_back(model.name);
        return;
      }
      EXPECT_EQ(report.failure, "") << model.name << (doubles ? ", float64" : ", float32");
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
  EXPECT_GE(tally.compared, 12u);
}

} // namespace
} // namespace flexsn
