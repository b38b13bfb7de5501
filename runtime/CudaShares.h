// What is launched behind a backward kernel on a GPU for the gradients of parameters with dims (docs/skeleton.md): what
// neurons have of one element becomes its sum.
#pragma once

#include "runtime/CudaAbi.h"
#include "runtime/SharedGradient.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flexsn {

/// The launches for one gradient, in order, in one piece of memory (16-byte aligned). Of a call without neurons there
/// are none: its gradients are zero.
class CudaShares {
public:
  /// `neurons` a thread, as CudaProgram has them; a parameter that varies by step has steps > 1 or `perStep`.
  CudaShares(const SharedElements &elements, bool perStep, unsigned neurons);

  /// Bytes of the memory.
  size_t bytes() const { return size; }
  /// Says where it is.
  void place(void *memory);

  /// The backward kernel's operand, in the memory.
  CudaOperand operand() const;
  /// Of each launch: gather kernels, then share kernels.
  const std::vector<CudaGatherCall> &gathers() const { return gatherCalls; }
  const std::vector<CudaShareCall> &shares() const { return shareCalls; }
  static int64_t blocks(const CudaGatherCall &call);
  static int64_t blocks(const CudaShareCall &call);

private:
  size_t add(int64_t values);
  void addGathers(int64_t &unit, int64_t &row);
  void addShares(int64_t unit, int64_t row);

  SharedElements elements;
  bool perStep;
  int64_t item, rowValues = 0; ///< values of a step that the backward kernel writes
  size_t size = 0;
  std::vector<CudaGatherCall> gatherCalls; ///< addresses are places in the memory until it is placed
  std::vector<CudaShareCall> shareCalls;
  void *base = nullptr;
};

} // namespace flexsn
