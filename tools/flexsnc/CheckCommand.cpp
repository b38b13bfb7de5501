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
  std::optional<Failure> failure;                  ///< the file could not be read
  std::vector<flexsn::Diagnostic> uncompiled = {}; ///< notes: what is right, and not compiled by this version
  size_t uncompiledModels = 0;
};

/// What the compiler refuses of models without errors. The passes that refuse are asked, so that no list of ours ages.
void findUncompiled(const flexsn::File &file, CheckedFile &result) {
  flexsn::Emit what;
  what.stop_after = "expand";
  flexsn::Options options;
  options.dtype = flexsn::DType::f64; // the widest range: what only a type cannot hold is a matter of the request
  for (size_t i = 0; i < result.models.size(); ++i)
    try {
      (void)file.model(i).emit(what, options);
    } catch (const flexsn::Error &error) {
      for (flexsn::Diagnostic finding : error.diagnostics()) {
        if (finding.severity != flexsn::Severity::error)
          continue;
        finding.severity = flexsn::Severity::note;
        result.uncompiled.push_back(std::move(finding));
      }
      result.uncompiledModels += !error.diagnostics().empty(); // without: no outputs and no states, hence no kernel
    }
}

CheckedFile checkFile(const std::string &path, const flexsn::Lints &lints) {
  CheckedFile result{path, {}, {}, std::nullopt};
  try {
    flexsn::File file = parseFile(path, lints);
    result.models = file.names();
    result.findings = file.diagnostics();
    findUncompiled(file, result);
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
  size_t errors = 0, warnings = 0, models = 0, uncompiled = 0;
};

Counts countAll(const std::vector<CheckedFile> &files) {
  Counts counts;
  for (const CheckedFile &file : files) {
    counts.models += file.models.size();
    counts.uncompiled += file.uncompiledModels;
    counts.errors += file.failure ? 1 : 0;
    for (const flexsn::Diagnostic &finding : file.findings) {
      counts.errors += finding.severity == flexsn::Severity::error;
      counts.warnings += finding.severity == flexsn::Severity::warning;
    }
  }
  return counts;
}

/// "no errors in 1 file (3 models, 1 of them not compiled by this version)"
std::string summary(const Counts &counts, size_t files) {
  std::string text = fmt::format("{} in {}", findingCount(counts.errors, counts.warnings), counted(files, "file"));
  if (counts.errors != 0)
    return text;
  std::string uncompiled;
  if (counts.uncompiled != 0)
    uncompiled = fmt::format(", {} not compiled by this version",
                             counts.models == 1 ? "which is" : fmt::format("{} of them", grouped(counts.uncompiled)));
  return fmt::format("{} ({}{})", text, counted(counts.models, "model"), uncompiled);
}

void printText(const std::vector<CheckedFile> &files, const Counts &counts, Console &console) {
  for (const CheckedFile &file : files) {
    if (file.failure)
      console.error(*file.failure);
    for (const flexsn::Diagnostic &finding : file.findings)
      console.out(console.colorOut() ? finding.colored : finding.rendered);
    for (const flexsn::Diagnostic &note : file.uncompiled)
      if (!console.isQuiet())
        console.out(
            fmt::format("{}:{}:{}: note: {}\n", printable(file.path), note.line, note.column, printable(note.message)));
  }
  if (!console.isQuiet())
    console.out(summary(counts, files.size()) + "\n");
}

void printJson(const std::vector<CheckedFile> &files, const Counts &counts, Console &console) {
  Json document = newDocument();
  document["files"] = Json::array();
  Json findings = Json::array();
  for (const CheckedFile &file : files) {
    document["files"].push_back({{"file", file.path},
                                 {"models", file.models},
                                 {"failure", file.failure ? Json(file.failure->what()) : Json()}});
    for (const std::vector<flexsn::Diagnostic> *list : {&file.findings, &file.uncompiled})
      for (Json &finding : findingsJson(*list))
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
