// Failures of the runtime, and how they leave through the C interface: a status, words, diagnostics.
#pragma once

#include "compiler/frontend/Diagnostics.h"
#include "runtime/FloatEnvironment.h"
#include "runtime/include/flexsn/flexsn.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

namespace flexsn {

/// A diagnostic with everything that flexsn_diagnostic points to; independent of the text's lifetime.
struct Finding {
  std::string file, name, message, rendered, colored;
  std::optional<std::string> fix;
  Severity severity = Severity::Error;
  Position begin, end, fixBegin, fixEnd;
};

/// The findings of one request, in the order of the text.
std::vector<Finding> findings(const Diagnostics &diagnostics);

/// What the runtime throws. It never crosses a frame of LLVM or of the C interface.
struct Failure {
  flexsn_status code;
  std::string message;
  std::vector<Finding> findings = {};
};

/// Throws a Failure in words.
template <class... Args>
[[noreturn]] void fail(flexsn_status code, fmt::format_string<Args...> format, Args &&...args) {
  throw Failure{code, fmt::format(format, std::forward<Args>(args)...)};
}
/// Throws a Failure of a text: its message is all findings as people read them.
[[noreturn]] void failModel(std::vector<Finding> findings);

/// "LIF has no state 'w'; its states are i, v; did you mean 'v'?"
[[noreturn]] void failUnknown(std::string_view owner, std::string_view kind, std::string_view kinds,
                              std::string_view name, const std::vector<std::string> &known);

/// What flexsn_last_error() and flexsn_diagnostic_* say in this thread.
class LastCall {
public:
  static LastCall &ofThisThread();

  void clear();
  /// Warnings of a call that succeeds.
  void setFindings(std::vector<Finding> found) { diagnostics = std::move(found); }
  /// Takes the exception in flight, which the C function `call` met; to be called in a catch block. Also copes without
  /// memory.
  flexsn_status setFromException(const char *call) noexcept;

  const char *message() const { return fixedWords ? fixedWords : words.c_str(); }
  const std::vector<Finding> &findings() const { return diagnostics; }

private:
  std::string words;
  const char *fixedWords = nullptr; ///< where even a copy of the words could not be made
  char noMemory[64];                ///< its place if they have to name the call
  std::vector<Finding> diagnostics;
};

/// Runs the body of a C function: exceptions become a status. The body returns nothing. Constants are folded and
/// parameters rounded in the default floating point environment: a caller who traps or rounds otherwise changes no bit.
/// `call` is the function that the body stands in.
template <class Body> flexsn_status guarded(Body body, const char *call = __builtin_FUNCTION()) noexcept {
  DefaultFloatEnvironment environment;
  try {
    LastCall::ofThisThread().clear();
    body();
    return FLEXSN_OK;
  } catch (...) {
    return LastCall::ofThisThread().setFromException(call);
  }
}

/// FLEXSN_ERROR_ARGUMENT for NULL, in the name of the argument.
template <class T> void require(const T *pointer, std::string_view argument) {
  if (!pointer)
    fail(FLEXSN_ERROR_ARGUMENT, "{} is NULL", argument);
}

} // namespace flexsn
