// The stages of the compiler: from the neuron dialect to the LLVM dialect, or to what is printed as CUDA C++.
#pragma once

#include "compiler/CompileCuda.h"

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace flexsn {

enum class Backend : uint8_t { Cpu, Cuda };

/// Which of the table's ways a module takes.
struct Way {
  Backend backend = Backend::Cpu;
  AccessPath access = AccessPath::Vector; ///< on a GPU
};

/// Adds the dialects and interfaces that the stages create or need.
void registerPipelineDialects(mlir::DialectRegistry &registry);

/// Position of the stage named `name` in `stages()`.
std::optional<size_t> stageIndex(std::string_view name);

/// Whether the stage number `stage` is one of `way`'s.
bool isOnWay(size_t stage, const Way &way);

/// Adds the passes of the stages of `way` from number `first` to number `last`. `request` has passed checkRequest, and
/// its target cpu::checkTarget where the stage `schedule` is reached on a CPU's way.
void addStages(mlir::OpPassManager &passes, const Request &request, const Way &way, size_t first, size_t last);

/// Runs the stages of `way` from number `first` to number `last` on what importModel, or the stage before `first`,
/// made. False after a failure, which the context's diagnostic handler has been told about.
bool runStages(mlir::ModuleOp module, const Request &request, const Way &way, size_t first, size_t last);

} // namespace flexsn
