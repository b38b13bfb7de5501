// Sums by a balanced binary tree over an index: neighbours first, 0 + 1, 2 + 3, ..., then those sums' neighbours. What
// has no neighbour goes up as it is. The index may begin anywhere: who is missing in front changes no sum either.
#pragma once

#include <cstddef>
#include <cstdint>

namespace flexsn {

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
    Real *left = rows + (depth - 2) * width;
    const Real *right = left + width;
    for (size_t i = 0; i < width; ++i)
      left[i] = left[i] + right[i];
    --depth;
  }

  Real *rows;
  size_t width, depth = 0;
  int64_t first, number;
};

/// The sum of the leaves [begin, end), of at least one and at most `most`; that of `begin` is *leaves.
template <class Real, int64_t most> Real sumOfNeighbours(const Real *leaves, int64_t begin, int64_t end) {
  Real buffers[2][most / 2 + 1];
  const Real *from = leaves;
  for (int level = 0; end - begin > 1; ++level) {
    Real *to = buffers[level % 2], *next = to;
    if (begin % 2 != 0)
      *next++ = *from++;
    const int64_t left = end - begin - begin % 2, pairs = left / 2;
    for (int64_t i = 0; i < pairs; ++i)
      next[i] = from[2 * i] + from[2 * i + 1];
    if (left % 2 != 0)
      next[pairs] = from[2 * pairs];
    from = to;
    begin /= 2;
    end = (end + 1) / 2;
  }
  return *from;
}

} // namespace flexsn
