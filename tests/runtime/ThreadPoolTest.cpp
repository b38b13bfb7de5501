#include "runtime/ThreadPool.h"

#include "tests/runtime/Support.h"

#include <algorithm>
#include <atomic>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace flexsn::test {
namespace {

/// Counts how often each slice was run, and whether two threads ever had one seat at a time.
class Job {
public:
  explicit Job(unsigned slices, unsigned seats) : counts(slices), taken(seats) {}

  void run(ThreadPool &pool) {
    pool.run(
        static_cast<unsigned>(counts.size()),
        [](void *self, unsigned seat, unsigned slice) { static_cast<Job *>(self)->slice(seat, slice); }, this);
  }
  /// Every slice ran once, on a seat of its own.
  bool complete() const {
    return !clash && std::all_of(counts.begin(), counts.end(), [](const auto &count) { return count == 1; });
  }

private:
  void slice(unsigned seat, unsigned slice) {
    if (seat >= taken.size() || taken[seat].exchange(true))
      clash = true;
    ++counts.at(slice);
    if (seat < taken.size())
      taken[seat] = false;
  }

  std::vector<std::atomic<int>> counts;
  std::vector<std::atomic<bool>> taken;
  std::atomic<bool> clash{false};
};

TEST(ThreadPool, RunsEverySliceOnce) {
  for (unsigned size : {1, 2, 3, 8, 64}) {
    ThreadPool pool(size);
    EXPECT_EQ(pool.size(), size);
    for (unsigned slices : {0, 1, 2, 3, 7, 64, 1000}) {
      Job job(slices, size);
      job.run(pool);
      EXPECT_TRUE(job.complete()) << size << " threads, " << slices << " slices";
    }
  }
}

TEST(ThreadPool, RunsManySmallJobsOneAfterTheOther) {
  ThreadPool pool(4);
  for (int i = 0; i < 2000; ++i) {
    Job job(5, 4);
    job.run(pool);
    ASSERT_TRUE(job.complete()) << "job " << i;
  }
}

TEST(ThreadPool, UsesItsThreads) {
  ThreadPool pool(2);
  struct Meeting {
    std::atomic<int> present{0};
  } meeting;
  // Each of the two slices waits for the other: one thread alone would never end.
  pool.run(
      2,
      [](void *context, unsigned, unsigned) {
        auto &present = static_cast<Meeting *>(context)->present;
        ++present;
        while (present < 2)
          std::this_thread::yield();
      },
      &meeting);
  EXPECT_EQ(meeting.present, 2);
}

TEST(ThreadPool, RunsAJobInsideOfAJob) {
  ThreadPool pool(3);
  struct Outer {
    ThreadPool &pool;
    std::atomic<int> complete{0};
  } outer{pool};
  pool.run(
      10,
      [](void *context, unsigned, unsigned) {
        auto &outer = *static_cast<Outer *>(context);
        Job inner(4, 3);
        inner.run(outer.pool);
        outer.complete += inner.complete();
      },
      &outer);
  EXPECT_EQ(outer.complete, 10);
}

TEST(ThreadPool, ServesManyCallersAtOnce) {
  ThreadPool pool(3);
  std::atomic<int> complete{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i)
    callers.emplace_back([&] {
      for (int repeat = 0; repeat < 200; ++repeat) {
        Job job(6, 3);
        job.run(pool);
        complete += job.complete();
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(complete, 8 * 200);
}

TEST(ThreadPool, IsMadeAnewForAnotherNumberOfThreads) {
  unsigned before = ThreadPool::threads();
  ThreadPool::setThreads(3);
  std::shared_ptr<ThreadPool> three = ThreadPool::shared();
  EXPECT_EQ(three->size(), 3u);
  EXPECT_EQ(ThreadPool::shared(), three);
  ThreadPool::setThreads(2);
  EXPECT_EQ(ThreadPool::shared()->size(), 2u);
  Job job(6, 3);
  job.run(*three); // who holds the old one may go on with it
  EXPECT_TRUE(job.complete());
  ThreadPool::setThreads(before);
}

TEST(ThreadPool, TakesItsSizeFromWholeNumbers) {
  EXPECT_EQ(ThreadPool::threadsSaidBy(nullptr), 0u);
  EXPECT_EQ(ThreadPool::threadsSaidBy(""), 0u);
  EXPECT_EQ(ThreadPool::threadsSaidBy("1"), 1u);
  EXPECT_EQ(ThreadPool::threadsSaidBy("1024"), 1024u);
  for (const char *bad : {"0", "-1", "1025", "4294967297", "2.0", "two", " 2", "2 ", "0x2"})
    EXPECT_EQ(
        messageOf([&] { ThreadPool::threadsSaidBy(bad); }),
        fmt::format("the environment's FLEXSN_NUM_THREADS is '{}'; a whole number from 1 to 1024 is needed", bad));
}

/// True if `body`, run in a forked child, returns true within ten seconds.
template <class Body> bool trueInAChild(Body body) {
  pid_t child = fork();
  if (child == 0) {
    alarm(10); // a child that hangs is killed
    _exit(body() ? 0 : 1);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Not named ThreadPool: the thread sanitizer allows no threads in a child of several.
TEST(Fork, WhileThePoolWorks) {
  unsigned before = ThreadPool::threads();
  ThreadPool::setThreads(3);
  std::shared_ptr<ThreadPool> pool = ThreadPool::shared();
  std::atomic<bool> stop{false};
  std::vector<std::thread> callers;
  for (int i = 0; i < 2; ++i)
    callers.emplace_back([&] {
      while (!stop) {
        Job job(6, 3);
        job.run(*pool);
      }
    });
  for (int i = 0; i < 20; ++i)
    EXPECT_TRUE(trueInAChild([&] {
      Job old(6, 3), fresh(6, 3);
      old.run(*pool); // of the parent's threads none is here
      std::shared_ptr<ThreadPool> own = ThreadPool::shared();
      fresh.run(*own);
      return !pool->hasThreads() && own != pool && own->hasThreads() && old.complete() && fresh.complete();
    }));
  stop = true;
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_TRUE(pool->hasThreads());
  ThreadPool::setThreads(before);
}

} // namespace
} // namespace flexsn::test
