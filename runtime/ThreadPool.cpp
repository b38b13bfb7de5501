#include "runtime/ThreadPool.h"

#include "runtime/Error.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <thread>

namespace flexsn {

// ---- Waiting --------------------------------------------------------------------------------------------------------

/// How often a waiting thread looks before it sleeps: some 20 us, what waking a thread costs.
static constexpr unsigned looks = 500;

static void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb"); // `yield` does nothing on most cores; this takes about as long as x86's pause
#endif
}

/// Returns when `word` is not `old` any more.
static void waitWhile(const std::atomic<uint32_t> &word, uint32_t old) {
  for (unsigned i = 0; i < looks; ++i) {
    if (word.load(std::memory_order_acquire) != old)
      return;
    pause();
  }
  word.wait(old, std::memory_order_acquire);
}

// ---- The team -------------------------------------------------------------------------------------------------------

/// What the threads of a pool have in common. A job is its number and how many of its slices nobody has taken yet, in
/// one word: whoever lowers that word from a value it has seen knows that the job it read is still on.
struct ThreadPool::Team {
  alignas(64) std::atomic<uint64_t> job{0}; ///< number << 32 | slices left
  std::atomic<Task> task{nullptr};
  std::atomic<void *> context{nullptr};
  alignas(64) std::atomic<uint32_t> unfinished{0}; ///< slices of the job that are not done
  alignas(64) std::atomic<uint32_t> calls{0};      ///< rises with every job and at the end: what idle threads watch
  std::atomic<bool> ended{false};
  alignas(64) std::atomic<bool> busy{false};

  void takeSlices(unsigned seat) noexcept;
  void serve(unsigned seat) noexcept;
  void callThreads() {
    calls.fetch_add(1, std::memory_order_release);
    calls.notify_all(); // no system call unless one of them sleeps
  }
};

void ThreadPool::Team::takeSlices(unsigned seat) noexcept {
  uint64_t seen = job.load(std::memory_order_acquire);
  while (static_cast<uint32_t>(seen) != 0) {
    // Of this job if the exchange succeeds: the next one is written only when no slice of this one is left.
    Task run = task.load(std::memory_order_relaxed);
    void *with = context.load(std::memory_order_relaxed);
    if (!job.compare_exchange_weak(seen, seen - 1, std::memory_order_acq_rel, std::memory_order_acquire))
      continue;
    run(with, seat, static_cast<uint32_t>(seen) - 1);
    if (unfinished.fetch_sub(1, std::memory_order_acq_rel) == 1 && seat != 0)
      unfinished.notify_one(); // seat 0 would be the one that waits
    seen = job.load(std::memory_order_acquire);
  }
}

void ThreadPool::Team::serve(unsigned seat) noexcept {
  uint32_t served = 0;
  while (!ended.load(std::memory_order_acquire)) {
    waitWhile(calls, served);
    served = calls.load(std::memory_order_acquire); // before looking: a job that comes later raises it again
    takeSlices(seat);
  }
}

// ---- Forks ----------------------------------------------------------------------------------------------------------

namespace {

/// What there is once in a process. Never destroyed: threads may still run at exit.
struct Process {
  std::mutex mutex;
  std::shared_ptr<ThreadPool> pool;
  unsigned wanted = 0; ///< threads; 0: not known yet
};

/// How many forks lie between the process that first asked for a pool and this one.
std::atomic<unsigned> forks{0};

/// A child begins without the parent's threads, so it must know that it is one. And no thread may hold the lock in the
/// moment of a fork, since nobody would open it in the child.
Process &process() {
  static Process *state = [] {
    static auto *made = new Process;
    pthread_atfork([] { made->mutex.lock(); }, [] { made->mutex.unlock(); },
                   [] {
                     forks.fetch_add(1, std::memory_order_relaxed);
                     made->mutex.unlock();
                   });
    return made;
  }();
  return *state;
}

} // namespace

// ---- The number of threads ------------------------------------------------------------------------------------------

static unsigned allowedCpus() {
  cpu_set_t set; // a process on a machine of more CPUs than it holds gets the error, and the number of all
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return static_cast<unsigned>(CPU_COUNT(&set));
  return std::max(1U, std::thread::hardware_concurrency());
}

unsigned ThreadPool::threadsSaidBy(const char *text) {
  if (!text || !*text)
    return 0;
  unsigned count = 0;
  const char *end = text + std::strlen(text);
  auto [stopped, error] = std::from_chars(text, end, count);
  if (error != std::errc() || stopped != end || count < 1 || count > mostThreads)
    fail(FLEXSN_ERROR_VALUE, "the environment's FLEXSN_NUM_THREADS is '{}'; a whole number from 1 to {} is needed",
         printable(excerpt(text)), mostThreads);
  return count;
}

unsigned ThreadPool::threads() {
  static const char *environment = std::getenv("FLEXSN_NUM_THREADS");
  std::scoped_lock lock(process().mutex);
  unsigned &wanted = process().wanted;
  if (wanted == 0)
    wanted = threadsSaidBy(environment);
  if (wanted == 0)
    wanted = std::min(allowedCpus(), mostThreads);
  return wanted;
}

void ThreadPool::setThreads(unsigned count) {
  std::scoped_lock lock(process().mutex);
  process().wanted = count;
}

std::shared_ptr<ThreadPool> ThreadPool::shared() {
  unsigned wanted = threads();
  std::scoped_lock lock(process().mutex);
  std::shared_ptr<ThreadPool> &pool = process().pool;
  if (!pool || pool->size() != wanted || !pool->hasThreads())
    pool = std::make_shared<ThreadPool>(wanted);
  return pool;
}

// ---- The pool -------------------------------------------------------------------------------------------------------

namespace {
/// Threads that start meanwhile take no signals: those are for the program's own.
class SignalsBlocked {
public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
  SignalsBlocked(const SignalsBlocked &) = delete;
  SignalsBlocked &operator=(const SignalsBlocked &) = delete;

private:
  sigset_t before;
};
} // namespace

ThreadPool::ThreadPool(unsigned size)
    : team(std::make_shared<Team>()), seats(std::max(1U, size)), forksBefore(forks.load(std::memory_order_relaxed)) {
  SignalsBlocked blocked;
  try {
    for (unsigned seat = 1; seat < seats; ++seat)
      std::thread([team = team, seat] { team->serve(seat); }).detach();
  } catch (const std::exception &) { // NOLINT(bugprone-empty-catch): as many as there could be
  }
}

ThreadPool::~ThreadPool() {
  team->ended.store(true, std::memory_order_release);
  team->callThreads();
}

bool ThreadPool::hasThreads() const { return forksBefore == forks.load(std::memory_order_relaxed); }

void ThreadPool::run(unsigned slices, Task task, void *context) noexcept {
  if (slices <= 1 || seats == 1 || !hasThreads() || team->busy.exchange(true, std::memory_order_acquire)) {
    for (unsigned slice = 0; slice < slices; ++slice)
      task(context, 0, slice);
    return;
  }
  team->task.store(task, std::memory_order_relaxed);
  team->context.store(context, std::memory_order_relaxed);
  team->unfinished.store(slices, std::memory_order_relaxed);
  uint64_t number = (team->job.load(std::memory_order_relaxed) >> 32) + 1;
  team->job.store(number << 32 | slices, std::memory_order_release);
  team->callThreads();
  team->takeSlices(0);
  while (uint32_t left = team->unfinished.load(std::memory_order_acquire))
    waitWhile(team->unfinished, left);
  team->busy.store(false, std::memory_order_release);
}

} // namespace flexsn
