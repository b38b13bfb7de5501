// A value of a model on the command line: what stands behind NAME= of --set, --const and --state.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace flexsn::cli {

struct Value {
  double number;      ///< true is 1, false 0
  bool truth = false; ///< written as `true` or `false`
};

/// Reads a number in Python's decimal form, `inf` or `nan`, each with a sign or without, `true` or `false`. Blanks at
/// both ends do not count. Nothing for any other text. A number that no float64 is near is a usage error, which
/// begins with `what` ("--set tau").
std::optional<Value> parseValue(std::string_view text, const std::string &what);

} // namespace flexsn::cli
