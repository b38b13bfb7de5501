#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace flexsn::cli {

/// Edit distance ("optimal string alignment") in halves: letters put in, left out or changed cost 2, and a swap of two
/// neighbours 1, so that of "LI" and "LIF" the second is nearer to "LFI"; another case costs nothing.
static size_t editDistance(std::string_view a, std::string_view b) {
  auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  };
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    last[j] = 2 * j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = 2 * i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 2, row[j - 1] + 2, last[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 2)});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::optional<std::string> nearestName(std::string_view word, const std::vector<std::string> &candidates) {
  if (word.empty() || word.size() > 64)
    return std::nullopt;
  std::optional<std::string> best;
  size_t bestDistance = 2 * std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string &candidate : candidates) {
    size_t distance = editDistance(word, candidate);
    if (distance < bestDistance && distance < 2 * candidate.size()) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string didYouMean(std::string_view word, const std::vector<std::string> &candidates) {
  std::optional<std::string> name = nearestName(word, candidates);
  return name ? fmt::format("; did you mean '{}'?", *name) : "";
}

bool looksLikeName(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

std::string enumerate(const std::vector<std::string> &items, std::string_view conjunction) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0)
      text += i + 1 == items.size() ? fmt::format(" {} ", conjunction) : ", ";
    text += items[i];
  }
  return text;
}

std::string wrapped(std::string_view text, size_t at, size_t indent, size_t width) {
  std::string lines;
  size_t column = at;
  bool lineStart = true;
  for (size_t i = 0; i < text.size();) {
    size_t end = std::min(text.find(' ', i), text.size());
    std::string_view word = text.substr(i, end - i);
    i = end + 1;
    if (!lineStart && column + 1 + word.size() > width) {
      lines += '\n';
      lines.append(indent, ' ');
      column = indent;
      lineStart = true;
    }
    if (!lineStart) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
    lineStart = false;
  }
  return lines;
}

std::string grouped(uint64_t count) {
  std::string digits = fmt::format("{}", count);
  for (size_t i = digits.size(); i > 3; i -= 3)
    digits.insert(i - 3, ",");
  return digits;
}

std::string counted(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

std::string shapeText(const std::vector<int64_t> &shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

std::string durationText(double seconds) {
  if (seconds < 1e-3)
    return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1)
    return fmt::format("{:.1f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::string bytesText(uint64_t bytes) {
  static constexpr const char *units[] = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1000)
    return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  for (; value >= 1000 && unit + 1 < std::size(units); ++unit)
    value /= 1024;
  return fmt::format("{:.1f} {}", value, units[unit]);
}

/// Length of the UTF-8 sequence that `text` begins with; 0 if it begins with none, or with a C1 control character.
static size_t utf8Length(std::string_view text) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  unsigned lead = byte(0);
  size_t length = lead >= 0xf0 && lead <= 0xf4  ? 4
                  : lead >= 0xe0 && lead < 0xf0 ? 3
                  : lead >= 0xc2 && lead < 0xe0 ? 2
                                                : 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  bool overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
  bool outside = (lead == 0xed && byte(1) >= 0xa0) || (lead == 0xf4 && byte(1) >= 0x90);
  bool control = lead == 0xc2 && byte(1) < 0xa0;
  return overlong || outside || control ? 0 : length;
}

std::string printable(std::string_view text) {
  std::string safe;
  for (size_t i = 0; i < text.size();) {
    auto byte = static_cast<unsigned char>(text[i]);
    size_t length = byte >= 0x20 && byte < 0x7f ? 1 : utf8Length(text.substr(i));
    if (length == 0) {
      safe += fmt::format("\\x{:02x}", byte);
      ++i;
    } else {
      safe += text.substr(i, length);
      i += length;
    }
  }
  return safe;
}

std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::vector<std::string> splitList(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  if (trimmed(text).empty())
    return pieces;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(separator, begin), text.size());
    pieces.emplace_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return pieces;
}

std::optional<int64_t> parseInteger(std::string_view text) {
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::optional<double> parseNumber(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-')
    text.remove_prefix(1);
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

} // namespace flexsn::cli
