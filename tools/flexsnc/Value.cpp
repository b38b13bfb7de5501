#include "tools/flexsnc/Value.h"

#include "tools/flexsnc/Failure.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace flexsn::cli {

/// The magnitude of a number without its sign. from_chars alone would take words such as "infinity" and "nan(1)" too.
static std::optional<double> magnitude(std::string_view text, bool &outOfRange) {
  if (text == "inf")
    return std::numeric_limits<double>::infinity();
  if (text == "nan")
    return std::numeric_limits<double>::quiet_NaN();
  if (text.empty() || (text[0] != '.' && (text[0] < '0' || text[0] > '9')))
    return std::nullopt;
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size())
    return std::nullopt;
  outOfRange = error == std::errc::result_out_of_range;
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

std::optional<Value> parseValue(std::string_view text, const std::string &what) {
  text = trimmed(text);
  if (text == "true" || text == "false")
    return Value{text == "true" ? 1.0 : 0.0, true};
  bool negative = text.starts_with('-'), outOfRange = false;
  std::optional<double> value = magnitude(text.substr(negative || text.starts_with('+') ? 1 : 0), outOfRange);
  if (outOfRange)
    failUsage(fmt::format("'{}': {} is out of a float64's range", what, printable(text)));
  return value ? std::optional(Value{negative ? -*value : *value}) : std::nullopt;
}

} // namespace flexsn::cli
