// One compiled kernel, loaded and ready to run.
#pragma once

#include "compiler/Compile.h"
#include "runtime/Cache.h"
#include "runtime/KernelAbi.h"

#include <memory>
#include <vector>

namespace flexsn {

/// Immutable; may run in several threads at once, each with memory of its own.
struct Program {
  std::vector<KernelOperand> params;     ///< slots of the prologue
  std::vector<KernelOperand> operands;   ///< of the kernel, in its order
  std::vector<KernelOperand> gradParams; ///< slots that the epilogue writes
  unsigned invariantSlots = 0;
  unsigned tile = 1, width = 1;
  size_t workspaceBytes = 0;
  unsigned every = 0; ///< steps between checkpoints; 0: there are none
  unsigned sums = 0;  ///< over neurons, each stored as sumStorage
  Storage sumStorage = Storage::F32;
  CpuKernel kernel = nullptr;
  CpuPrologue prologue = nullptr;
  CpuEpilogue epilogue = nullptr;   ///< of a backward kernel alone
  std::shared_ptr<const void> code; ///< keeps the machine code mapped
  bool stored = false;              ///< came from the disk cache: nothing was compiled

  /// The program with this key (programKey), from the cache or compiled and then kept there. Throws a Failure: the
  /// model's findings, or the loader's words. A failure leaves nothing in the cache.
  static std::shared_ptr<const Program> obtain(const std::string &key, const Model &model, const Request &request,
                                               Cache &cache);
  /// The program if the cache has it, else null.
  static std::shared_ptr<const Program> fromCache(const std::string &key, const Model &model, const Request &request,
                                                  Cache &cache);
};

} // namespace flexsn
