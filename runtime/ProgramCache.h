// Compiled programs in memory, by program key, for the whole process.
#pragma once

#include "runtime/Error.h"
#include "runtime/Program.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace flexsn {

/// Gives programs, obtaining each key once however many threads ask. Programs in use live on after they were dropped
/// here. A failure goes to all who wait for it and is then forgotten: the next request tries again. Thread-safe.
class ProgramCache {
public:
  using Obtain = std::function<std::shared_ptr<const Program>(const std::string &key, const Model &, const Request &)>;
  using Stored = Obtain;

  /// `obtain` throws a Failure where it cannot; `stored` gives only what needs no compilation, else null. More than
  /// `capacity` programs drop the longest unused.
  explicit ProgramCache(Obtain obtain, Stored stored = nullptr, size_t capacity = 1024)
      : obtain(std::move(obtain)), stored(std::move(stored)), capacity(capacity) {}

  /// The process's own, over Program::obtain and the disk cache. Never destroyed: other threads may still run at exit.
  static ProgramCache &instance();

  /// Throws the Failure of the compilation.
  std::shared_ptr<const Program> get(const Model &model, const Request &request);
  /// The program if nothing has to be compiled for it, else null; does not wait for a compilation.
  std::shared_ptr<const Program> find(const Model &model, const Request &request);

  /// Programs that were compiled, also in vain; and those that came from the disk cache.
  uint64_t compilations() const { return compiled.load(std::memory_order_relaxed); }
  uint64_t loads() const { return loaded.load(std::memory_order_relaxed); }
  size_t size() const;

  /// Around a fork. The child has none of the threads that compile, and starts their compilations anew.
  void beforeFork() { mutex.lock(); }
  void afterFork(bool child);

private:
  /// How a compilation ended: a program, or a failure with the source that its findings point to.
  struct Outcome {
    std::shared_ptr<const Program> program;
    Failure failure{FLEXSN_ERROR_INTERNAL, {}};
    std::shared_ptr<const Source> source;
  };
  struct Entry {
    std::shared_future<Outcome> outcome;
    uint64_t lastUse = 0;
    bool finished = false; ///< only finished entries are dropped
  };

  Outcome obtainNow(const std::string &key, const Model &model, const Request &request) noexcept;
  void dropUnused(); ///< under the lock

  Obtain obtain;
  Stored stored;
  size_t capacity;
  std::atomic<uint64_t> compiled{0}, loaded{0};
  mutable std::mutex mutex;
  std::map<std::string, Entry, std::less<>> entries;
  uint64_t clock = 0;
};

} // namespace flexsn
