// What the emitter's parts ask of a kernel beside its rows: where operands are, how neurons and steps are cut.
#pragma once

#include "compiler/emit/cpu/CpuEmitter.h"
#include "dialects/Scan/Scan.h"

namespace flexsn::cpu {

/// Steps between checkpoints, and of a backward kernel's chunks: 1 where no state is recomputed.
int64_t chunkSteps(scan::KernelOp kernel);
/// Neurons whose sums have rows together: whole tiles, and whole groups of `sumGroup`.
int64_t spanOf(scan::KernelOp kernel);

/// Whether a backward kernel computes the next chunk again while gradients flow through the one before it.
bool isPipelined(scan::KernelOp kernel);

} // namespace flexsn::cpu
