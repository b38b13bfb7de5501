// Part of flexsn.hpp: the disk cache, for tools that look after it. Programs use it by themselves.
#ifndef FLEXSN_CACHE_HPP
#define FLEXSN_CACHE_HPP

#include "error.hpp"

namespace flexsn {
inline namespace v1 {

enum class CacheMode : int32_t { off = FLEXSN_CACHE_OFF, read_only = FLEXSN_CACHE_READ_ONLY, on = FLEXSN_CACHE_ON };

/// See flexsn_cache_settings.
struct CacheSettings {
  std::string directory; ///< absolute; empty if there is none
  std::string problem;   ///< which variable of the environment could not be followed, and why
  uint64_t max_bytes, max_entries;
  CacheMode mode;
};

inline CacheSettings cache_settings() {
  flexsn_cache_settings s{};
  s.struct_size = sizeof s;
  detail::check(flexsn_cache_settings_get(&s));
  return {s.directory, s.problem, s.max_bytes, s.max_entries, static_cast<CacheMode>(s.mode)};
}

enum class CacheAction : int32_t {
  list = FLEXSN_CACHE_LIST,
  verify = FLEXSN_CACHE_VERIFY, ///< removes what is damaged
  clear = FLEXSN_CACHE_CLEAR,   ///< removes all
};

/// See flexsn_cache_entry.
struct CacheEntry {
  std::string key, label, damage;
  uint64_t bytes;
  int64_t used; ///< seconds since 1970
  bool removed;
};

/// Does the action and says what it saw, the last used entry first. Code::value if the directory cannot be read, or if
/// what is to be removed cannot be.
inline std::vector<CacheEntry> cache_inspect(CacheAction action) {
  flexsn_cache_report *report = nullptr;
  detail::check(flexsn_cache_inspect(static_cast<flexsn_cache_action>(action), &report));
  detail::Handle<flexsn_cache_report, flexsn_cache_report_free> owned(report);
  std::vector<CacheEntry> all;
  for (size_t i = 0, count = flexsn_cache_report_count(report); i < count; ++i) {
    flexsn_cache_entry e{};
    e.struct_size = sizeof e;
    detail::check(flexsn_cache_report_entry(report, i, &e));
    all.push_back({e.key, e.label, e.damage, e.bytes, e.used, e.removed != 0});
  }
  return all;
}

} // namespace v1
} // namespace flexsn
#endif // FLEXSN_CACHE_HPP
