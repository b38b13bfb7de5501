// What the emitter's parts ask of a kernel beside its rows: where operands are, how neurons and steps are cut.
#pragma once

#include "compiler/emit/cpu/CpuEmitter.h"
#include "dialects/Scan/Scan.h"

namespace flexsn::cpu {

/// Whether operands of a role are in CpuCall::operands; the others are slots of prologue and epilogue.
bool isInMemory(scan::Role role);
/// Whether a strided kernel finds operands of a role by places; the others lie dense in the iteration order.
bool isPlaced(scan::Role role);
/// Steps between checkpoints, and of a backward kernel's chunks: 1 where no state is recomputed.
int64_t chunkSteps(scan::KernelOp kernel);
/// Neurons whose sums have rows together: whole tiles, and whole groups of `sumGroup`.
int64_t spanOf(scan::KernelOp kernel);

} // namespace flexsn::cpu
