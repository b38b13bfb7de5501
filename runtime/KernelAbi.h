// What compiled CPU kernels and the runtime agree on. compiler/emit/cpu generates code against the offsets of these
// structs (a test holds both together); docs/skeleton.md says what a kernel does with them.
#pragma once

#include <cstdint>

namespace flexsn {

/// One operand in memory. Neurons are dense in the iteration order: element n of step t of an operand with item size e
/// is at data + t * timeStride + n * e.
struct CpuOperand {
  void *data;
  int64_t timeStride;    ///< bytes from one step to the next; unused for initial and final states
  int64_t elementStride; ///< bytes between neurons: the item size, or 0 for a scalar given as an initial state
};

/// Arguments of a kernel: neurons [begin, end) through all steps.
struct CpuCall {
  const CpuOperand *operands; ///< in CpuProgram::operands' order
  const void *invariants;     ///< what the prologue wrote
  int64_t steps;              ///< T >= 1
  int64_t begin, end;         ///< begin is a multiple of 64, which every vector width divides
  void *workspace;            ///< CpuProgram::workspaceBytes, 64-byte aligned, of this thread alone
};

using CpuKernel = void (*)(const CpuCall *);
using CpuPrologue = void (*)(const void *params, void *invariants);

} // namespace flexsn
