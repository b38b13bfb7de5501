#include "runtime/SharedGradient.h"

#include "runtime/TreeSum.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace flexsn {

// ---- Elements -------------------------------------------------------------------------------------------------------

SharedElements SharedElements::of(const CpuOperand &place, const int64_t (&extents)[maxDims], int64_t steps,
                                  Storage storage) {
  SharedElements elements;
  elements.data = static_cast<char *>(place.data);
  elements.storage = storage;
  elements.steps = steps;
  elements.timeStride = place.timeStride;
  elements.neurons = 1;
  for (int d = 0; d < maxDims; ++d) {
    elements.neurons *= extents[d];
    if (extents[d] != 1)
      elements.axes.push_back({extents[d], place.strides[d]});
  }
  for (; !elements.axes.empty() && elements.axes.back().stride == 0; elements.axes.pop_back())
    elements.run *= elements.axes.back().count;
  return elements;
}

SharedElements SharedElements::ofNobody(const TensorView &gradient) {
  SharedElements elements;
  elements.data = gradient.data;
  elements.storage = gradient.storage;
  for (size_t d = 0; d < gradient.shape.size(); ++d)
    elements.axes.push_back(
        {gradient.shape[d], gradient.strides[d] * static_cast<int64_t>(storageBytes(gradient.storage))});
  return elements;
}

bool SharedElements::isDirect() const {
  auto item = static_cast<int64_t>(storageBytes(storage));
  return run == 1 && (axes.empty() || (axes.size() == 1 && axes.front().stride == item));
}

// ---- The plan -------------------------------------------------------------------------------------------------------

/// Elements side by side in a slice: some kilobytes, so that the rows of a tree stay in the first cache.
static constexpr int64_t mostInChunk = 512;
/// Values that a slice adds up at least, if there are as many.
static constexpr int64_t leastInSlice = 32768;

SharedGradient::SharedGradient(SharedElements shares, unsigned seats)
    : elements(std::move(shares)), item(storageBytes(elements.storage)) {
  if (elements.neurons == 0 || elements.isDirect())
    return;
  if (!elements.axes.empty())
    inner = elements.axes.back().count;
  for (size_t d = 0; d + 1 < elements.axes.size(); ++d)
    (elements.axes[d].stride == 0 ? sharing : outer) *= elements.axes[d].count;
  if (elements.run == 1 && outer == 1 && sharing > 1 && inner < sumGroup && sumGroup % inner == 0)
    foldedRuns = sumGroup / inner;
  // A run has a piece in each group of neurons that it touches: piece run + group.
  int64_t runs = elements.neurons / elements.run, blocks = (elements.neurons + sumGroup - 1) / sumGroup;
  pieces = foldedRuns > 1 ? blocks * inner : hasRows() ? runs + blocks : elements.neurons;
  sharing = foldedRuns > 1 ? blocks : sharing;
  ofNeurons.resize(static_cast<size_t>(elements.steps * pieces) * item);
  planSlices(seats);
}

void SharedGradient::planSlices(unsigned seats) {
  chunk = std::min(inner, mostInChunk);
  chunks = (inner + chunk - 1) / chunk;
  auto enough = static_cast<uint64_t>(std::max<int64_t>(leastInSlice / chunk, 1));
  groupRuns = static_cast<int64_t>(std::bit_ceil(std::min(enough, static_cast<uint64_t>(sharing))));
  groups = (sharing + groupRuns - 1) / groupRuns;
  sliceCount = static_cast<unsigned>(elements.steps * outer * chunks * groups);
  ofGroups.resize(static_cast<size_t>(elements.steps * outer * groups * inner) * item);
  size_t rows = TreeSum<double>::rowsFor(std::max(groupRuns, groups));
  stackBytes = rows * static_cast<size_t>(chunk) * item;
  stacks.resize(stackBytes * seats);
}

size_t SharedGradient::rowBytes(int64_t neurons) const {
  return hasRows() ? static_cast<size_t>(elements.steps * neurons) * item : 0;
}

CpuOperand SharedGradient::place() {
  if (elements.isDirect())
    return {elements.data, elements.timeStride, 0};
  return {ofNeurons.data(), pieces * static_cast<int64_t>(item), 0};
}

// ---- Ranges: from neurons to pieces of runs -------------------------------------------------------------------------

template <class Real>
[[gnu::always_inline]] inline void SharedGradient::addRangeOf(Real *rows, int64_t rowLength, int64_t begin,
                                                              int64_t end) {
  for (int64_t step = 0; step < elements.steps; ++step) {
    Real *to = reinterpret_cast<Real *>(ofNeurons.data()) + step * pieces;
    for (int64_t first = begin; foldedRuns > 1 && first < end; first += sumGroup) {
      Real *group = rows + step * rowLength + first - begin;
      sumOfRows(group, (std::min(first + sumGroup, end) - first) / inner, inner);
      std::copy_n(group, inner, to + first / sumGroup * inner);
    }
    if (foldedRuns > 1)
      continue;
    const Real *row = rows + step * rowLength - begin;
    int64_t run = begin / elements.run;
    for (int64_t first = begin; first < end; first += sumGroup) {
      const int64_t block = first / sumGroup, blockEnd = std::min(first + sumGroup, end);
      for (int64_t from = first; from < blockEnd;) {
        const int64_t runEnd = (run + 1) * elements.run, upTo = std::min(runEnd, blockEnd);
        to[run + block] = sumOfNeighbours<Real, sumGroup>(row + from, from - first, upTo - first);
        run += upTo == runEnd;
        from = upTo;
      }
    }
  }
}

// ---- Slices: over the runs of an element ----------------------------------------------------------------------------

