// Sums by a balanced binary tree over an index: neighbours first, 0 + 1, 2 + 3, ..., then those sums' neighbours. What
// has no neighbour goes up as it is. The index may begin anywhere: who is missing in front changes no sum either.
#pragma once

#include <cstddef>
#include <cstdint>

namespace flexsn {

/// `left` += `right`, which do not overlap.
template <class Real>
[[gnu::always_inline]] inline void addRow(Real *__restrict left, const Real *__restrict right, int64_t width) {
  for (int64_t i = 0; i < width; ++i)
    left[i] = left[i] + right[i];
}

/// Adds up rows of `width` floats that come in the order of their index. No allocation: the tree's open nodes, the
/// narrowest last, lie in the caller's memory.
template <class Real> class TreeSum {
public:
  /// Rows that `count` ones may need.
  static constexpr size_t rowsFor(int64_t count) {
    size_t rows = 2;
    for (; count > 0; count /= 2)
      ++rows;
    return rows;
  }

  TreeSum(Real *rows, size_t width, int64_t first = 0) : rows(rows), width(width), first(first), number(first) {}

  /// Where the next row is written before push().
  Real *next() { return rows + depth * width; }
  void push() {
    ++depth;
    int64_t node = number++;
    for (int level = 0; node % 2 != 0; node /= 2, ++level)
      if ((node << level) > first) // else its left neighbour is missing
        merge();
  }

  /// The sum of what was pushed, of at least one row.
  const Real *finish() {
    while (depth > 1)
      merge();
    return rows;
  }

private:
  void merge() {
    addRow(rows + (depth - 2) * width, rows + (depth - 1) * width, static_cast<int64_t>(width));
    --depth;
  }

  Real *rows;
  size_t width, depth = 0;
  int64_t first, number;
};

/// One level up: `leaves` and `nodes` do not overlap, which compilers need to know to use vectors.
template <class Real>
[[gnu::always_inline]] inline void addPairs(Real *__restrict nodes, const Real *__restrict leaves, int64_t pairs) {
  for (int64_t i = 0; i < pairs; ++i)
    nodes[i] = leaves[2 * i] + leaves[2 * i + 1];
}

/// Adds up `count` rows of `width` floats, at least one, of which the first one is number 0 or a multiple of a power of
/// two that `count` is at most. `rows` are written over; the sum is in front. Always inlined, as below.
template <class Real> [[gnu::always_inline]] inline void sumOfRows(Real *rows, int64_t count, int64_t width) {
  for (int64_t apart = 1; apart < count; apart *= 2)
    for (int64_t left = 0; left + apart < count; left += 2 * apart)
      addRow(rows + left * width, rows + (left + apart) * width, width);
}

/// The sum of the leaves [begin, end), of at least one and at most `most`; that of `begin` is *leaves. Always inlined:
/// its callers may be compiled for wider vectors than all machines have.
template <class Real, int64_t most>
[[gnu::always_inline]] inline Real sumOfNeighbours(const Real *leaves, int64_t begin, int64_t end) {
  Real buffers[2][most / 2 + 1];
  const Real *from = leaves;
  for (int level = 0; end - begin > 1; ++level) {
    Real *to = buffers[level % 2], *next = to;
    if (begin % 2 != 0)
      *next++ = *from++;
    const int64_t left = end - begin - begin % 2, pairs = left / 2;
    addPairs(next, from, pairs);
    if (left % 2 != 0)
      next[pairs] = from[2 * pairs];
    from = to;
    begin /= 2;
    end = (end + 1) / 2;
  }
  return *from;
}

} // namespace flexsn
