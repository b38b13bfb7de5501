#include "compiler/frontend/Source.h"

#include <algorithm>

namespace flexsn {

Source::Source(std::string name, std::string text) : fileName(std::move(name)), contents(std::move(text)) {
  // Without the mark in the text, offsets and columns need no exception for the first line.
  if (contents.starts_with("\xEF\xBB\xBF"))
    contents.erase(0, 3);
  // Offsets have 32 bits. The parser refuses a text long before that; positions in it only need to be harmless.
  const size_t indexed = std::min<size_t>(contents.size(), UINT32_MAX - 1);
  lineBegins.push_back(0);
  for (size_t i = 0; i < indexed; ++i)
    if (contents[i] == '\n')
      lineBegins.push_back(static_cast<uint32_t>(i + 1));
}

Position Source::position(uint32_t offset) const {
  const auto after = std::upper_bound(lineBegins.begin(), lineBegins.end(), offset);
  const auto begin = after - 1;
  return {static_cast<uint32_t>(after - lineBegins.begin()), offset - *begin + 1};
}

std::string_view Source::line(uint32_t number) const {
  if (number == 0 || number > lineBegins.size())
    return {};
  const uint32_t begin = lineBegins[number - 1];
  std::string_view line = text().substr(begin);
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}

} // namespace flexsn
