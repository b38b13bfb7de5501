// Kernels from MLIR text, compiled for a given target and called directly: the CPU emitter without front end and
// runtime.
#pragma once

#include "compiler/Compile.h"
#include "runtime/CpuJit.h"
#include "runtime/KernelAbi.h"

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace flexsn::test {

/// The targets under test: without FMA and with 4 lanes (SSE2), with FMA and 8 lanes, and this machine's own.
std::vector<Target> targets();
/// For the names of tests: "x86_64_v3".
std::string nameOf(const Target &target);

/// One operand as a kernel is to see it.
struct Binding {
  void *data;
  int64_t timeStride = 0;
  int64_t elementStride = 0;
  std::vector<int64_t> strides = {}; ///< of a strided kernel: in bytes, along the extents of its run
};

/// Where a backward kernel puts the sums of groups of neurons.
struct Partials {
  void *data = nullptr;
  int64_t stride = 0;
};

/// A loaded kernel.
class Compiled {
public:
  /// Runs lower-ops, emit-cpu, cpu-to-llvm and the code generator on the one scan.kernel of `text`, then loads it.
  /// Throws std::runtime_error with the diagnostics on failure.
  Compiled(const std::string &text, const Target &target);

  /// Runs the kernel for neurons [0, count) in one call, with the parameters of the given 8-byte slots.
  void run(std::span<const Binding> operands, int64_t steps, int64_t count,
           std::span<const uint64_t> params = {}) const;
  /// The same for the neurons [begin, end); begin is a multiple of 64.
  void runRange(std::span<const Binding> operands, int64_t steps, int64_t begin, int64_t end,
                std::span<const uint64_t> params, std::span<const int64_t> extents = {}, Partials partials = {}) const;

  /// What the epilogue of a backward kernel makes of its sums: `count` gradients of parameters.
  std::vector<uint64_t> paramGradients(std::span<const uint64_t> params, std::span<const uint64_t> sums,
                                       size_t count) const;

  const std::string &object() const { return bytes; }
  size_t workspaceBytes() const { return workspace; }

private:
  std::string bytes;
  std::shared_ptr<const CpuCode> code;
  CpuKernel kernel = nullptr;
  CpuPrologue prologue = nullptr;
  CpuEpilogue epilogue = nullptr; ///< of a backward kernel
  unsigned invariantSlots = 0;
  size_t workspace = 0;
};

/// A parameter's slot.
template <class T> uint64_t slot(T value) {
  uint64_t bits = ~uint64_t(0); // what a value leaves of its slot is no zero by chance
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// The text of a kernel that maps inputs x0, x1, ... to the output y, without states. `type` is that of the inputs,
/// `resultType` of y; `body` computes %y from %x0, %x1, ...
std::string mapText(unsigned inputs, const std::string &type, const std::string &resultType, const std::string &body,
                    unsigned width, unsigned tile = 1024);

/// The vector width that the schedule would choose for `type`.
unsigned widthFor(const Target &target, const std::string &type);

/// Bytes with a guard on either side; `check` says whether a kernel wrote beyond.
class Guarded {
public:
  explicit Guarded(size_t bytes);
  template <class T> T *as() { return reinterpret_cast<T *>(storage.data() + guard); }
  bool intact() const;

private:
  static constexpr size_t guard = 256;
  std::vector<unsigned char> storage;
};

} // namespace flexsn::test
