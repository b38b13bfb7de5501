// The stages of the compiler: from the neuron dialect to the LLVM dialect.
#pragma once

#include "compiler/Compile.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string_view>

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace flexsn {

/// Adds the dialects and interfaces that the stages create or need.
void registerPipelineDialects(mlir::DialectRegistry &registry);

/// Position of the stage named `name` in `stages()`.
std::optional<size_t> stageIndex(std::string_view name);

/// Adds the passes of the stages from number `first` to number `last`. `request` has passed checkRequest, and its
/// target cpu::checkTarget where the stage `schedule` is reached.
void addStages(mlir::OpPassManager &passes, const Request &request, size_t first, size_t last);

/// Runs the stages from number `first` to number `last` on what importModel, or the stage before `first`, made. False
/// after a failure, which the context's diagnostic handler has been told about.
bool runStages(mlir::ModuleOp module, const Request &request, size_t first, size_t last);

} // namespace flexsn
