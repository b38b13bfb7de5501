// The NVRTC of this process: opened when something has to be compiled, and not before.
#pragma once

#include "runtime/Cache.h"
#include "runtime/Nvrtc.h"

#include <atomic>
#include <string>

namespace flexsn {

/// Thread-safe, without a lock that a fork could leave locked.
class NvrtcLoader {
public:
  explicit NvrtcLoader(NvrtcSearch search) : search(std::move(search)) {}
  NvrtcLoader(const NvrtcLoader &) = delete;
  ~NvrtcLoader(); ///< forgets the library, which stays loaded

  /// Over the process's environment. Never destroyed: threads may still run at exit.
  static NvrtcLoader &ofProcess();

  /// Opens the library at the first call that finds one. Without one null, and in `tried` what is wrong with each
  /// place; the next call looks again, since another part of the process may load an NVRTC at any time.
  const Nvrtc *find(std::vector<std::string> &tried);
  /// The same; throws a Failure with all that was tried.
  const Nvrtc &get();

  /// The release, "13.0.88", of the library that was opened, or else of the one that `get` would open; "" where there
  /// is none.
  ///
  /// To open the library takes longer than to read a compiled program from the disk cache. So the cache holds a note of
  /// which file the search found, and its release; as long as that file is as it was, it is not opened. If it is gone,
  /// and with it every NVRTC, the note still tells which programs of the cache can be used.
  std::string release(Cache &cache);

private:
  const NvrtcSearch search;
  // Both for as long as this lives once they are set.
  std::atomic<const Nvrtc *> opened{nullptr};
  std::atomic<const std::string *> openedRelease{nullptr};
};

} // namespace flexsn
