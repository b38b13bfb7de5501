// The JSON that --json prints: one object, keys in a fixed order, with the number of its schema.
#pragma once

#include "tools/flexsnc/Failure.h"

#include <flexsn/flexsn.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace flexsn::cli {

using Json = nlohmann::ordered_json;

/// An object with "schema"; the number grows when a key changes its meaning or goes.
Json newDocument();
/// Findings with file, line, column, end_line, end_column, severity, name, message, fix.
Json findingsJson(const std::vector<flexsn::Diagnostic> &findings);
/// What a command that failed prints: "error" with exit code, message and hint, "diagnostics".
Json failureJson(ExitStatus status, const std::string &message, const std::string &hint,
                 const std::vector<flexsn::Diagnostic> &findings);
/// A number; null for NaN and infinities, which JSON cannot say.
Json numberJson(double value);
/// The text, ending in a line end. Bytes that are not UTF-8 become U+FFFD.
std::string printed(const Json &document);

} // namespace flexsn::cli
