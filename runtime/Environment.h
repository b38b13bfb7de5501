// What the disk cache, the log and the search for NVRTC read of the process's environment, once.
#pragma once

#include <string>

namespace flexsn {

/// The variables as they stand, "" for one that is not set. Who uses one gives it its meaning and says what is wrong
/// with it. A program that runs with more rights than its caller has sees none.
struct Environment {
  std::string log;            ///< FLEXSN_LOG
  std::string cache;          ///< FLEXSN_CACHE
  std::string cacheDirectory; ///< FLEXSN_CACHE_DIR
  std::string cacheSize;      ///< FLEXSN_CACHE_SIZE
  std::string cacheEntries;   ///< FLEXSN_CACHE_ENTRIES
  std::string xdgCacheHome;   ///< XDG_CACHE_HOME
  std::string home;           ///< HOME
  std::string nvrtc;          ///< FLEXSN_NVRTC
  std::string cudaHome;       ///< CUDA_HOME
  std::string cudaPath;       ///< CUDA_PATH

  /// The process's, read at the first call: what the program sets later has no effect. Thread-safe.
  static const Environment &ofProcess();
};

} // namespace flexsn
