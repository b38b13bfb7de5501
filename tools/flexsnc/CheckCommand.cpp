// flexsnc check: every finding of every file.
#include "tools/flexsnc/Json.h"
#include "tools/flexsnc/ModelFile.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>

namespace flexsn::cli {

namespace {

/// What was found in one file.
struct CheckedFile {
  std::string path;
  std::vector<std::string> models;
  std::vector<flexsn::Diagnostic> findings;
  std::optional<Failure> failure; ///< the file could not be read
};

CheckedFile checkFile(const std::string &path, const flexsn::Lints &lints) {
  CheckedFile result{path, {}, {}, std::nullopt};
  try {
    flexsn::File file = parseFile(path, lints);
    result.models = file.names();
    result.findings = file.diagnostics();
  } catch (const Failure &failure) {
    result.failure = failure;
  } catch (const flexsn::Error &error) {
    if (error.code() != flexsn::Code::model)
      throw;
    result.findings = error.diagnostics();
  }
  return result;
}

struct Counts {
  size_t errors = 0, warnings = 0, models = 0;
};

Counts countAll(const std::vector<CheckedFile> &files) {
  Counts counts;
  for (const CheckedFile &file : files) {
    counts.models += file.models.size();
    counts.errors += file.failure ? 1 : 0;
    for (const flexsn::Diagnostic &finding : file.findings) {
      counts.errors += finding.severity == flexsn::Severity::error;
      counts.warnings += finding.severity == flexsn::Severity::warning;
    }
  }
  return counts;
}

void printText(const std::vector<CheckedFile> &files, const Counts &counts, Console &console) {
  for (const CheckedFile &file : files) {
    if (file.failure)
      console.error(*file.failure);
    for (const flexsn::Diagnostic &finding : file.findings)
      console.out(console.colorOut() ? finding.colored : finding.rendered);
  }
  if (!console.isQuiet())
    console.out(fmt::format("{} in {}{}\n", findingCount(counts.errors, counts.warnings), counted(files.size(), "file"),
                            counts.errors == 0 ? " (" + counted(counts.models, "model") + ")" : ""));
}

void printJson(const std::vector<CheckedFile> &files, const Counts &counts, Console &console) {
  Json document = newDocument();
  document["files"] = Json::array();
  Json findings = Json::array();
  for (const CheckedFile &file : files) {
    document["files"].push_back({{"file", file.path},
                                 {"models", file.models},
                                 {"failure", file.failure ? Json(file.failure->what()) : Json()}});
    for (Json &finding : findingsJson(file.findings))
      findings.push_back(std::move(finding));
  }
  document["diagnostics"] = std::move(findings);
  document["errors"] = counts.errors;
  document["warnings"] = counts.warnings;
  console.out(printed(document));
}

ExitStatus runCheck(const Arguments &arguments, Console &console) {
  if (arguments.positionals.empty())
    failUsage("no file is given", "flexsnc check FILE...");
  if (std::count(arguments.positionals.begin(), arguments.positionals.end(), "-") > 1)
    failUsage("standard input can be read once: '-' is given twice");
  flexsn::Lints lints = lintsOf(arguments);
  std::vector<CheckedFile> files;
  for (const std::string &path : arguments.positionals)
    files.push_back(checkFile(path, lints));
  Counts counts = countAll(files);
  (arguments.has("--json") ? printJson : printText)(files, counts, console);
  return counts.errors == 0 ? ExitStatus::Done : ExitStatus::Wrong;
}

} // namespace

CommandSpec checkCommand() {
  return {"check",
          "Parse, verify and lint model texts; report every finding.",
          {"[OPTION]... FILE..."},
          {"flexsnc check lif.fsn", "flexsnc check models/*.fsn -Werror -Wno-unused-param",
           "cat lif.fsn | flexsnc check - --json"},
          {"--json", "-Wno-", "-Werror=", "-Werror"},
          runCheck};
}

} // namespace flexsn::cli
