#include "compiler/emit/cuda/CodeText.h"

#include <algorithm>

namespace flexsn::cuda {

void CodeText::line(std::string_view code) {
  if (!code.empty())
    text.append(indentation(), ' ').append(code);
  text += '\n';
  ++count;
}

void CodeText::line(std::string_view code, const std::optional<Span> &span) {
  line(code);
  if (span)
    origins.push_back({count, *span});
}

void CodeText::comment(std::string_view words) {
  const size_t most = width - std::min(width / 2, indentation() + 3);
  std::string_view indent; // what goes on is moved in
  while (!words.empty()) {
    size_t length = words.size();
    if (length > most)
      if (length = words.rfind(' ', most); length == std::string_view::npos || length == 0)
        length = std::min(words.find(' '), words.size()); // a word that is longer than a line
    line(std::string("// ").append(indent).append(words.substr(0, length)));
    words.remove_prefix(std::min(words.size(), length + 1));
    indent = "  ";
  }
}

void CodeText::open(std::string_view code) {
  line(code);
  ++depth;
}

void CodeText::close(std::string_view code) {
  --depth;
  if (text.ends_with("{\n")) { // an empty scope
    text.pop_back();
    text.append(code).append("\n");
    return;
  }
  line(code);
}

} // namespace flexsn::cuda
