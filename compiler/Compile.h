// Source + options -> artifacts: all that the runtime sees of the compiler. No MLIR and no LLVM header here.
#pragma once

#include "compiler/frontend/Frontend.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace flexsn {

/// How an operand lies in memory. Bool is one byte, 0 or 1.
enum class Storage : uint8_t { F16, BF16, F32, F64, I8, I32, Bool };
size_t storageBytes(Storage storage);
std::string_view storageName(Storage storage); ///< "f32"

enum class KernelKind : uint8_t { Inference, FinalState, Forward, Backward };
std::string_view kernelName(KernelKind kind); ///< "inference"
/// Whether it is one of the two kernels of a training step.
bool isTraining(KernelKind kind);

/// docs/language.md, Numbers.
enum class MathMode : uint8_t { Standard, Strict, Fast };

/// Where the neurons of a step lie: all operands dense in one order, or each by strides of its own (docs/skeleton.md).
enum class Layout : uint8_t { Linear, Strided };
std::string_view layoutName(Layout layout); ///< "linear"

/// What the code is generated for. An empty cpu means this machine's, with its features.
struct Target {
  std::string cpu;      ///< LLVM's name, e.g. "skylake-avx512", "x86-64-v3"
  std::string features; ///< LLVM's list, e.g. "+avx2,-avx512f"
};

/// One program: a kernel of a model for given types, wanted results and access path. No value, size or stride is in it.
struct Request {
  KernelKind kernel = KernelKind::Inference;
  Storage data = Storage::F32; ///< of inputs and outputs; states and compute are F64 for F64, else F32
  MathMode math = MathMode::Standard;
  Layout layout = Layout::Linear;
  bool streaming = false;                 ///< linear: outputs go past the caches, to aligned rows (docs/skeleton.md)
  std::vector<std::string> outputs;       ///< names delivered as sequences, in order; any name of the model
  std::vector<std::string> int8Outputs;   ///< those of `outputs`, whole numbers, that are stored as saturated int8
  std::vector<std::string> initialStates; ///< states given as tensors; the others start at their declared value
  std::vector<std::string> finalStates;   ///< states written at the end
  // Of a backward kernel: what a gradient comes for beside the outputs, and what is differentiated by.
  std::vector<std::string> gradFinals, gradInputs, gradInitials, gradParams;
  Target target;
};

enum class Role : uint8_t {
  Param,
  Input,
  Initial,
  Output,
  Final,
  Lengths, ///< a reserved word
  Checkpoint,
  GradOutput,
  GradFinal,
  GradInput,
  GradInitial,
  GradParam
};
std::string_view roleName(Role role); ///< "grad_input"
/// Whether an operand of that role has steps: [T, ...].
bool isSequence(Role role);
/// Whether kernels write operands of that role; a checkpoint is written by one kernel and read by the other.
bool isWritten(Role role);

/// One operand of a kernel as the caller binds it.
struct KernelOperand {
  std::string name;
  Role role;
  Storage storage;
  bool operator==(const KernelOperand &) const = default;
};

/// Machine code of one program with all that is needed to call it (runtime/KernelAbi.h).
struct CpuProgram {
  std::string object;                ///< a relocatable object file
  std::string kernelSymbol;          ///< void (const CpuCall *)
  std::string prologueSymbol;        ///< void (const void *params, void *invariants)
  std::string epilogueSymbol;        ///< void (const void *params, const void *sums, void *grads); empty: none
  std::vector<KernelOperand> params; ///< slot i of the prologue's params, 8 bytes each, in the operand's storage
  /// CpuCall::operands, in this order: params with dims (those that vary by step last), inputs, initials, outputs,
  /// finals, checkpoints, gradients of outputs, finals, inputs, initials.
  std::vector<KernelOperand> operands;
  std::vector<KernelOperand> gradParams; ///< slot i of what the epilogue writes, in the operand's storage
  unsigned invariantSlots = 0;           ///< 8-byte slots that the prologue writes
  unsigned tile = 0;                     ///< neurons that are walked through time together
  unsigned width = 0;                    ///< lanes of a vector
  size_t workspaceBytes = 0;             ///< per thread, 64-byte aligned
  unsigned every = 0;                    ///< steps between checkpoints; 0: there are none
  unsigned sums = 0;                     ///< over neurons, which the epilogue reads
  Storage sumStorage = Storage::F32;     ///< of each of them, F32 or F64
};

/// Key of a program: SHA-256 (hex) over length-prefixed fields: schema, canonical model text without parameter values,
/// request, target as LLVM sees it, build id. Runs no pass.
std::string programKey(const Model &model, const Request &request);

/// Compiles one program for a CPU. Errors (a construct that cannot be lowered, a name that is no output) go to
/// `diagnostics` with spans of the model's source; false then. Thread-safe: each call has an MLIR context of its own.
bool compileForCpu(const Model &model, const Request &request, Diagnostics &diagnostics, CpuProgram &program);

/// What `flexsnc emit --as` and `--stop-after` print.
enum class EmitForm : uint8_t { Mlir, Llvm, Assembly, Object, Cuda };

/// Runs the pipeline up to the stage `stopAfter` (the name of one of `stages()`; empty: as far as `form` needs) and
/// prints the IR, the machine code, or CUDA C++ with vector accesses, into `text`.
bool emit(const Model &model, const Request &request, EmitForm form, std::string_view stopAfter,
          Diagnostics &diagnostics, std::string &text);

/// One stage of the pipeline, from the one table in Pipeline.cpp.
struct StageInfo {
  std::string_view name;
  std::string_view help;
};
const std::vector<StageInfo> &stages();

/// The host as LLVM sees it: cpu name, vector features; for `flexsnc doctor` and for keys.
Target hostTarget();
/// Why no kernel can be generated for a target, in words; empty if one can.
std::string targetProblem(const Target &target);
/// Version of this library and of the LLVM inside it, and an id of this build.
std::string_view buildId();
std::string_view llvmVersion();

} // namespace flexsn
