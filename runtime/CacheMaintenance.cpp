// The disk cache looked at as a whole: what is dropped when it is full, and what `flexsnc cache` sees and does.
#include "runtime/Cache.h"
#include "runtime/Error.h"
#include "runtime/Log.h"

#include <algorithm>
#include <cerrno>
#include <ctime>

namespace flexsn {

static int64_t secondsOf(const CacheFile &file) { return file.modified / 1'000'000'000; }

/// A temporary file may be another process's, at work; no write takes an hour.
static bool isLeftOver(const CacheFile &file) {
  constexpr int64_t hour = 3600;
  return CacheFolder::isTemporary(file.name) && secondsOf(file) + hour < static_cast<int64_t>(std::time(nullptr));
}

static bool lastUsedFirst(const CacheFile &a, const CacheFile &b) {
  return a.modified != b.modified ? a.modified > b.modified : a.name < b.name;
}

/// Entries of every format count, since all lie in the same place.
void Cache::trim(const CacheFolder &folder) {
  std::vector<CacheFile> files;
  CacheProblem problem;
  if (!folder.list(files, problem))
    return warn(problem);
  auto drop = [&](const CacheFile &file) {
    log(LogLevel::Debug, "disk cache: {} is dropped", file.name);
    if (!folder.remove(file.name, problem))
      warn(problem);
  };
  std::sort(files.begin(), files.end(), lastUsedFirst);
  uint64_t bytes = 0, entries = 0;
  for (const CacheFile &file : files) {
    if (isLeftOver(file))
      drop(file);
    if (keyOfCacheFile(file.name).empty())
      continue;
    bytes += file.bytes;
    entries += 1;
    if (entries > rules.maxEntries || bytes > rules.maxBytes)
      drop(file);
  }
}

CacheItem Cache::inspectFile(const CacheFolder &folder, const CacheFile &file, CacheAction action) {
  CacheItem item;
  item.key = keyOfCacheFile(file.name);
  item.bytes = file.bytes;
  item.modified = secondsOf(file);
  CacheProblem problem;
  CacheEntry entry;
  std::string bytes;
  bool readable = true;
  if (!isOurFormat(file.name)) {
    item.label = "of another version of flexsn";
  } else {
    switch (folder.read(file.name, maxEntryBytes, false, bytes, problem)) {
    case CacheRead::Done: decodeEntry(bytes, item.key, entry, item.damage); break;
    case CacheRead::NoFile: item.damage = "it is no file"; break;
    case CacheRead::Failed: item.damage = problem.words(), readable = false; break;
    case CacheRead::Absent: item.removed = true; return item; // by another process, just now
    }
    item.label = entry.label;
  }
  if (action == CacheAction::Clear || (action == CacheAction::Verify && !item.damage.empty() && readable))
    item.removed = rules.mode != CacheMode::ReadOnly && folder.remove(file.name, problem);
  if (action == CacheAction::Clear && !item.removed)
    fail(FLEXSN_ERROR_VALUE, "the disk cache cannot be cleared: {}", problem.words());
  return item;
}

std::vector<CacheItem> Cache::inspect(CacheAction action) {
  if (rules.folder.empty())
    fail(FLEXSN_ERROR_VALUE, "{}", rules.problem);
  if (action == CacheAction::Clear && rules.mode == CacheMode::ReadOnly)
    fail(FLEXSN_ERROR_VALUE, "the disk cache {} is not cleared, since FLEXSN_CACHE is read-only", rules.folder);
  CacheProblem problem;
  CacheFolder folder(calls, rules, false, problem);
  std::vector<CacheFile> files;
  if (!folder && problem.code == ENOENT)
    return {};
  if (!folder || !folder.list(files, problem))
    fail(FLEXSN_ERROR_VALUE, "the disk cache cannot be read: {}", problem.words());
  std::sort(files.begin(), files.end(), lastUsedFirst);
  std::vector<CacheItem> items;
  for (const CacheFile &file : files) {
    if (!keyOfCacheFile(file.name).empty())
      items.push_back(inspectFile(folder, file, action));
    else if (action == CacheAction::Clear && (isLeftOver(file) || file.name == CacheFolder::locksName))
      folder.remove(file.name, problem);
  }
  return items;
}

} // namespace flexsn