/// The bytes from element 0, or the number of runs from run 0, to what is number `index` along the axes but the last
/// one where elements are shared, or along the others.
int64_t SharedGradient::offset(int64_t index, bool isShared, bool inRuns) const {
  int64_t found = 0, runs = inner;
  for (size_t d = elements.axes.size(); d-- > 0;) {
    const auto &[count, stride] = elements.axes[d];
    if (d + 1 == elements.axes.size())
      continue;
    if ((stride == 0) == isShared) {
      found += index % count * (inRuns ? runs : stride);
      index /= count;
    }
    runs *= count;
  }
  return found;
}

template <class Real> Real SharedGradient::sumOfRun(const Real *step, int64_t run) const {
  const int64_t first = run * elements.run / sumGroup, last = ((run + 1) * elements.run - 1) / sumGroup;
  if (first == last)
    return step[run + first];
  Real stack[64];
  TreeSum<Real> sum(stack, 1, first);
  for (int64_t block = first; block <= last; ++block) {
    *sum.next() = step[run + block];
    sum.push();
  }
  return *sum.finish();
}

template <class Real> void SharedGradient::addSliceOf(unsigned seat, unsigned slice) {
  int64_t rest = slice;
  const int64_t group = rest % groups, part = (rest /= groups) % chunks * chunk;
  const int64_t element = (rest /= chunks) % outer, step = rest / outer;
  const int64_t width = std::min(chunk, inner - part);
  const Real *from = reinterpret_cast<const Real *>(ofNeurons.data()) + step * pieces;
  TreeSum<Real> sum(reinterpret_cast<Real *>(stacks.data() + seat * stackBytes), static_cast<size_t>(width));
  const int64_t ofElement = offset(element, /*isShared=*/false, /*inRuns=*/true) + part;
  for (int64_t share = group * groupRuns; share < std::min((group + 1) * groupRuns, sharing); ++share) {
    const int64_t ofShare = foldedRuns > 1 ? share * inner : offset(share, /*isShared=*/true, /*inRuns=*/true);
    const int64_t run = ofElement + ofShare;
    if (elements.run == 1)
      std::copy_n(from + run, width, sum.next());
    else
      for (int64_t i = 0; i < width; ++i)
        sum.next()[i] = sumOfRun(from, run + i);
    sum.push();
  }
  Real *to = reinterpret_cast<Real *>(ofGroups.data()) + ((step * outer + element) * groups + group) * inner + part;
  std::copy_n(sum.finish(), width, to);
}

template <class Real> void SharedGradient::finishAll() {
  const int64_t apart = elements.axes.empty() ? 0 : elements.axes.back().stride;
  for (int64_t row = 0; row < elements.steps * outer; ++row) {
    const Real *from = reinterpret_cast<const Real *>(ofGroups.data()) + row * groups * inner;
    char *to =
        elements.data + row / outer * elements.timeStride + offset(row % outer, /*isShared=*/false, /*inRuns=*/false);
    for (int64_t part = 0; part < inner; part += chunk) {
      const int64_t width = std::min(chunk, inner - part);
      TreeSum<Real> sum(reinterpret_cast<Real *>(stacks.data()), static_cast<size_t>(width));
      for (int64_t group = 0; group < groups; ++group) {
        std::copy_n(from + group * inner + part, width, sum.next());
        sum.push();
      }
      const Real *sums = sum.finish();
      for (int64_t i = 0; i < width; ++i)
        std::memcpy(to + (part + i) * apart, sums + i, sizeof(Real));
    }
  }
}

// ---- By type --------------------------------------------------------------------------------------------------------

[[gnu::always_inline]] inline void SharedGradient::addRangeByType(void *rows, int64_t rowLength, int64_t begin,
                                                                  int64_t end) {
  if (elements.storage == Storage::F64)
    addRangeOf(static_cast<double *>(rows), rowLength, begin, end);
  else
    addRangeOf(static_cast<float *>(rows), rowLength, begin, end);
}

// One for each width of vectors: they add the same numbers, and what the narrowest takes is 6 % of a kernel's time.
#ifdef __x86_64__
[[gnu::target("avx512f,avx512vl")]] void SharedGradient::addRangeAvx512(void *rows, int64_t rowLength, int64_t begin,
                                                                        int64_t end) {
  addRangeByType(rows, rowLength, begin, end);
}
[[gnu::target("avx2")]] void SharedGradient::addRangeAvx2(void *rows, int64_t rowLength, int64_t begin, int64_t end) {
  addRangeByType(rows, rowLength, begin, end);
}
#endif

void SharedGradient::addRange(void *rows, int64_t rowLength, int64_t begin, int64_t end) noexcept {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512vl"))
    return addRangeAvx512(rows, rowLength, begin, end);
  if (__builtin_cpu_supports("avx2"))
    return addRangeAvx2(rows, rowLength, begin, end);
#endif
  addRangeByType(rows, rowLength, begin, end);
}

void SharedGradient::addSlice(unsigned seat, unsigned slice) noexcept {
  elements.storage == Storage::F64 ? addSliceOf<double>(seat, slice) : addSliceOf<float>(seat, slice);
}

/// Where nobody has a part in a gradient.
static void clear(const SharedElements &elements, size_t axis, char *at) {
  if (axis == elements.axes.size()) {
    std::memset(at, 0, storageBytes(elements.storage));
    return;
  }
  const auto &[count, stride] = elements.axes[axis];
  for (int64_t i = 0; i < count; ++i)
    clear(elements, axis + 1, at + i * stride);
}

void SharedGradient::finish() noexcept {
  if (elements.neurons == 0)
    clear(elements, 0, elements.data);
  if (sliceCount != 0)
    elements.storage == Storage::F64 ? finishAll<double>() : finishAll<float>();
}

} // namespace flexsn
