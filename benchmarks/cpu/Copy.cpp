#include "benchmarks/cpu/Copy.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace flexsn::bench {

static constexpr size_t page = 4096;

using Range = void (*)(std::byte *to, const std::byte *from, size_t bytes);

static void copyRange(std::byte *to, const std::byte *from, size_t bytes) { std::memcpy(to, from, bytes); }

#if defined(__x86_64__)
__attribute__((target("avx"))) static void streamRange(std::byte *to, const std::byte *from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 64) {
    _mm_prefetch(from + i + page, _MM_HINT_T0);
    __m256i low = _mm256_load_si256(reinterpret_cast<const __m256i *>(from + i));
    __m256i high = _mm256_load_si256(reinterpret_cast<const __m256i *>(from + i + 32));
    _mm256_stream_si256(reinterpret_cast<__m256i *>(to + i), low);
    _mm256_stream_si256(reinterpret_cast<__m256i *>(to + i + 32), high);
  }
  _mm_sfence();
}
static bool canStream() { return __builtin_cpu_supports("avx"); }
#else // no portable streaming store: memcpy alone is the yardstick
static void streamRange(std::byte *to, const std::byte *from, size_t bytes) { copyRange(to, from, bytes); }
static bool canStream() { return false; }
#endif

/// Threads that spin between the copies: nothing of their waking up is measured.
struct Copy::Team {
  Team(size_t bytes, unsigned threads) : share((bytes / threads + page - 1) / page * page), size(threads) {
    for (std::byte **buffer : {&from, &to}) {
      *buffer = static_cast<std::byte *>(std::aligned_alloc(page, share * threads));
      if (!*buffer)
        std::abort();
      std::memset(*buffer, 1, share * threads);
    }
    for (unsigned i = 1; i < threads; ++i)
      workers.emplace_back([this, i] { serve(i); });
  }
  ~Team() {
    start(nullptr);
    for (std::thread &worker : workers)
      worker.join();
    std::free(from);
    std::free(to);
  }

  void run(Range range) {
    start(range);
    range(to, from, share);
    while (done.load(std::memory_order_acquire) + 1 < size)
      std::this_thread::yield();
  }

private:
  void start(Range range) {
    done.store(0, std::memory_order_relaxed);
    job.store(range, std::memory_order_relaxed);
    round.fetch_add(1, std::memory_order_release);
  }
  void serve(unsigned i) {
    for (unsigned seen = 0;;) {
      while (round.load(std::memory_order_acquire) == seen)
        std::this_thread::yield();
      ++seen;
      Range range = job.load(std::memory_order_relaxed);
      if (!range)
        return;
      range(to + i * share, from + i * share, share);
      done.fetch_add(1, std::memory_order_acq_rel);
    }
  }

  size_t share;
  unsigned size;
  std::byte *from = nullptr, *to = nullptr;
  std::atomic<Range> job{nullptr};
  std::atomic<unsigned> round{0}, done{0};
  std::vector<std::thread> workers;
};

Copy::Copy(size_t bytes, unsigned threads) : team(std::make_unique<Team>(bytes, threads)) {}
Copy::~Copy() = default;

void Copy::withMemcpy() { team->run(copyRange); }
void Copy::withStreamingStores() { team->run(canStream() ? streamRange : copyRange); }

} // namespace flexsn::bench
