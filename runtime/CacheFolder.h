// The disk cache's folder, opened: files are read and written beside each other in it, and every failure has a name.
#pragma once

#include "runtime/CacheSettings.h"
#include "runtime/SystemCalls.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flexsn {

/// A system call that failed, or a state of things that is refused.
struct CacheProblem {
  std::string call; ///< "write", "rename"; or what is wrong
  std::string file; ///< where
  int code = 0;     ///< errno; 0 for a refusal

  std::string words() const; ///< "write .../flexsn/0123...: No space left on device"
};

/// How a file was read.
enum class CacheRead : uint8_t { Done, Absent, NoFile /* a folder, link or pipe under its name */, Failed };

/// A name in the folder.
struct CacheFile {
  std::string name;
  uint64_t bytes = 0;
  int64_t modified = 0; ///< nanoseconds since 1970
};

/// Names are relative to the open folder: it may be moved or removed meanwhile, and what was checked is what is used.
/// All methods may fail at any call, leave nothing behind then, and say why in `problem`. One thread at a time.
class CacheFolder {
public:
  /// Opens the folder of the settings, and first makes it if `create`. The default folder is refused unless it belongs
  /// to this user and nobody else may write to it. Closed on failure; `problem` tells ENOENT from the rest.
  CacheFolder(const SystemCalls &calls, const CacheSettings &settings, bool create, CacheProblem &problem);
  CacheFolder(const CacheFolder &) = delete;
  CacheFolder &operator=(const CacheFolder &) = delete;
  ~CacheFolder();
  explicit operator bool() const { return descriptor >= 0; }

  /// Reads a regular file of at most `limit` bytes; nothing blocks. With `touch`, one that was not used for an hour
  /// counts as used now.
  CacheRead read(const std::string &name, uint64_t limit, bool touch, std::string &bytes, CacheProblem &problem) const;
  /// The file appears under its name complete or not at all, in place of what was there.
  bool write(const std::string &name, std::string_view bytes, CacheProblem &problem) const;
  /// Removes what has the name: a file, a link, an empty folder. What is gone already is no failure.
  bool remove(const std::string &name, CacheProblem &problem) const;
  /// Everything in the folder, in no order.
  bool list(std::vector<CacheFile> &files, CacheProblem &problem) const;
  /// Opens the file whose bytes are locked, `locksName`.
  std::optional<int> openLocks(CacheProblem &problem) const;

  static constexpr const char *locksName = "flexsn.lock";
  /// Whether a name is that of a file that `write` makes on the way.
  static bool isTemporary(std::string_view name);

private:
  bool make() const;
  bool isLink() const;
  bool trusted(CacheProblem &problem) const;
  bool writeBytes(int file, std::string_view bytes) const;
  const char *fill(int file, std::string_view bytes) const;
  bool fail(CacheProblem &problem, const char *call, std::string_view name) const;

  const SystemCalls &calls;
  const CacheSettings &settings;
  int descriptor = -1;
};

} // namespace flexsn
