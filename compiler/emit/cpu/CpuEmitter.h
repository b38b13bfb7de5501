// From a scheduled scan.kernel to machine code for a CPU. docs/skeleton.md says what the code does; runtime/KernelAbi.h
// how it is called. The way:
//
//   lower-ops    neuron functions, spikes, ... -> arith, math.fma, calls of platform functions   (compiler/transforms)
//   emit-cpu     scan.kernel -> two llvm.func over scf loops, arith on vectors, LLVM loads and stores
//   cpu-to-llvm  all of that -> the LLVM dialect alone
//   generateCode LLVM dialect -> LLVM IR, assembly or an object file
#pragma once

#include "compiler/Compile.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
class ModuleOp;
class Pass;
} // namespace mlir

namespace flexsn {
namespace scan {
class KernelOp;
} // namespace scan

namespace cpu {

/// Adds the dialects that the passes below create, and the translations that `generateCode` needs.
void registerDialects(mlir::DialectRegistry &registry);

/// Says why no code can be generated for `target` ("'skylak' is not a CPU that LLVM knows"); empty if it can. LLVM
/// would print a warning and go on, or abort, so this comes before everything else that takes a target.
std::string checkTarget(const Target &target);

/// `target` as LLVM sees it: an empty cpu becomes the host's name and features, given features are kept as they are.
Target resolveTarget(const Target &target);

/// Lanes of the target's widest vector register for the compute type of `data` (F32 or F64): AVX-512 16 floats, AVX 8,
/// SSE2 and NEON 4. Any other width gives the same bits. `target` has passed checkTarget.
unsigned vectorWidth(const Target &target, Storage data);

/// Whether the target has instructions between float16 and float32. `target` has passed checkTarget.
bool convertsHalf(const Target &target);
/// Whether the target multiplies and adds in one instruction with one rounding. `target` has passed checkTarget.
bool fusesMultiplyAdd(const Target &target);

/// What a kernel's caller provides, derived from the scheduled scan.kernel alone.
struct KernelLayout {
  unsigned invariantSlots = 0;      ///< 8-byte slots: the parameters' values first, then the prologue's results
  std::vector<size_t> stateRows;    ///< byte offset of each state's row in the workspace, 64-byte aligned
  std::vector<size_t> siteRows;     ///< the same of the site values
  std::vector<size_t> siteRowsBack; ///< those of the way back, where it may be in another tile
  /// Of a backward kernel: rows of carried gradients; of sums over steps, those that go on over neurons `span` neurons
  /// long; of the values kept for the first step of a chunk, and the bytes from one step's to the next one's.
  std::vector<size_t> carriedRows, sumRows, siteSumRows, keptRows;
  size_t keptStride = 0;
  /// Byte offsets of the two rows of places (Strided.h) of each operand whose neurons are found by strides.
  struct PlaceRows {
    size_t offsets, firsts;
  };
  std::vector<PlaceRows> placeRows;
  size_t workspaceBytes = 0;
};
KernelLayout layoutOf(scan::KernelOp kernel);

/// Symbols of the functions that `emit-cpu` makes of a kernel. The last two are internal: of one with places, and of
/// one with sums.
std::string kernelSymbol(scan::KernelOp kernel);
std::string prologueSymbol(scan::KernelOp kernel);
std::string epilogueSymbol(scan::KernelOp kernel);
std::string placesSymbol(scan::KernelOp kernel);
std::string sumSymbol(scan::KernelOp kernel);

/// `cpu-to-llvm` on a module: what emit-cpu left, to the LLVM dialect alone.
std::unique_ptr<mlir::Pass> createCpuToLlvmPass();

enum class CodeForm : uint8_t { Llvm, Assembly, Object };

/// Machine code (or its text) of a module of the LLVM dialect alone, into `code`. No optimiser runs: the vectors are
/// explicit and the loops are in the shape that the code generator wants. Floating point is strict: nothing is
/// contracted. On failure false, with LLVM's words in `error`. Thread-safe between modules of different contexts.
bool generateCode(mlir::ModuleOp module, const Target &target, CodeForm form, std::string &code, std::string &error);

} // namespace cpu
} // namespace flexsn
