#include "compiler/import/Locations.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace flexsn {

mlir::Location locationOf(const Source &source, Span span, MLIRContext &context) {
  Position begin = source.position(span.begin);
  Position end = source.position(span.end);
  return FileLineColRange::get(StringAttr::get(&context, source.name()), begin.line, begin.column, end.line,
                               end.column);
}

/// The offset of a 1-based place, which may come from hand-written MLIR and then lie anywhere.
static std::optional<uint32_t> offsetOf(const Source &source, unsigned line, unsigned column) {
  std::string_view text = source.text();
  if (line == 0 || column == 0 || source.position(static_cast<uint32_t>(text.size())).line < line)
    return std::nullopt;
  size_t offset = static_cast<size_t>(source.line(line).data() - text.data()) + column - 1;
  return offset <= text.size() ? std::optional(static_cast<uint32_t>(offset)) : std::nullopt;
}

std::optional<Span> spanOf(const Source &source, mlir::Location location) {
  auto range = location->findInstanceOf<FileLineColRange>();
  if (!range || range.getFilename().getValue() != source.name())
    return std::nullopt;
  std::optional<uint32_t> begin = offsetOf(source, range.getStartLine(), range.getStartColumn());
  std::optional<uint32_t> end = offsetOf(source, range.getEndLine(), range.getEndColumn());
  if (!begin || !end || *end < *begin)
    return std::nullopt;
  return Span{*begin, *end};
}

DiagnosticBridge::DiagnosticBridge(MLIRContext &context, Diagnostics &diagnostics, Span fallback) : context(context) {
  handler = context.getDiagEngine().registerHandler([&diagnostics, fallback](mlir::Diagnostic &found) {
    if (found.getSeverity() != DiagnosticSeverity::Error && found.getSeverity() != DiagnosticSeverity::Warning)
      return success(); // remarks are for whoever runs a pass by hand
    const Source &source = diagnostics.source();
    Severity severity = found.getSeverity() == DiagnosticSeverity::Error ? Severity::Error : Severity::Warning;
    Span span = spanOf(source, found.getLocation()).value_or(fallback);
    flexsn::Diagnostic &report = diagnostics.report(severity, span, found.str());
    for (const mlir::Diagnostic &note : found.getNotes())
      if (std::optional<Span> place = spanOf(source, note.getLocation()); place && !report.label)
        report.label = Label{*place, note.str()};
    return success();
  });
}

DiagnosticBridge::~DiagnosticBridge() { context.getDiagEngine().eraseHandler(handler); }

} // namespace flexsn
