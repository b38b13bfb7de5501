// flexsnc: the command line.
#include "tools/flexsnc/Command.h"
#include "tools/flexsnc/Json.h"
#include "tools/flexsnc/ModelFile.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <new>

#include <fcntl.h>
#include <unistd.h>

namespace flexsn::cli {

namespace {

/// Whose fault an error of the library is.
ExitStatus statusOf(flexsn::Code code) {
  switch (code) {
  case flexsn::Code::model:
  case flexsn::Code::value:
  case flexsn::Code::type:
  case flexsn::Code::unsupported: return ExitStatus::Wrong;
  case flexsn::Code::argument: return ExitStatus::Usage;
  default: return ExitStatus::Failed;
  }
}

ExitStatus report(const Failure &failure, bool json, Console &console) {
  if (json)
    console.out(printed(failureJson(failure.status, failure.what(), failure.hint, {})));
  else
    console.error(failure);
  return failure.status;
}

ExitStatus report(const flexsn::Error &error, bool json, Console &console) {
  ExitStatus status = statusOf(error.code());
  const std::vector<flexsn::Diagnostic> &findings = error.diagnostics();
  std::string message(trimmed(error.what()));
  if (!findings.empty()) {
    auto isError = [](const flexsn::Diagnostic &finding) { return finding.severity == flexsn::Severity::error; };
    auto errors = static_cast<size_t>(std::count_if(findings.begin(), findings.end(), isError));
    message = findingCount(errors, findings.size() - errors);
  }
  if (json) {
    console.out(printed(failureJson(status, message, "", findings)));
    return status;
  }
  printFindings(findings, console);
  console.error(Failure(status, message));
  return status;
}

void applyCommon(const Arguments &arguments, Console &console) {
  if (std::optional<std::string> color = arguments.get("--color"))
    console.setColor(*color == "always"  ? ColorChoice::Always
                     : *color == "never" ? ColorChoice::Never
                                         : ColorChoice::Auto);
  if (arguments.has("--quiet") && arguments.has("--verbose"))
    failUsage("'--quiet' and '--verbose' exclude each other");
  console.setQuiet(arguments.has("--quiet"));
  console.setVerbose(arguments.has("--verbose"));
}

/// True if --help or --version was all that was asked for.
bool answered(const Arguments &arguments, const CommandSpec *command, Console &console) {
  bool help = arguments.has("--help");
  if (!help && !arguments.has("--version"))
    return false;
  std::string page = help ? (command ? commandHelp(*command) : mainHelp()) : "";
  if (arguments.has("--json")) {
    Json document = newDocument();
    document[help ? "help" : "version"] = help ? page : flexsn::version();
    console.out(printed(document));
  } else {
    console.out(help ? page : fmt::format("flexsnc {}\n", flexsn::version()));
  }
  return true;
}

/// As other tools have it: help, help NAME.
ExitStatus runHelp(const std::vector<std::string> &names, Console &console) {
  if (names.size() > 1)
    failUsage(fmt::format("help is for one command at a time; '{}' is one too many", printable(names[1])));
  console.out(names.empty() ? mainHelp() : commandHelp(findCommand(names[0])));
  return ExitStatus::Done;
}

ExitStatus runWords(const std::vector<std::string> &words, Console &console) {
  size_t used = 0;
  Arguments common = parseArguments(words, {}, "", true, &used);
  applyCommon(common, console);
  bool named = used < words.size() && words[used] != "help";
  if (answered(common, common.has("--help") && named ? &findCommand(words[used]) : nullptr, console)) // as `run -h`
    return ExitStatus::Done;
  if (used == words.size())
    failUsage("no command is given", "'flexsnc --help' shows what there is");
  const std::string &name = words[used];
  std::vector<std::string> rest(words.begin() + static_cast<std::ptrdiff_t>(used) + 1, words.end());
  if (name == "help")
    return runHelp(rest, console);
  const CommandSpec &command = findCommand(name);
  Arguments arguments = parseArguments(rest, command.options, command.name);
  arguments.values.insert(common.values.begin(), common.values.end()); // `-q run` is `run -q`
  applyCommon(arguments, console);
  return answered(arguments, &command, console) ? ExitStatus::Done : command.run(arguments, console);
}

/// A stream that the caller closed is kept occupied, or the next file that is opened would be taken for it. It is
/// opened the wrong way round: what reads or writes it still fails, as on a closed stream, and no result is lost in
/// silence.
void openStandardStreams() {
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) == -1 &&
        ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) != descriptor)
      ::_exit(static_cast<int>(ExitStatus::Failed)); // no /dev/null: there is nowhere to say so
}

/// Whether a failure is to be told in JSON. Asked of the bare words, since what failed may be their parsing.
bool wantsJson(const std::vector<std::string> &words) {
  auto end = std::find(words.begin(), words.end(), "--");
  return std::find(words.begin(), end, "--json") != end;
}

} // namespace

} // namespace flexsn::cli

int main(int count, char **words) {
  using namespace flexsn::cli;
  std::signal(SIGPIPE, SIG_IGN); // a closed pipe is an errno of write(), which the console keeps quiet about
  std::signal(SIGXFSZ, SIG_IGN); // so is a file beyond the limit (ulimit -f); the process lives to tidy up
  openStandardStreams();
  ExitStatus status = ExitStatus::Failed;
  Console console;
  try {
    std::vector<std::string> arguments(words + (count > 0), words + count);
    auto tellInJson = [&] { return wantsJson(arguments) && !console.hasPrinted(); };
    try {
      status = runWords(arguments, console);
    } catch (const Failure &failure) {
      status = report(failure, tellInJson(), console);
    } catch (const flexsn::Error &error) {
      status = report(error, tellInJson(), console);
    } catch (const std::bad_alloc &) {
      status = report(Failure(ExitStatus::Failed, "out of memory"), tellInJson(), console);
    }
  } catch (const Failure &failure) { // telling of the failure failed
    console.error(failure);
    status = failure.status;
  } catch (const std::exception &error) {
    console.error(Failure(ExitStatus::Failed, error.what()));
  }
  return static_cast<int>(status);
}
