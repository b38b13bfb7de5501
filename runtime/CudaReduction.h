// What is launched behind a backward kernel on a GPU: sums over neurons go on over the blocks' partial sums.
#pragma once

#include "runtime/CudaAbi.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flexsn {

/// The calls of a reduce kernel, one behind the other, in one piece of memory: the partial sums of the backward kernel
/// begin it, each sum's `partialStride` bytes apart; the totals are slots of 8 bytes.
struct CudaReduction {
  struct Launch {
    CudaReduceCall call;
    int64_t blocks;
  };
  std::vector<Launch> launches; ///< at least one, of which the last one writes the totals
  int64_t partialStride = 0;
  void *totals = nullptr;
};

/// Bytes of that memory, for `sums` of `item` bytes from `blocks` blocks of the backward kernel, which may be none.
size_t cudaReductionBytes(unsigned sums, size_t item, int64_t blocks);

CudaReduction cudaReduction(void *memory, unsigned sums, size_t item, int64_t blocks);

} // namespace flexsn
