#include "runtime/CudaReduction.h"

#include <algorithm>

namespace flexsn {

/// Partial sums that are left after one launch.
static int64_t reduced(int64_t count) { return std::max<int64_t>(1, (count + cudaReduceGroup - 1) / cudaReduceGroup); }

/// Bytes of `count` partial sums, so that the next ones are aligned.
static size_t rowBytes(int64_t count, size_t item) { return (static_cast<size_t>(count) * item + 7) / 8 * 8; }

size_t cudaReductionBytes(unsigned sums, size_t item, int64_t blocks) {
  size_t bytes = rowBytes(blocks, item);
  for (int64_t left = reduced(blocks); left > 1; left = reduced(left))
    bytes += rowBytes(left, item);
  return sums * (bytes + 8);
}

CudaReduction cudaReduction(void *memory, unsigned sums, size_t item, int64_t blocks) {
  CudaReduction made;
  auto *from = static_cast<std::byte *>(memory);
  made.partialStride = static_cast<int64_t>(rowBytes(blocks, item));
  int64_t count = blocks, stride = made.partialStride;
  do { // a single partial sum is moved into its slot
    std::byte *to = from + sums * stride;
    int64_t groups = reduced(count), toStride = static_cast<int64_t>(rowBytes(groups, item));
    made.launches.push_back({{from, to, stride, toStride, count}, groups * sums});
    from = to, stride = toStride, count = groups;
  } while (count > 1);
  made.totals = from;
  return made;
}

} // namespace flexsn
