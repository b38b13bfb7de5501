// The copies that kernels are measured against.
#include "tools/flexsnc/Bench.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <system_error>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace flexsn::cli {

void plainCopy(char *to, const char *from, size_t bytes) { std::memcpy(to, from, bytes); }

#if defined(__x86_64__)
/// Cache lines by one width of store. Whole ones are the fastest: a line that is written in parts now and then leaves
/// in parts.
__attribute__((target("avx512f"))) static void streamLines512(char *to, const char *from, size_t lines) {
  for (size_t i = 0; i < lines; ++i, to += 64, from += 64)
    _mm512_stream_si512(reinterpret_cast<__m512i *>(to), _mm512_loadu_si512(from));
}

__attribute__((target("avx"))) static void streamLines256(char *to, const char *from, size_t lines) {
  for (size_t i = 0; i < 2 * lines; ++i, to += 32, from += 32)
    _mm256_stream_si256(reinterpret_cast<__m256i *>(to), _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from)));
}

static void streamLines128(char *to, const char *from, size_t lines) {
  for (size_t i = 0; i < 4 * lines; ++i, to += 16, from += 16)
    _mm_stream_si128(reinterpret_cast<__m128i *>(to), _mm_loadu_si128(reinterpret_cast<const __m128i *>(from)));
}

template <void (*streamLines)(char *, const char *, size_t)>
static void streamingCopy(char *to, const char *from, size_t bytes) {
  constexpr size_t line = 64;
  size_t head = std::min<size_t>(-reinterpret_cast<uintptr_t>(to) % line, bytes);
  size_t lines = (bytes - head) / line, done = head + lines * line;
  std::memcpy(to, from, head); // streaming stores are aligned
  streamLines(to + head, from + head, lines);
  _mm_sfence(); // streaming stores are done before the function is
  std::memcpy(to + done, from + done, bytes - done);
}

std::vector<Copier::Copy *> streamingCopies() {
  std::vector<Copier::Copy *> copies = {streamingCopy<streamLines128>};
  if (__builtin_cpu_supports("avx"))
    copies.push_back(streamingCopy<streamLines256>);
  if (__builtin_cpu_supports("avx512f"))
    copies.push_back(streamingCopy<streamLines512>);
  return copies;
}
#else
std::vector<Copier::Copy *> streamingCopies() { return {}; }
#endif

/// What the threads of a Copier share. All of them sleep between two copies.
struct Copier::Team {
  std::atomic<uint32_t> round = 0; ///< counts the copies; threads wait for the next
  std::atomic<uint32_t> working = 0;
  std::atomic<size_t> next = 0; ///< the first piece that nobody has taken
  size_t pieces = 0, pieceBytes = 0, bytes = 0;
  Copy *copy = nullptr; ///< null: the end
  char *to = nullptr;
  const char *from = nullptr;
  std::vector<std::thread> threads;

  void takePieces() {
    for (size_t piece = next++; piece < pieces; piece = next++) {
      size_t begin = piece * pieceBytes;
      copy(to + begin, from + begin, std::min(pieceBytes, bytes - begin));
    }
  }

  void serve() {
    for (uint32_t seen = 0;;) {
      round.wait(seen);
      seen = round;
      if (!copy)
        return;
      takePieces();
      if (--working == 0)
        working.notify_one();
    }
  }

  void wake() {
    ++round;
    round.notify_all();
  }
};

Copier::Copier(int threads) : team(std::make_unique<Team>()) {
  for (int i = 1; i < threads; ++i)
    try {
      team->threads.emplace_back([shared = team.get()] { shared->serve(); });
    } catch (const std::system_error &) {
      break; // the system starts no more: those that are there share the copy, as the library does with a large call
    }
}

Copier::~Copier() {
  team->copy = nullptr;
  team->wake();
  for (std::thread &thread : team->threads)
    thread.join();
}

void Copier::run(Copy *copy, char *to, const char *from, size_t bytes) {
  if (bytes == 0)
    return;                                              // memcpy takes no null pointer, not even then
  constexpr size_t leastShared = 128 << 10, page = 4096; // below, waking threads costs more than they save
  if (team->threads.empty() || bytes < leastShared)
    return copy(to, from, bytes);
  size_t wanted = 4 * (team->threads.size() + 1); // so that a thread that is held up leaves work to the others
  team->pieceBytes = (bytes / wanted / page + 1) * page;
  team->pieces = (bytes + team->pieceBytes - 1) / team->pieceBytes;
  team->bytes = bytes;
  team->copy = copy;
  team->to = to;
  team->from = from;
  team->next = 0;
  team->working = static_cast<uint32_t>(team->threads.size());
  team->wake();
  team->takePieces();
  for (uint32_t left = team->working; left != 0; left = team->working)
    team->working.wait(left);
}

} // namespace flexsn::cli
