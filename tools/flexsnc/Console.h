// All that flexsnc prints goes through one object: results to standard output, talk to standard error.
#pragma once

#include "tools/flexsnc/Failure.h"

#include <string>
#include <string_view>

namespace flexsn::cli {

enum class ColorChoice { Auto, Always, Never };

/// Where a command prints. One per process, used by one thread.
class Console {
public:
  /// Looks once at the terminal and at NO_COLOR, COLUMNS and TERM.
  Console();

  void setColor(ColorChoice choice) { color = choice; }
  void setQuiet(bool on) { quiet = on; }
  void setVerbose(bool on) { verbose = on; }
  bool isQuiet() const { return quiet; }

  /// A result. Once the reader has closed the pipe, nothing more is printed and nothing is said about it; any other
  /// failure to write is a Failure.
  void out(std::string_view text);
  /// Whether a result was printed: then no other JSON object may follow it.
  bool hasPrinted() const { return printedResult; }
  /// A line of talk, kept back by -q.
  void note(std::string_view line);
  /// A line that only -v asks for.
  void detail(std::string_view line);
  /// `flexsnc: warning: line`, kept back by -q.
  void warning(std::string_view line);
  /// `flexsnc: error: message` and the hint below it.
  void error(const Failure &failure);
  /// A finding's picture, as it is, on standard error.
  void finding(std::string_view rendered);

  /// Whether ANSI colours are wanted on standard output, on standard error.
  bool colorOut() const { return wantsColor(outIsTerminal); }
  bool colorErr() const { return wantsColor(errIsTerminal); }
  bool outTerminal() const { return outIsTerminal; }
  /// Progress lines make sense only for someone who watches.
  bool showsProgress() const { return errIsTerminal && !quiet; }
  /// Width of the terminal on standard output, else COLUMNS, else 80.
  int columns() const { return width; }

  /// Overwrites the progress line; an empty text removes it.
  void progress(std::string_view text);

private:
  bool wantsColor(bool terminal) const {
    return color == ColorChoice::Always || (color == ColorChoice::Auto && terminal && !plain);
  }
  void err(std::string_view text);

  ColorChoice color = ColorChoice::Auto;
  bool quiet = false, verbose = false;
  bool outIsTerminal, errIsTerminal;
  bool plain; ///< NO_COLOR or a terminal that knows no colours
  bool outClosed = false, progressShown = false, printedResult = false;
  int width = 80;
};

} // namespace flexsn::cli
