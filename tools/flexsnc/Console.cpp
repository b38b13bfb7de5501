#include "tools/flexsnc/Console.h"

#include "tools/flexsnc/File.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <sys/ioctl.h>
#include <unistd.h>

namespace flexsn::cli {

static std::string_view environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

Console::Console() : outIsTerminal(::isatty(STDOUT_FILENO) != 0), errIsTerminal(::isatty(STDERR_FILENO) != 0) {
  plain = !environment("NO_COLOR").empty() || environment("TERM") == "dumb";
  winsize size{};
  if (outIsTerminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    width = size.ws_col;
  else if (std::optional<int64_t> columns = parseInteger(environment("COLUMNS")))
    width = static_cast<int>(std::clamp<int64_t>(*columns, 1, 1000));
}

void Console::out(std::string_view text) {
  progress("");
  if (text.empty() || outClosed)
    return;
  if (writeAll(STDOUT_FILENO, text)) {
    printedResult = true;
    return;
  }
  if (errno != EPIPE)
    failWrong(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  outClosed = true; // SIGPIPE is ignored: the command goes on to its own exit code
}

void Console::err(std::string_view text) {
  progress("");
  // Nobody is left to tell if this fails.
  (void)writeAll(STDERR_FILENO, text);
}

void Console::note(std::string_view line) {
  if (!quiet)
    err(fmt::format("{}\n", line));
}

void Console::detail(std::string_view line) {
  if (verbose)
    err(fmt::format("{}\n", line));
}

void Console::warning(std::string_view line) {
  if (!quiet)
    err(fmt::format("flexsnc: {}warning:{} {}\n", colorErr() ? "\x1b[1;35m" : "", colorErr() ? "\x1b[0m" : "", line));
}

void Console::error(const Failure &failure) {
  err(fmt::format("flexsnc: {}error:{} {}\n", colorErr() ? "\x1b[1;31m" : "", colorErr() ? "\x1b[0m" : "",
                  failure.what()));
  if (!failure.hint.empty())
    err(fmt::format("  {}\n", failure.hint));
}

void Console::finding(std::string_view rendered) { err(rendered); }

void Console::progress(std::string_view text) {
  if (!progressShown && text.empty())
    return;
  // Carriage return, the text, "erase to the end of the line".
  std::string line = fmt::format("\r{}\x1b[K", text);
  (void)writeAll(STDERR_FILENO, line);
  progressShown = !text.empty();
}

} // namespace flexsn::cli
