// triton-lang/triton#11512 (also #4295, #2688, deepseek-ai/DeepGEMM#301, flashinfer-ai/flashinfer#4062,
// cython/cython#7983): processes that start together and share a cache fail because a file is not there, half written,
// or of another process that cleans up.
#include "tests/cases/CacheSupport.h"

#include <random>

namespace flexsn::cases {
namespace {

/// Compiles and runs the case's first row; the number of compilations. Throws for any other numbers.
int runPair() {
  std::vector<float> x = {0.5f, 0, 0.25f, 1}, s(4), i(1, 0.5f), v(1, -0.25f);
  Call call;
  call.inputs = {view(x, {4, 1})};
  call.outputs = {view(s, {4, 1})};
  call.initial_states = {{"i", view(i, {1})}, {"v", view(v, {1})}};
  call.final_states = {{"i", view(i, {1})}, {"v", view(v, {1})}};
  Model::parse(pairText).compile().inference(call);
  if (s != std::vector<float>{0, 0, 1, 1} || i[0] != 1.21875f || v[0] != 0.2451171875f)
    throw std::runtime_error("wrong numbers");
  return compilations();
}

int sum(const std::vector<int> &numbers) {
  int total = 0;
  for (int number : numbers)
    total += number;
  return total;
}

void startTogether(int processes) {
  CacheFolder folder;
  for (int round = 0; round < 20; ++round) {
    fs::remove_all(folder.path());
    Crowd crowd;
    for (int i = 0; i < processes; ++i)
      crowd.add(runPair);
    std::vector<int> compiled = crowd.results();
    ASSERT_EQ(std::count(compiled.begin(), compiled.end(), Crowd::failed), 0);
    EXPECT_EQ(sum(compiled), 1) << "a claim was not waited for";
    EXPECT_EQ(folder.entries().size(), 1u);
    EXPECT_TRUE(folder.files("-tmp").empty());
  }
  EXPECT_EQ(inProcess(runPair), 0);
}

TEST(CacheCrowd, EightStartTogether) { startTogether(8); }
TEST(CacheCrowd, SixteenStartTogether) { startTogether(16); }

/// Changes a file in its place, as no process of ours does.
void spoil(const std::string &file, std::mt19937 &random) {
  std::error_code gone;
  auto size = fs::file_size(file, gone);
  if (gone || size == 0)
    return;
  if (random() % 2) {
    fs::resize_file(file, random() % size, gone);
    return;
  }
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  auto at = static_cast<std::streamoff>(random() % size);
  bytes.seekg(at);
  int old = bytes.get();
  bytes.seekp(at);
  bytes.put(static_cast<char>(old ^ (1 << (random() % 8))));
}

void startAmongVandals(int processes) {
  CacheFolder folder;
  setenv("FLEXSN_LOG", "off", 1); // there is much to tell
  for (int round = 0; round < 20; ++round) {
    Crowd crowd;
    std::mt19937 random(static_cast<unsigned>(round));
    for (int i = 0; i < processes; ++i)
      crowd.add(runPair);
    crowd.disturb([&] {
      std::error_code busy;
      fs::remove_all(folder.path(), busy);
    });
    crowd.disturb([] { cache_inspect(CacheAction::clear); });
    crowd.disturb([] { cache_inspect(CacheAction::verify); });
    crowd.disturb([&] {
      for (const std::string &name : folder.files())
        spoil(folder.path() + "/" + name, random);
    });
    std::vector<int> compiled = crowd.results();
    ASSERT_EQ(std::count(compiled.begin(), compiled.end(), Crowd::failed), 0);
    EXPECT_LE(*std::max_element(compiled.begin(), compiled.end()), 1);
  }
  EXPECT_LE(inProcess(runPair), 1);
  EXPECT_EQ(inProcess(runPair), 0);
}

TEST(CacheCrowd, EightAmongVandals) { startAmongVandals(8); }
TEST(CacheCrowd, SixteenAmongVandals) { startAmongVandals(16); }

/// Processes are killed at any time; those after them are right, and what was left half done does not grow.
TEST(CacheCrowd, SomeAreKilled) {
  CacheFolder folder;
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    fs::remove_all(folder.path());
    pid_t victim = fork();
    if (victim == 0)
      _exit(runPair());
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 60));
    kill(victim, SIGKILL);
    Crowd crowd;
    crowd.add(runPair);
    crowd.add(runPair);
    std::vector<int> compiled = crowd.results();
    waitpid(victim, nullptr, 0);
    ASSERT_EQ(std::count(compiled.begin(), compiled.end(), Crowd::failed), 0);
    EXPECT_LE(sum(compiled), 1);
    EXPECT_LE(folder.files("-tmp").size(), 1u);
  }
}

TEST(CacheCrowd, ReadOnlyFullAndMissingCachesCostTimeAlone) {
  CacheFolder folder;
  EXPECT_EQ(inProcess(runPair), 1);
  setenv("FLEXSN_CACHE", "read-only", 1);
  EXPECT_EQ(inProcess(runPair), 0);
  setenv("FLEXSN_CACHE", "off", 1);
  EXPECT_EQ(inProcess(runPair), 1);
  setenv("FLEXSN_CACHE", "on", 1);
  setenv("FLEXSN_CACHE_SIZE", "0", 1); // room for nothing
  fs::remove_all(folder.path());
  EXPECT_EQ(inProcess(runPair), 1);
  EXPECT_EQ(inProcess(runPair), 1);
  EXPECT_TRUE(folder.entries().empty());
  unsetenv("FLEXSN_CACHE_SIZE");
  unsetenv("FLEXSN_CACHE_DIR");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  setenv("FLEXSN_LOG", "off", 1);
  EXPECT_EQ(inProcess(runPair), 1);
}

} // namespace
} // namespace flexsn::cases
