// The threads that a large call shares its work with.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace flexsn {

/// A number of threads, of which the caller of run() is one, that take the slices of a job. One job at a time: who
/// finds the pool busy (another caller, or a job inside of a job) does all of its slices alone. In a forked child,
/// where the threads do not exist, so does everybody. Never waits for a thread that has not begun: progress needs the
/// caller alone.
class ThreadPool {
public:
  /// One slice of a job. `seat` is the number of the thread in the pool: memory that belongs to a seat is used by one
  /// thread at a time.
  using Task = void (*)(void *context, unsigned seat, unsigned slice);

  /// The most threads that a pool may have.
  static constexpr unsigned mostThreads = 1024;

  /// How many threads the calls that are bound from now on may use: what setThreads said, else FLEXSN_NUM_THREADS, else
  /// the number of CPUs that the process may run on. The environment is read once. Throws a Failure as threadsSaidBy.
  static unsigned threads();
  /// What a text like the environment's says; 0 if it is null or empty. Throws a Failure if it has no such number.
  static unsigned threadsSaidBy(const char *text);
  /// 1 to mostThreads. Calls that are bound already keep their pool.
  static void setThreads(unsigned count);

  /// The process's pool of threads() threads, started if there is none: after setThreads and in a forked child again.
  static std::shared_ptr<ThreadPool> shared();

  /// Starts `size` - 1 threads. Fewer if the system has no more, since they only save time.
  explicit ThreadPool(unsigned size);
  /// Lets the threads end; none of them is in a job then.
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  /// How many seats there are: tasks get numbers below.
  unsigned size() const { return seats; }

  /// Runs `task` for the slices [0, slices), in any order, and returns when all of them are done. No allocation. No
  /// system call either if there is one slice.
  void run(unsigned slices, Task task, void *context) noexcept;

  /// False in a child that was forked after the pool was made.
  bool hasThreads() const;

private:
  struct Team;
  std::shared_ptr<Team> team; ///< shared with the threads, the last of which frees it
  unsigned seats;
  unsigned forksBefore; ///< tells the process that made the pool from its forked children
};

} // namespace flexsn
