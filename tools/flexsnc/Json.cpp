#include "tools/flexsnc/Json.h"

#include <cmath>

namespace flexsn::cli {

Json newDocument() { return {{"schema", 1}}; }

static const char *severityName(flexsn::Severity severity) {
  switch (severity) {
  case flexsn::Severity::note: return "note";
  case flexsn::Severity::warning: return "warning";
  case flexsn::Severity::error: return "error";
  }
  return "error";
}

Json findingsJson(const std::vector<flexsn::Diagnostic> &findings) {
  Json list = Json::array();
  for (const flexsn::Diagnostic &finding : findings) {
    Json object = {{"file", finding.file},
                   {"line", finding.line},
                   {"column", finding.column},
                   {"end_line", finding.end_line},
                   {"end_column", finding.end_column},
                   {"severity", severityName(finding.severity)},
                   {"name", finding.name.empty() ? Json() : Json(finding.name)},
                   {"message", finding.message},
                   {"fix", nullptr}};
    if (finding.fix)
      object["fix"] = {{"text", finding.fix->text},
                       {"line", finding.fix->line},
                       {"column", finding.fix->column},
                       {"end_line", finding.fix->end_line},
                       {"end_column", finding.fix->end_column}};
    list.push_back(std::move(object));
  }
  return list;
}

Json failureJson(ExitStatus status, const std::string &message, const std::string &hint,
                 const std::vector<flexsn::Diagnostic> &findings) {
  Json document = newDocument();
  document["error"] = {
      {"exit_code", static_cast<int>(status)}, {"message", message}, {"hint", hint.empty() ? Json() : Json(hint)}};
  document["diagnostics"] = findingsJson(findings);
  return document;
}

Json numberJson(double value) { return std::isfinite(value) ? Json(value) : Json(); }

std::string printed(const Json &document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace flexsn::cli
