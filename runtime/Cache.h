// The disk cache: bytes under a key, shared by all processes of a user (or, in a folder that is named, of many).
//
// The contract:
// - A cache failure only ever costs time. Nothing here throws but for lack of memory, nothing blocks for long, and what
//   `get` returns is what `put` was given for this key, or nothing.
// - A miss is: no entry, no folder, any call that fails, any byte that is not as it was written. A damaged entry is
//   removed, so that the next `put` replaces it.
// - A `put` that cannot be kept is forgotten; the caller uses the bytes that it has in hand, never the file.
// - One line is logged for each damaged entry, and one a process for each errno of failing calls (FLEXSN_LOG).
// - No lock is needed for any of this. Claims only spare processes that start together the same work.
// - There is no way to ask whether an entry is there: the answer would be old when it comes.
#pragma once

#include "runtime/CacheEntry.h"
#include "runtime/CacheFolder.h"

#include <array>
#include <atomic>
#include <optional>
#include <utility>

namespace flexsn {

/// Held while one process makes what others may want too; the kernel takes it back when the process ends.
class CacheClaim {
public:
  CacheClaim() = default;
  CacheClaim(const SystemCalls &calls, int file, int64_t place) : calls(&calls), file(file), place(place) {}
  CacheClaim(CacheClaim &&other) noexcept
      : calls(std::exchange(other.calls, nullptr)), file(other.file), place(other.place) {}
  CacheClaim &operator=(CacheClaim &&) = delete;
  ~CacheClaim();
  explicit operator bool() const { return calls != nullptr; }

private:
  const SystemCalls *calls = nullptr; ///< null: nothing is held
  int file = -1;
  int64_t place = 0;
};

enum class CacheAction : uint8_t { List, Verify /* and remove what is damaged */, Clear /* remove all */ };

/// What `inspect` says of an entry.
struct CacheItem {
  std::string key, label;
  std::string damage; ///< what is wrong, or empty
  uint64_t bytes = 0;
  int64_t modified = 0; ///< last use, to the hour, in seconds since 1970
  bool removed = false;
};

/// Thread-safe; works in a forked child as in its parent.
class Cache {
public:
  explicit Cache(CacheSettings settings, const SystemCalls &calls = SystemCalls::system);

  /// The process's own, as the environment says. Never destroyed: threads may still run at exit.
  static Cache &ofProcess();

  /// The payload under a key, or nothing.
  std::optional<std::string> get(std::string_view key);
  /// Keeps an entry if that can be done, and drops those that were not used for longest if there are too many.
  void put(const CacheEntry &entry);
  /// Removes an entry whose payload, though whole, is of no use; `why` is logged.
  void discard(std::string_view key, std::string_view why);
  /// Waits, some seconds at most, while another process holds the claim to the key. Then holds it, or nothing: the work
  /// may be done in either case. Whoever holds it looks into the cache once more.
  CacheClaim claim(std::string_view key);

  /// Every entry, the last used first. Throws a Failure if the folder cannot be read, or not be written for `Clear`.
  std::vector<CacheItem> inspect(CacheAction action);

  const CacheSettings &settings() const { return rules; }

private:
  bool usable(CacheMode needed);
  void warn(const CacheProblem &problem);
  void trim(const CacheFolder &folder);
  CacheItem inspectFile(const CacheFolder &folder, const CacheFile &file, CacheAction action);

  const CacheSettings rules;
  const SystemCalls &calls;
  std::atomic<bool> problemSaid{false};
  std::array<std::atomic<bool>, 256> said{}; ///< errnos that were logged; no lock that a fork could leave locked
};

} // namespace flexsn
