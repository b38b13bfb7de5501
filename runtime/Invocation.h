// A program with the memory of one call: what runs, as often as wanted.
#pragma once

#include "runtime/Operands.h"
#include "runtime/Program.h"
#include "runtime/ThreadPool.h"

#include <cstdlib>
#include <memory>
#include <vector>

namespace flexsn {

/// Holds everything that a run needs, so that run() allocates nothing. One thread at a time.
class Invocation {
public:
  /// Orders the operands as the program wants them and runs its prologue on the parameters.
  Invocation(std::shared_ptr<const Program> compiled, const Model &model, const std::vector<WantedOutput> &outputs,
             CallOperands call);

  /// No allocation and no lock; no system call either, unless the work is shared with other threads.
  void run() noexcept;

private:
  struct FreeAligned {
    void operator()(std::byte *memory) const { std::free(memory); }
  };

  void planSlices();
  void runRange(unsigned seat, int64_t begin, int64_t end) noexcept;
  void runSlice(unsigned seat, unsigned slice) noexcept;

  std::shared_ptr<const Program> program;
  int64_t steps, neurons;
  std::shared_ptr<ThreadPool> pool; ///< null where the caller does all
  unsigned slices = 1;
  int64_t head;        ///< neurons before the first slice, run with it
  int64_t sliceLength; ///< neurons
  int64_t extents[maxDims];
  std::vector<CpuOperand> operands;
  std::vector<uint64_t> numbers; ///< initial states given as numbers; operands point here
  std::vector<uint64_t> invariants;
  size_t workspaceStride; ///< bytes from one seat's workspace to the next
  std::unique_ptr<std::byte, FreeAligned> workspaces;
};

} // namespace flexsn
