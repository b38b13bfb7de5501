// The emitted text as it grows: lines with their indentation, and where each comes from.
#pragma once

#include "compiler/CompileCuda.h"

#include <string>
#include <string_view>
#include <vector>

namespace flexsn::cuda {

class CodeText {
public:
  /// Columns that expressions are cut for; no line passes `limit` but for a name that long.
  static constexpr size_t width = 116, limit = 120;

  /// One line, or an empty one. What is longer than `limit` goes on in lines that are moved in.
  void line(std::string_view code = {});
  /// One line that stands for `span` of the model's text.
  void line(std::string_view code, const std::optional<Span> &span);
  /// `// words`, over as many lines as it takes.
  void comment(std::string_view words);
  /// A line that opens a scope, and one that closes it.
  void open(std::string_view code);
  void close(std::string_view code = "}");

  size_t indentation() const { return size_t{2} * depth; }
  std::string take() { return std::move(text); }
  std::vector<LineOrigin> takeOrigins() { return std::move(origins); }

private:
  /// One line as it is.
  void put(std::string_view code);

  std::string text;
  unsigned count = 0, depth = 0;
  std::vector<LineOrigin> origins;
};

} // namespace flexsn::cuda
