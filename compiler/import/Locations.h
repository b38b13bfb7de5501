// Places in the user's text, as MLIR locations and back.
#pragma once

#include "compiler/frontend/Diagnostics.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"

#include <optional>

namespace flexsn {

/// The file-line-column range of `span`; its end is the column behind the last character.
mlir::Location locationOf(const Source &source, Span span, mlir::MLIRContext &context);

/// The span that `location`, or the first part of it that has a place, was made from.
std::optional<Span> spanOf(const Source &source, mlir::Location location);

/// While it lives, errors and warnings of the context become findings about the model's text. What has no place in the
/// text is reported at `fallback`.
class DiagnosticBridge {
public:
  DiagnosticBridge(mlir::MLIRContext &context, Diagnostics &diagnostics, Span fallback);
  ~DiagnosticBridge();
  DiagnosticBridge(const DiagnosticBridge &) = delete;
  DiagnosticBridge &operator=(const DiagnosticBridge &) = delete;

private:
  mlir::MLIRContext &context;
  mlir::DiagnosticEngine::HandlerID handler;
};

} // namespace flexsn
