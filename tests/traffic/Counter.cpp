#include "tests/traffic/Counter.h"

#include <cstring>
#include <map>
#include <vector>

namespace flexsn::test {
namespace {

struct Piece {
  std::string name;
  uintptr_t end;
  Traffic traffic;
  std::vector<bool> wasRead, wasWritten; ///< by byte
};

/// By where they begin.
std::map<uintptr_t, Piece> pieces;

void count(std::vector<bool> &seen, uint64_t &first, uint64_t &again, size_t from, size_t bytes) {
  for (size_t i = from; i < from + bytes; ++i) {
    ++(seen[i] ? again : first);
    seen[i] = true;
  }
}

/// Most accesses are of a kernel's own variables, which no one watches.
void access(uintptr_t at, size_t bytes, bool writes) {
  auto found = pieces.upper_bound(at);
  if (found == pieces.begin())
    return;
  auto &[begin, piece] = *--found;
  if (at >= piece.end)
    return;
  if (writes)
    count(piece.wasWritten, piece.traffic.written, piece.traffic.writtenAgain, at - begin, bytes);
  else
    count(piece.wasRead, piece.traffic.read, piece.traffic.readAgain, at - begin, bytes);
}

} // namespace

void watch(const std::string &name, const void *begin, size_t bytes) {
  auto at = reinterpret_cast<uintptr_t>(begin);
  // An access over the end is one over the end of a vector: the operands of these tests have room behind them.
  pieces[at] = {name, at + bytes, {}, std::vector<bool>(bytes + 64), std::vector<bool>(bytes + 64)};
}

Traffic trafficOf(const std::string &name) {
  Traffic sum;
  for (const auto &[begin, piece] : pieces)
    if (piece.name == name) {
      sum.read += piece.traffic.read;
      sum.readAgain += piece.traffic.readAgain;
      sum.written += piece.traffic.written;
      sum.writtenAgain += piece.traffic.writtenAgain;
    }
  return sum;
}

void watchNothing() { pieces.clear(); }

} // namespace flexsn::test

// What instrumented code calls; the names are clang's.
#define FLEXSN_ACCESSES(bytes)                                                                                         \
  __attribute__((visibility("default"))) void __asan_load##bytes##_noabort(uintptr_t at) {                             \
    flexsn::test::access(at, bytes, false);                                                                            \
  }                                                                                                                    \
  __attribute__((visibility("default"))) void __asan_store##bytes##_noabort(uintptr_t at) {                            \
    flexsn::test::access(at, bytes, true);                                                                             \
  }
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
FLEXSN_ACCESSES(1)
FLEXSN_ACCESSES(2)
FLEXSN_ACCESSES(4)
FLEXSN_ACCESSES(8)
FLEXSN_ACCESSES(16)
__attribute__((visibility("default"))) void __asan_loadN_noabort(uintptr_t at, size_t bytes) {
  flexsn::test::access(at, bytes, false);
}
__attribute__((visibility("default"))) void __asan_storeN_noabort(uintptr_t at, size_t bytes) {
  flexsn::test::access(at, bytes, true);
}
__attribute__((visibility("default"))) void *__asan_memcpy(void *to, const void *from, size_t bytes) {
  flexsn::test::access(reinterpret_cast<uintptr_t>(from), bytes, false);
  flexsn::test::access(reinterpret_cast<uintptr_t>(to), bytes, true);
  return std::memcpy(to, from, bytes);
}
__attribute__((visibility("default"))) void *__asan_memmove(void *to, const void *from, size_t bytes) {
  flexsn::test::access(reinterpret_cast<uintptr_t>(from), bytes, false);
  flexsn::test::access(reinterpret_cast<uintptr_t>(to), bytes, true);
  return std::memmove(to, from, bytes);
}
__attribute__((visibility("default"))) void *__asan_memset(void *to, int value, size_t bytes) {
  flexsn::test::access(reinterpret_cast<uintptr_t>(to), bytes, true);
  return std::memset(to, value, bytes);
}
__attribute__((visibility("default"))) void __asan_handle_no_return() {}
// NOLINTEND(bugprone-reserved-identifier)
}
