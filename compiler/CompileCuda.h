// Source + options -> CUDA C++: all that the runtime sees of the CUDA backend's compiler. No MLIR and no CUDA header
// here.
#pragma once

#include "compiler/Compile.h"

namespace flexsn {

/// Which accesses a kernel uses; chosen at run time from addresses and strides (docs/skeleton.md).
enum class AccessPath : uint8_t { Vector, Scalar };
std::string_view accessName(AccessPath access); ///< "vector"

/// Line `line` (from 1) of the emitted text stands for `span` of the model's source.
struct LineOrigin {
  unsigned line;
  Span span;
};

/// CUDA C++ of one program with all that is needed to launch it (runtime/CudaAbi.h).
struct CudaProgram {
  std::string text;                  ///< one translation unit, no #include, the same on every machine and day
  std::string kernelSymbol;          ///< extern "C" __global__ void NAME(call): CudaCall and what follows it
  std::string prologueSymbol;        ///< extern "C" __global__ void NAME(call), one thread; empty: no invariants
  std::string reduceSymbol;          ///< extern "C" __global__ void NAME(CudaReduceCall); empty: no sums
  std::string gatherSymbol;          ///< extern "C" __global__ void NAME(CudaGatherCall), and
  std::string shareSymbol;           ///< NAME(CudaShareCall); empty: no gradients of parameters with dims
  std::string epilogueSymbol;        ///< extern "C" __global__ void NAME(call), one thread; empty: no gradParams
  std::vector<KernelOperand> params; ///< CudaPrologueCall's uniforms, and the first ones of the kernel
  /// CudaCall's operands, in CpuProgram's order; with sums there is one behind them: where their partials go.
  std::vector<KernelOperand> operands;
  std::vector<KernelOperand> gradParams; ///< slot i of what the epilogue writes, in the operand's storage
  unsigned invariantSlots = 0;       ///< 8-byte slots that the prologue writes; the kernel's uniforms behind the params
  unsigned neurons = 0, chunk = 0;   ///< V neurons a thread, C steps at once
  unsigned every = 0;                ///< steps between checkpoints; 0: there are none
  unsigned sums = 0;                 ///< over neurons, which the epilogue reads
  Storage sumStorage = Storage::F32; ///< of each of them, F32 or F64
  unsigned threads = 0;              ///< of a block, in x; blocks in x: ceil(N / (threads * neurons))
  std::vector<LineOrigin> lines;     ///< ascending; lines that are not the model's have none
};

/// Emits one program as CUDA C++. Errors as compileForCpu. The request's `streaming` and `target` mean nothing here:
/// the text is the same for every GPU. Thread-safe.
bool emitCuda(const Model &model, const Request &request, AccessPath access, Diagnostics &diagnostics,
              CudaProgram &program);
/// The IR after the stage named `stopAfter` of a GPU's way. Errors as emitCuda; a stage of a CPU's way alone is one
/// too.
bool emitCudaStage(const Model &model, const Request &request, AccessPath access, std::string_view stopAfter,
                   Diagnostics &diagnostics, std::string &text);

/// Key of that text: as programKey, with the access path in place of the target.
std::string cudaProgramKey(const Model &model, const Request &request, AccessPath access);

} // namespace flexsn
