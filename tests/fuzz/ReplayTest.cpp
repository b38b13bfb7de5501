// The corpus as a regression test, through the fuzzer's own entry.
#include "tests/fuzz/FuzzEntry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace fs = std::filesystem;

static std::string readFile(const fs::path &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// The files of a folder, in the order of their names.
static std::vector<fs::path> filesOf(const char *folder) {
  std::vector<fs::path> files;
  for (const auto &entry : fs::recursive_directory_iterator(fs::path(FLEXSN_SOURCE_DIR) / folder))
    if (entry.is_regular_file())
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

static void replay(const char *folder, size_t atLeast) {
  const std::vector<fs::path> files = filesOf(folder);
  EXPECT_GE(files.size(), atLeast) << folder;
  for (const fs::path &file : files) {
    SCOPED_TRACE(file.filename().string());
    const std::string bytes = readFile(file);
    flexsn::test::fuzzFrontend(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  }
}

TEST(Replay, Corpus) { replay("tests/fuzz/corpus", 10); }
TEST(Replay, MalformedTexts) { replay("tests/diagnostics", 50); }
TEST(Replay, ShippedModels) { replay("examples/models", 1); }
TEST(Replay, Collection) { replay("tests/data", 1); }
