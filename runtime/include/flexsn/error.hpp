// Part of flexsn.hpp: errors and diagnostics.
#ifndef FLEXSN_ERROR_HPP
#define FLEXSN_ERROR_HPP

#include "flexsn.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace flexsn {
// Inline functions of two versions in one program must not be taken for each other.
inline namespace v1 {

enum class Code : int32_t {
  ok = FLEXSN_OK,
  argument = FLEXSN_ERROR_ARGUMENT,
  model = FLEXSN_ERROR_MODEL,
  value = FLEXSN_ERROR_VALUE,
  type = FLEXSN_ERROR_TYPE,
  unsupported = FLEXSN_ERROR_UNSUPPORTED,
  device = FLEXSN_ERROR_DEVICE,
  memory = FLEXSN_ERROR_MEMORY,
  internal = FLEXSN_ERROR_INTERNAL,
};

enum class Severity : int32_t {
  note = FLEXSN_SEVERITY_NOTE,
  warning = FLEXSN_SEVERITY_WARNING,
  error = FLEXSN_SEVERITY_ERROR,
};

/// Text to put in place of a range; lines and columns count from 1, columns in bytes, the end is the first place
/// behind.
struct Fix {
  std::string text;
  uint32_t line, column, end_line, end_column;
};

/// One finding about a text.
struct Diagnostic {
  std::string file;
  uint32_t line, column, end_line, end_column;
  Severity severity;
  std::string name;    ///< the lint behind -W; empty for errors that cannot be switched off
  std::string message; ///< one line
  std::optional<Fix> fix;
  std::string rendered; ///< with source line and caret, as people read it; ends in a line end
  std::string colored;  ///< the same with ANSI colours
};

namespace detail {
/// The findings of this thread's last call.
inline std::vector<Diagnostic> diagnostics() {
  std::vector<Diagnostic> all(flexsn_diagnostic_count());
  for (size_t i = 0; i < all.size(); ++i) {
    flexsn_diagnostic d{};
    d.struct_size = sizeof d;
    if (flexsn_diagnostic_get(i, &d) != FLEXSN_OK)
      continue;
    all[i] = {d.file, d.line,    d.column,     d.end_line, d.end_column, static_cast<Severity>(d.severity),
              d.name, d.message, std::nullopt, d.rendered, d.colored};
    if (d.fix)
      all[i].fix = Fix{d.fix, d.fix_line, d.fix_column, d.fix_end_line, d.fix_end_column};
  }
  return all;
}
} // namespace detail

/// What every function here throws. what() says all: for Code::model each diagnostic with its source line and caret.
class Error : public std::runtime_error {
public:
  Error(Code code, const std::string &message, std::vector<Diagnostic> diagnostics = {})
      : std::runtime_error(message), failure(code), found(std::move(diagnostics)) {}

  Code code() const noexcept { return failure; }
  std::string message() const { return what(); }
  const std::vector<Diagnostic> &diagnostics() const noexcept { return found; }

private:
  Code failure;
  std::vector<Diagnostic> found;
};

/// What a function returns that promised not to throw. May be ignored where nothing can fail: Bound::run of a call that
/// was bound.
class Status {
public:
  explicit Status(flexsn_status status) noexcept : value(status) {}
  bool ok() const noexcept { return value == FLEXSN_OK; }
  explicit operator bool() const noexcept { return ok(); }
  Code code() const noexcept { return static_cast<Code>(value); }

private:
  flexsn_status value;
};

namespace detail {
/// Throws the C interface's last error.
inline void check(flexsn_status status) {
  if (status != FLEXSN_OK)
    throw Error(static_cast<Code>(status), flexsn_last_error(), diagnostics());
}

/// Calls the C interface's free function of a handle.
template <auto release> struct Free {
  template <class T> void operator()(T *handle) const noexcept { release(handle); }
};
template <class T, auto release> using Handle = std::unique_ptr<T, Free<release>>;

/// A text for the C interface, where a string ends at its first NUL: one inside would silently cut it short.
inline const char *cString(const std::string &text) {
  if (size_t at = text.find('\0'); at != std::string::npos)
    throw Error(Code::value, "a name or option has a NUL byte behind '" + text.substr(0, at) + "'");
  return text.c_str();
}

inline std::vector<const char *> pointers(const std::vector<std::string> &texts) {
  std::vector<const char *> all;
  for (const std::string &text : texts)
    all.push_back(cString(text));
  return all;
}
} // namespace detail

} // namespace v1
} // namespace flexsn
#endif // FLEXSN_ERROR_HPP
