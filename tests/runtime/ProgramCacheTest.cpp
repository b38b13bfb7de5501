#include "runtime/ProgramCache.h"

#include "tests/runtime/Support.h"

#include <barrier>
#include <chrono>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace flexsn::test {
namespace {

std::shared_ptr<const Model> model(const std::string &threshold = "1.0") {
  return modelOf("neuron LIF:\n  input x\n  state v = 0\n  v = v + x\n  s = spike(v - " + threshold +
                 ")\n  output s\n");
}

std::shared_ptr<const Program> something(const std::string &, const Model &, const Request &) {
  return std::make_shared<Program>();
}

Request request(bool finals = false) {
  Request result;
  result.outputs = {"s"};
  if (finals)
    result.finalStates = {"v"};
  return result;
}

/// Runs `body(thread)` in several threads that start together.
template <class Body> void inThreads(int count, Body body) {
  std::barrier start(count);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      body(i);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(ProgramCache, EqualRequestsShareOneProgram) {
  ProgramCache cache(something);
  auto first = cache.get(*model(), request());
  EXPECT_EQ(cache.get(*model(), request()), first); // another text object, the same text
  EXPECT_NE(cache.get(*model(), request(true)), first);
  EXPECT_NE(cache.get(*model("1.5"), request()), first);
  EXPECT_EQ(cache.compilations(), 3u);
  EXPECT_EQ(cache.size(), 3u);
}

TEST(ProgramCache, ThreadsThatWantOneProgramWaitForOneCompilation) {
  ProgramCache cache([](const std::string &key, const Model &given, const Request &wanted) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return something(key, given, wanted);
  });
  auto shared = model();
  std::vector<std::shared_ptr<const Program>> programs(8);
  inThreads(8, [&](int i) { programs[i] = cache.get(*shared, request()); });
  for (const auto &program : programs)
    EXPECT_EQ(program, programs[0]);
  EXPECT_EQ(cache.compilations(), 1u);
}

TEST(ProgramCache, AFailureGoesToAllWhoWaitAndIsForgotten) {
  std::atomic<bool> broken = true;
  ProgramCache cache([&](const std::string &key, const Model &given, const Request &wanted) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (broken)
      fail(FLEXSN_ERROR_DEVICE, "the {} is broken", "linker");
    return something(key, given, wanted);
  });
  auto shared = model();
  std::vector<std::string> messages(8);
  inThreads(8, [&](int i) { messages[i] = messageOf([&] { cache.get(*shared, request()); }); });
  for (const std::string &message : messages)
    EXPECT_EQ(message, "the linker is broken");
  EXPECT_EQ(cache.size(), 0u);
  broken = false;
  EXPECT_NE(cache.get(*shared, request()), nullptr);
}

TEST(ProgramCache, FindingsOfAnothersTextAreNotPassedOn) {
  // Both texts make the same program; the findings name the text that was compiled.
  std::atomic<int> calls = 0;
  ProgramCache cache([&](const std::string &, const Model &given, const Request &) -> std::shared_ptr<const Program> {
    ++calls;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    failModel({Finding{given.source->name(), "", "refused", "", "", {}, Severity::Error, {}, {}, {}, {}}});
  });
  std::vector<std::shared_ptr<const Model>> models = {model(), model(), model(), model()};
  for (size_t i = 0; i < models.size(); ++i)
    const_cast<Model &>(*models[i]).source = std::make_shared<const Source>(std::to_string(i), "");
  inThreads(4, [&](int i) {
    Failure failure = failureOf([&] { cache.get(*models[i], request()); });
    ASSERT_EQ(failure.findings.size(), 1u);
    EXPECT_EQ(failure.findings[0].file, std::to_string(i));
  });
  EXPECT_EQ(calls, 4);
}

TEST(ProgramCache, OtherExceptionsBecomeFailures) {
  ProgramCache cache([](const std::string &, const Model &, const Request &) -> std::shared_ptr<const Program> {
    throw std::bad_alloc();
  });
  EXPECT_EQ(failureOf([&] { cache.get(*model(), request()); }).code, FLEXSN_ERROR_MEMORY);
  EXPECT_EQ(cache.size(), 0u);
}

TEST(ProgramCache, TheLongestUnusedIsDroppedAndLivesOnWhereItIsUsed) {
  ProgramCache cache(something, nullptr, /*capacity=*/2);
  auto oldest = cache.get(*model("1.0"), request());
  auto second = cache.get(*model("2.0"), request());
  EXPECT_EQ(cache.get(*model("1.0"), request()), oldest); // now the second is the longest unused
  cache.get(*model("3.0"), request());
  EXPECT_EQ(cache.size(), 2u);
  EXPECT_EQ(cache.get(*model("1.0"), request()), oldest);
  EXPECT_NE(cache.get(*model("2.0"), request()), second);
  EXPECT_EQ(cache.compilations(), 4u);
  EXPECT_EQ(second.use_count(), 1);
}

TEST(ProgramCache, AChildDoesNotWaitForAThreadOfItsParent) {
  std::atomic<bool> compiling = false;
  const pid_t parent = ::getpid();
  ProgramCache cache([&](const std::string &key, const Model &given, const Request &wanted) {
    compiling = true;
    if (::getpid() == parent)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return something(key, given, wanted);
  });
  auto shared = model();
  std::thread other([&] { cache.get(*shared, request()); });
  while (!compiling)
    std::this_thread::yield();
  cache.beforeFork();
  pid_t child = ::fork();
  cache.afterFork(child == 0);
  if (child == 0) {
    ::alarm(20); // ends a child that waits for ever
    ::_exit(cache.get(*shared, request()) ? 0 : 1);
  }
  other.join();
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(ProgramCache, FindsWhatNeedsNoCompilation) {
  int looks = 0;
  bool there = false;
  ProgramCache cache(something, [&](const std::string &, const Model &, const Request &) {
    ++looks;
    return there ? std::make_shared<Program>() : nullptr;
  });
  EXPECT_EQ(cache.find(*model(), request()), nullptr);
  EXPECT_EQ(cache.size(), 0u);
  there = true;
  auto found = cache.find(*model(), request());
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(cache.get(*model(), request()), found);
  EXPECT_EQ(cache.find(*model(), request()), found);
  EXPECT_EQ(looks, 2);
  EXPECT_EQ(cache.loads(), 1u);
  EXPECT_EQ(cache.compilations(), 0u);
}

} // namespace
} // namespace flexsn::test
