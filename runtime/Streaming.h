// Which calls write their outputs past the caches.
#pragma once

#include "runtime/Operands.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace flexsn {

/// Where a call's outputs may be streamed: from neuron `head` on, below 64, every vector of every row lies on its own
/// alignment. The neurons before are a vector's masked lanes. Nothing if no neuron is such a one, or if the call is so
/// small that whoever reads the outputs next finds them in a cache.
std::optional<int64_t> streamingHead(const CallOperands &call);

/// The same for `threads` cores with `cacheBytes` of cache each.
std::optional<int64_t> streamingHead(const CallOperands &call, size_t cacheBytes, unsigned threads);

} // namespace flexsn
