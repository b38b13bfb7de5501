// Which calls write their outputs past the caches.
#pragma once

#include "runtime/Operands.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace flexsn {

/// Where a call's outputs may be streamed: from neuron `head` on, below 64, every vector of every row lies on its own
/// alignment. The neurons before are a vector's masked lanes. Nothing if no neuron is such a one, or if the call is so
/// small that whoever reads the outputs next finds them in a cache.
std::optional<int64_t> streamingHead(const CallOperands &call);

/// The same for `threads` cores with `cacheBytes` of cache each.
std::optional<int64_t> streamingHead(const CallOperands &call, size_t cacheBytes, unsigned threads);

/// The sequences of a call of any kernel.
struct CallSequences {
  Layout layout = Layout::Linear;
  int64_t steps = 0, neurons = 0;
  std::span<const CpuOperand> read, written;
  bool hasSums = false; ///< ranges begin at groups of neurons, so that only the first neuron may begin a cache line
};
std::optional<int64_t> streamingHead(const CallSequences &call, size_t cacheBytes, unsigned threads);

} // namespace flexsn
