#include "compiler/emit/cuda/CodeText.h"

#include <algorithm>

namespace flexsn::cuda {

void CodeText::put(std::string_view code) {
  if (!code.empty())
    text.append(indentation(), ' ').append(code);
  text += '\n';
  ++count;
}

void CodeText::line(std::string_view code) {
  std::string further;
  while (indentation() + further.size() + code.size() > limit) {
    size_t room = limit - std::min(limit, indentation() + further.size()), end = code.rfind(' ', room);
    if (end == std::string_view::npos || end == 0)
      end = code.find(' ', room); // a name that is longer than a line
    if (end == std::string_view::npos)
      break;
    put(further + std::string(code.substr(0, end)));
    code.remove_prefix(end + 1);
    further = "    ";
  }
  put(further + std::string(code));
}

void CodeText::line(std::string_view code, const std::optional<Span> &span) {
  unsigned before = count;
  line(code);
  while (span && before < count)
    origins.push_back({++before, *span});
}

void CodeText::comment(std::string_view words) {
  const size_t most = width - std::min(width / 2, indentation() + 3);
  std::string_view indent; // what goes on is moved in
  while (!words.empty()) {
    size_t length = words.size(), space = 0;
    if (length > most) {
      length = words.rfind(' ', most);
      space = 1;
      if (length == std::string_view::npos || length == 0) { // a word that is longer than a line
        length = most;
        space = 0;
      }
    }
    put(std::string("// ").append(indent).append(words.substr(0, length)));
    words.remove_prefix(length + space);
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
