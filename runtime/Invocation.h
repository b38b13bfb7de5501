// A program with the memory of one call: what runs, as often as wanted.
#pragma once

#include "runtime/BoundCall.h"
#include "runtime/ThreadPool.h"

#include <cstdlib>
#include <memory>
#include <vector>

namespace flexsn {

/// Holds everything that a run needs, so that run() allocates nothing. One thread at a time.
class Invocation {
public:
  /// Runs the program's prologue on the parameters.
  Invocation(std::shared_ptr<const Program> compiled, BoundCall call);

  /// No allocation and no lock; no system call either, unless the work is shared with other threads.
  void run() noexcept;

  /// Behind a run of a backward program: the gradients of its gradParams, a slot each in the operand's storage.
  const std::vector<uint64_t> &paramGradients() const { return gradients; }

private:
  struct FreeAligned {
    void operator()(std::byte *memory) const { std::free(memory); }
  };

  void planSlices();
  void runSlices() noexcept;
  void runRange(unsigned seat, int64_t begin, int64_t end) noexcept;
  void runSlice(unsigned seat, unsigned slice) noexcept;
  void addRange(unsigned seat, int64_t begin, int64_t end) noexcept;
  void finishSums() noexcept;
  void finishShared() noexcept;
  void placeShared(unsigned seats);

  std::shared_ptr<const Program> program;
  BoundCall call;
  std::shared_ptr<ThreadPool> pool; ///< null where the caller does all
  unsigned slices = 1;
  int64_t head;        ///< neurons before the first slice, run with it
  int64_t sliceLength; ///< neurons
  std::vector<uint64_t> invariants;
  std::vector<uint64_t> sums, gradients; ///< what the epilogue reads and writes
  std::vector<std::byte> partials;       ///< for each sum, those of groups of neurons
  int64_t partialStride = 0;             ///< bytes of one sum's
  size_t workspaceStride;                ///< bytes from one seat's workspace to the next
  std::unique_ptr<std::byte, FreeAligned> workspaces;
  std::vector<SharedGradient> shared; ///< of call.sharedGradients
  /// Where gradients of parameters with dims go through rows: neurons of a range, else 0; and for each seat the
  /// operands with rows of its own.
  int64_t rowLength = 0;
  std::vector<std::vector<CpuOperand>> seatOperands;
  std::vector<std::vector<char>> seatRows;
};

} // namespace flexsn
