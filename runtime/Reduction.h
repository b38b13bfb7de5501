// Sums over neurons, behind what kernels add up themselves: in an order that no number of threads changes.
#pragma once

#include "compiler/Compile.h"

#include <cstddef>
#include <cstdint>

namespace flexsn {

/// The sum of `count` floats of `storage` (F32 or F64) by a balanced binary tree over their index: neighbours first,
/// 0 + 1, 2 + 3, ..., then those sums' neighbours. What has no neighbour goes up as it is. Writes over the floats.
/// Returns a slot that holds the sum at its beginning; that of no floats is 0.
uint64_t sumByTree(void *floats, size_t count, Storage storage);

} // namespace flexsn
