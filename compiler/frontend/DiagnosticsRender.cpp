// Diagnostics as people read them in a terminal.
#include "compiler/frontend/Diagnostics.h"
#include "compiler/frontend/Lexer.h"

#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace flexsn {

namespace {
constexpr size_t longestLine = 200;    ///< bytes of a source line that are shown
constexpr size_t longestExcerpt = 160; ///< bytes of the user's text inside a message

struct Colors {
  std::string_view bold, error, warning, note, fix, reset;
};
constexpr Colors plain{};
constexpr Colors ansi{"\033[1m", "\033[1;31m", "\033[1;35m", "\033[1;36m", "\033[32m", "\033[0m"};
} // namespace

/// The code point of a UTF-8 sequence that a terminal obeys or hides instead of showing it: a control of C1, a mark
/// that turns the direction of writing, a line end of Unicode's, a character without width.
static std::optional<unsigned> hiddenCharacter(std::string_view sequence) {
  constexpr std::pair<unsigned, unsigned> ranges[] = {{0x80, 0x9F},     {0xAD, 0xAD},     {0x61C, 0x61C},
                                                      {0x180E, 0x180E}, {0x200B, 0x200F}, {0x2028, 0x202E},
                                                      {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xE0000, 0xE007F}};
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(sequence.data());
  llvm::UTF32 point = 0;
  if (llvm::convertUTF8Sequence(&begin, begin + sequence.size(), &point, llvm::strictConversion) != llvm::conversionOK)
    return std::nullopt;
  const bool hidden = std::any_of(std::begin(ranges), std::end(ranges),
                                  [&](const auto &range) { return point >= range.first && point <= range.second; });
  return hidden ? std::optional<unsigned>(point) : std::nullopt;
}

std::string printable(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const size_t length = utf8Length(text.substr(i));
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool control = (byte < 0x20 && byte != '\t') || byte == 0x7F;
    if (length == 0 || control)
      result += fmt::format("\\x{:02X}", byte);
    else if (const std::optional<unsigned> hidden = length > 1 ? hiddenCharacter(text.substr(i, length)) : std::nullopt)
      result += fmt::format("\\u{{{:04X}}}", *hidden);
    else
      result += text.substr(i, length);
    i += std::max<size_t>(length, 1);
  }
  return result;
}

/// `offset`, moved back to where a UTF-8 sequence begins.
static size_t sequenceBegin(std::string_view text, size_t offset) {
  for (unsigned back = 0; back < 3 && offset > 0 && offset < text.size(); ++back, --offset)
    if ((text[offset] & 0xC0) != 0x80)
      break;
  return offset;
}

std::string excerpt(std::string_view text) {
  if (text.size() <= longestExcerpt)
    return std::string(text);
  return std::string(text.substr(0, sequenceBegin(text, longestExcerpt - 3))) + "...";
}

/// Columns of a terminal that printable text takes.
static size_t width(std::string_view text) {
  const int columns = llvm::sys::unicode::columnWidthUTF8(llvm::StringRef(text.data(), text.size()));
  return columns < 0 ? text.size() : static_cast<size_t>(columns);
}

namespace {
/// The part of a source line that is shown, and the span inside it.
struct Excerpt {
  std::string before, marked, after; ///< printable; together the shown text

  Excerpt(std::string_view line, size_t begin, size_t end) {
    begin = std::min(begin, line.size());
    end = std::clamp(end, begin, line.size());
    size_t from = 0, to = line.size();
    if (line.size() > longestLine) {
      // A third of the room in front of the span, so that its cause is in sight.
      from = sequenceBegin(line, begin > longestLine / 3 ? begin - longestLine / 3 : 0);
      to = sequenceBegin(line, std::min(line.size(), from + longestLine));
      end = std::min(end, to);
    }
    before = (from > 0 ? "..." : "") + printable(line.substr(from, begin - from));
    marked = printable(line.substr(begin, end - begin));
    after = printable(line.substr(end, to - end)) + (to < line.size() ? "..." : "");
  }

  /// White space as wide as `before`; a tab stays a tab, whatever its width is in the reader's terminal.
  std::string padding() const {
    std::string result;
    for (size_t i = 0; i < before.size();) {
      const size_t tab = std::min(before.find('\t', i), before.size());
      result.append(width(std::string_view(before).substr(i, tab - i)), ' ');
      if (tab < before.size())
        result += '\t';
      i = tab + 1;
    }
    return result;
  }
};
} // namespace

/// The source line with its number, and the marks under the span.
static std::string snippet(const Source &source, Span span, std::string_view color, const Colors &colors) {
  const Position at = source.position(span.begin);
  const std::string_view line = source.line(at.line);
  const size_t begin = at.column - 1;
  const Excerpt shown(line, begin, begin + (span.end - span.begin)); // a span over several lines ends with its first
  const std::string marks(std::max<size_t>(width(shown.marked), 1) - 1, '~');
  return fmt::format("{:>5} | {}{}{}\n      | {}{}^{}{}\n", at.line, shown.before, shown.marked, shown.after,
                     shown.padding(), color, marks, colors.reset);
}

/// The replacement under the text that it replaces.
static std::string fixLine(const Source &source, const Fix &fix, const Colors &colors) {
  const Position at = source.position(fix.span.begin);
  const size_t begin = at.column - 1;
  if (fix.replacement.empty())
    return fmt::format("      = {}fix: remove '{}'{}\n", colors.fix, printable(excerpt(source.text(fix.span))),
                       colors.reset);
  const Excerpt shown(source.line(at.line), begin, begin + (fix.span.end - fix.span.begin));
  const std::string_view text = fix.replacement;
  const std::string_view visible = text.substr(0, text.find_last_not_of(' ') + 1); // no blanks at a line's end
  return fmt::format("      | {}{}{}{}\n", shown.padding(), colors.fix, printable(excerpt(visible)), colors.reset);
}

std::string render(const Diagnostic &diagnostic, const Source &source, bool color) {
  const Colors &colors = color ? ansi : plain;
  const bool isError = diagnostic.severity == Severity::Error;
  const std::string_view tint = isError                                    ? colors.error
                                : diagnostic.severity == Severity::Warning ? colors.warning
                                                                           : colors.note;
  const std::string_view word = isError ? "error" : diagnostic.severity == Severity::Warning ? "warning" : "note";
  const auto head = [&](Span span, std::string_view kind, std::string_view kindColor, std::string_view message) {
    const Position at = source.position(span.begin);
    return fmt::format("{}{}:{}:{}: {}{}: {}{}{}", colors.bold, printable(source.name()), at.line, at.column, kindColor,
                       kind, colors.reset, colors.bold, message);
  };
  std::string text = head(diagnostic.span, word, tint, diagnostic.message);
  if (!diagnostic.lint.empty())
    text += fmt::format(" [{}{}]", isError ? "-Werror=" : "-W", diagnostic.lint);
  text += fmt::format("{}\n{}", colors.reset, snippet(source, diagnostic.span, tint, colors));
  if (diagnostic.fix)
    text += fixLine(source, *diagnostic.fix, colors);
  if (diagnostic.label)
    text +=
        fmt::format("{}{}\n{}", head(diagnostic.label->span, "note", colors.note, printable(diagnostic.label->message)),
                    colors.reset, snippet(source, diagnostic.label->span, colors.note, colors));
  return text;
}

} // namespace flexsn
