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

/// Gives programs, compiling each key once however many threads ask. Programs in use live on after they were dropped
/// here. A failure goes to all who wait for it and is then forgotten: the next request tries again. Thread-safe.
class ProgramCache {
public:
  using Compile = std::function<std::shared_ptr<const Program>(const Model &, const Request &)>;

  /// `compile` throws a Failure where it cannot. More than `capacity` programs drop the longest unused.
  explicit ProgramCache(Compile compile, size_t capacity = 1024) : compile(std::move(compile)), capacity(capacity) {}

  /// The process's own, over Program::compile. Never destroyed: other threads may still run at exit.
  static ProgramCache &instance();

  /// Throws the Failure of the compilation.
  std::shared_ptr<const Program> get(const Model &model, const Request &request);

  uint64_t compilations() const { return compiled.load(std::memory_order_relaxed); }
  size_t size() const;

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

  Outcome compileNow(const Model &model, const Request &request) noexcept;
  void dropUnused(); ///< under the lock

  Compile compile;
  size_t capacity;
  std::atomic<uint64_t> compiled{0};
  mutable std::mutex mutex;
  std::map<std::string, Entry, std::less<>> entries;
  uint64_t clock = 0;
};

} // namespace flexsn
