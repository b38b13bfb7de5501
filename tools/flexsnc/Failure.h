// How a command ends, and the exception that ends it early.
#pragma once

#include <stdexcept>
#include <string>

namespace flexsn::cli {

/// The exit codes of flexsnc, for scripts to rely on.
enum class ExitStatus : int {
  Done = 0,   ///< all that was asked for is done
  Wrong = 1,  ///< the model, the data or a file is wrong
  Usage = 2,  ///< the command line itself makes no sense
  Failed = 3, ///< the device or the toolchain failed
};

/// Ends a command. The message is lower case, without a full stop; the console puts `flexsnc: error:` before it.
class Failure : public std::runtime_error {
public:
  Failure(ExitStatus status, const std::string &message, std::string hint = "")
      : std::runtime_error(message), status(status), hint(std::move(hint)) {}

  ExitStatus status;
  std::string hint; ///< what to do about it, on a line of its own; may be empty
};

/// The model, the data or a file is wrong.
[[noreturn]] inline void failWrong(const std::string &message, std::string hint = "") {
  throw Failure(ExitStatus::Wrong, message, std::move(hint));
}

/// The command line makes no sense.
[[noreturn]] inline void failUsage(const std::string &message, std::string hint = "") {
  throw Failure(ExitStatus::Usage, message, std::move(hint));
}

} // namespace flexsn::cli
