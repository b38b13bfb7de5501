// The text of one file and the positions in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace flexsn {

/// A half-open range of byte offsets into a Source. Every token, syntax node and checked node carries one.
struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;
};

/// Smallest span that covers both.
inline Span cover(Span a, Span b) { return {a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end}; }

/// A 1-based position; columns count bytes, as editors' error parsers expect.
struct Position {
  uint32_t line = 1;
  uint32_t column = 1;
};

/// An immutable text with its name. A leading BOM is left out of the text's columns; CRLF counts as one line end.
class Source {
public:
  Source(std::string name, std::string text);

  const std::string &name() const { return fileName; }
  std::string_view text() const { return contents; }
  std::string_view text(Span span) const { return text().substr(span.begin, span.end - span.begin); }
  Position position(uint32_t offset) const;
  /// The 1-based line without its line end.
  std::string_view line(uint32_t number) const;

private:
  std::string fileName;
  std::string contents;
  std::vector<uint32_t> lineBegins;
};

} // namespace flexsn
