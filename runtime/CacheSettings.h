// Where the disk cache is and what it may do, as the environment says.
#pragma once

#include "runtime/Environment.h"

#include <cstdint>
#include <string>

namespace flexsn {

enum class CacheMode : uint8_t { Off, ReadOnly, On };
std::string_view cacheModeName(CacheMode mode); ///< "off", "read-only", "on": what FLEXSN_CACHE takes

struct CacheSettings {
  CacheMode mode = CacheMode::On;
  std::string folder; ///< empty: there is none, and `problem` says why
  bool named = false; ///< by FLEXSN_CACHE_DIR: taken as it is; the default one must be the user's own
  uint64_t maxBytes = uint64_t{1} << 30;
  uint64_t maxEntries = 10000;
  std::string problem; ///< what in the environment could not be followed, in words; empty if all could

  /// FLEXSN_CACHE=on|read-only|off; FLEXSN_CACHE_DIR, else $XDG_CACHE_HOME/flexsn, else $HOME/.cache/flexsn;
  /// FLEXSN_CACHE_SIZE in bytes, or with K, M, G; FLEXSN_CACHE_ENTRIES.
  static CacheSettings from(const Environment &environment);
};

} // namespace flexsn
