#include "runtime/Cache.h"

#include "runtime/Log.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <thread>

namespace flexsn {

CacheClaim::~CacheClaim() {
  if (!calls)
    return;
  calls->unlock(file, place); // a forked child may still have the file open, which would keep the lock
  calls->close(file);
}

Cache::Cache(CacheSettings settings, const SystemCalls &calls) : rules(std::move(settings)), calls(calls) {}

/// What is wrong with the settings is told at the first use.
bool Cache::usable(CacheMode needed) {
  if (!rules.problem.empty() && !problemSaid.exchange(true))
    log(LogLevel::Warn, "{}", rules.problem);
  return rules.mode >= needed && !rules.folder.empty();
}

Cache &Cache::ofProcess() {
  static auto *cache = new Cache(CacheSettings::from(Environment::ofProcess()));
  return *cache;
}

/// Once for each errno, or refusal: a full disk is no news at the second program. A folder that is not there is none at
/// all, unless it cannot be made: the cache is empty, or somebody removes it at this moment.
void Cache::warn(const CacheProblem &problem) {
  auto kind = std::min(static_cast<size_t>(problem.code), said.size() - 1);
  bool news = problem.code != ENOENT || problem.call == "mkdir";
  bool first = news && !said[kind].exchange(true);
  log(first ? LogLevel::Warn : LogLevel::Debug, "disk cache: {}", problem.words());
}

std::optional<std::string> Cache::get(std::string_view key) {
  if (!usable(CacheMode::ReadOnly))
    return std::nullopt;
  CacheProblem problem;
  CacheFolder folder(calls, rules, false, problem);
  if (!folder) {
    warn(problem);
    return std::nullopt;
  }
  std::string bytes, damage = "it is no file";
  CacheEntry entry;
  switch (folder.read(cacheFileName(key), maxEntryBytes, rules.mode == CacheMode::On, bytes, problem)) {
  case CacheRead::Absent: log(LogLevel::Debug, "disk cache: no entry {}", key); return std::nullopt;
  case CacheRead::Failed: warn(problem); return std::nullopt;
  case CacheRead::NoFile: break;
  case CacheRead::Done:
    damage.clear();
    if (decodeEntry(bytes, key, entry, damage)) {
      log(LogLevel::Debug, "disk cache: {} is entry {}", entry.label, key);
      return std::move(entry.payload);
    }
  }
  discard(key, damage);
  return std::nullopt;
}

void Cache::discard(std::string_view key, std::string_view why) {
  if (!usable(CacheMode::ReadOnly))
    return;
  bool remove = rules.mode == CacheMode::On;
  log(LogLevel::Warn, "disk cache: entry {} in {} is of no use: {}; {}", key, rules.folder, why,
      remove ? "it is made anew" : "it stays, since the cache is read-only");
  if (!remove)
    return;
  CacheProblem problem;
  CacheFolder folder(calls, rules, false, problem);
  if (folder && !folder.remove(cacheFileName(key), problem))
    log(LogLevel::Debug, "disk cache: {}", problem.words()); // one line told of the entry
}

void Cache::put(const CacheEntry &entry) {
  if (!usable(CacheMode::On))
    return;
  CacheProblem problem;
  CacheFolder folder(calls, rules, true, problem);
  if (!folder)
    return warn(problem);
  if (!folder.write(cacheFileName(entry.key), encodeEntry(entry), problem))
    return warn(problem);
  log(LogLevel::Debug, "disk cache: {} is kept as entry {}", entry.label, entry.key);
  trim(folder);
}

CacheClaim Cache::claim(std::string_view key) {
  using namespace std::chrono_literals;
  constexpr auto patience = 10s;
  constexpr std::chrono::milliseconds longestSleep = 20ms;
  CacheProblem problem;
  if (!usable(CacheMode::On))
    return {};
  CacheFolder folder(calls, rules, true, problem);
  std::optional<int> file = folder ? folder.openLocks(problem) : std::nullopt;
  if (!file) {
    log(LogLevel::Debug, "disk cache: {}", problem.words()); // `put` will meet the same and tell it
    return {};
  }
  // A byte for each key: keys that share one, by the rarest chance, wait for each other.
  uint64_t place = 0;
  std::string_view digits = key.substr(0, 15);
  std::from_chars(digits.data(), digits.data() + digits.size(), place, 16);
  auto begin = std::chrono::steady_clock::now();
  for (auto sleep = 1ms; calls.lock(*file, static_cast<int64_t>(place)) != 0;
       sleep = std::min(2 * sleep, longestSleep)) {
    bool busy = errno == EAGAIN;
    if (!busy || std::chrono::steady_clock::now() - begin > patience) {
      log(LogLevel::Debug, "disk cache: {}", busy ? "another process takes long; not waiting for it" : "no locks here");
      calls.close(*file);
      return {};
    }
    std::this_thread::sleep_for(sleep);
  }
  return {calls, *file, static_cast<int64_t>(place)};
}

} // namespace flexsn
