// Expectations inside a text: `# expected-error@+1 {{whole message}} {{replacement}}` (expected-warning, @-1, @+N, no @
// for the comment's own line). The second braces hold the fix's text and stand there exactly if the finding has a fix.
#pragma once

#include "compiler/frontend/Frontend.h"

#include <optional>
#include <string>
#include <vector>

namespace flexsn::test {

struct Expectation {
  Severity severity;
  uint32_t line;
  std::string message;
  std::optional<std::string> fix;
};

/// What a test file asks for.
struct TestFile {
  std::vector<Expectation> expectations;
  LintOptions lints;
  CheckOptions check;
  std::vector<std::string> malformed; ///< comments that look like an expectation or an option and are none
};

/// Reads expectations and the line `# options: -Wno-NAME -Werror[=NAME] --const=D=8 --surrogate=S
/// --dims=tau=neuron,channel
/// --detach-reset`.
TestFile readTestFile(const Source &source);

/// One line for each expectation that is not met and each finding that was not expected; empty if all is well.
std::vector<std::string> compare(const TestFile &file, const Source &source, const std::vector<Diagnostic> &found);

/// Parses and checks a text as `flexsnc check` does.
std::vector<Diagnostic> findings(std::shared_ptr<const Source> source, const LintOptions &lints,
                                 const CheckOptions &options);

/// The names of Diagnostics.def in its order, by DiagnosticId.
const std::vector<std::string_view> &diagnosticNames();

} // namespace flexsn::test
