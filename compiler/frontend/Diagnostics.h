// Everything a user can be told about a text. The kinds stand in Diagnostics.def alone; a test checks that each of them
// occurs in tests/diagnostics.
#pragma once

#include "compiler/frontend/Source.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace flexsn {

enum class Severity : uint8_t { Note, Warning, Error };

enum class DiagnosticId : uint16_t {
#define FLEXSN_DIAGNOSTIC(id, severity, lint, format, ...) id,
#include "compiler/frontend/Diagnostics.def"
};

/// One kind of diagnostic. `Args` are the types of the format's arguments, checked at compile time.
template <class... Args> struct DiagnosticSpec {
  DiagnosticId id;
  Severity severity;
  std::string_view lint; ///< the name behind -W, empty for errors
  std::string_view format;
};

/// The kinds as constants: diag::UnknownName and so on.
namespace diag {
#define FLEXSN_DIAGNOSTIC(id, severity, lint, format, ...)                                                             \
  inline constexpr DiagnosticSpec<__VA_ARGS__> id{DiagnosticId::id, Severity::severity, lint, format};
#include "compiler/frontend/Diagnostics.def"
} // namespace diag

/// A place that explains the main one ("'v' is declared here").
struct Label {
  Span span;
  std::string message;
};

/// Replaces the text of `span` by `replacement`; an empty span inserts.
struct Fix {
  Span span;
  std::string replacement;
};

struct Diagnostic {
  DiagnosticId id{};
  Severity severity = Severity::Error;
  std::string_view lint;
  Span span;
  std::string message; ///< what was seen; the rule; the hint last, after a semicolon. Lower case, no full stop
  std::optional<Label> label;
  std::optional<Fix> fix;
};

/// The names behind -W, in the order of Diagnostics.def.
const std::vector<std::string_view> &lintNames();
/// The names in a line's comment `# flexsn: allow NAME, NAME`; nothing without such a comment, and none for one that
/// begins with `flexsn:` and goes on otherwise.
std::optional<std::vector<std::string_view>> allowedLints(std::string_view line);

/// `text` with control bytes and bytes that are not UTF-8 as \xNN, and characters that are not seen or that turn the
/// order of the others as \u{NNNN}: safe for a terminal and for JSON.
std::string printable(std::string_view text);
/// `text` for a message: at most 160 bytes of it.
std::string excerpt(std::string_view text);

/// Which lints are silent or fatal. Belongs to a request.
struct LintOptions {
  std::set<std::string, std::less<>> disabled; ///< -Wno-NAME
  std::set<std::string, std::less<>> errors;   ///< -Werror=NAME
  bool allErrors = false;                      ///< -Werror
};

/// Collects the findings for one source. Not thread-safe; one per request.
class Diagnostics {
public:
  explicit Diagnostics(const Source &source, LintOptions lints = {}) : text(source), lints(std::move(lints)) {}

  /// Reports a finding; a fix or label can be hung on the result at once. A second finding of the same kind at the same
  /// place is dropped, a lint that is off or allowed on its line (`# flexsn: allow NAME`) too.
  template <class... Args, class... Values>
  Diagnostic &report(const DiagnosticSpec<Args...> &spec, Span span, const Values &...values) {
    static_assert(sizeof...(Args) == sizeof...(Values), "argument count differs from Diagnostics.def");
    static_assert((std::is_convertible_v<const Values &, Args> && ...), "argument type differs from Diagnostics.def");
    return add(spec.id, spec.severity, spec.lint, span, formatted<Args...>(spec.format, values...));
  }
  /// A finding that no front end kind covers: an error of a later pass, already in words.
  Diagnostic &report(Severity severity, Span span, std::string message);

  bool hasErrors() const { return errorCount != 0; }
  /// More errors than are shown: there is no use in looking for others.
  bool full() const;
  /// Findings by position, over all phases; errors and warnings interleaved as they stand in the text.
  std::vector<Diagnostic> sorted() const;
  const Source &source() const { return text; }

private:
  template <class... Args> static std::string formatted(std::string_view format, const Args &...args) {
    return formattedShort(format, excerpt(args)...);
  }
  template <class... Args> static std::string formattedShort(std::string_view format, const Args &...args) {
    return fmt::vformat(format, fmt::make_format_args(args...));
  }
  /// Arguments quote the user's text, which may be a megabyte of one name.
  template <class T> static T excerpt(T value) { return value; }
  static std::string excerpt(std::string_view text) { return flexsn::excerpt(text); }
  bool silenced(std::string_view lint, Span span) const;
  Diagnostic &add(DiagnosticId id, Severity severity, std::string_view lint, Span span, std::string message);

  const Source &text;
  LintOptions lints;
  std::vector<std::unique_ptr<Diagnostic>> found;
  std::set<std::tuple<DiagnosticId, uint32_t, uint32_t, std::string>> seen;
  Diagnostic dropped; ///< where a dropped finding's fix goes
  unsigned errorCount = 0;
};

/// `file:line:column: error: message`, the source line, a caret or `~~~` under the span, the label's line, the fix.
/// With `color`, ANSI colours. Lines longer than 200 bytes are cut around the span; control bytes print as \xNN.
std::string render(const Diagnostic &diagnostic, const Source &source, bool color = false);

/// The nearest of `candidates` to `word` by edit distance, if it is near enough to be a slip of the fingers.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string> &candidates);

} // namespace flexsn
