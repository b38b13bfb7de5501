// The yardstick of a kernel that memory limits: copies of the same bytes by the same number of threads.
#pragma once

#include <cstddef>
#include <memory>

namespace flexsn::bench {

/// Copies `bytes` from one buffer to another; both exist, page by page, before the first copy.
class Copy {
public:
  Copy(size_t bytes, unsigned threads);
  ~Copy();
  Copy(const Copy &) = delete;
  Copy &operator=(const Copy &) = delete;

  void withMemcpy();
  /// With stores past the caches, as a copy of large blocks is written by hand.
  void withStreamingStores();

private:
  struct Team;
  std::unique_ptr<Team> team;
};

} // namespace flexsn::bench
