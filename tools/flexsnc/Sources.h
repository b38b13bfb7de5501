// Built-in inputs: `poisson(rate=0.3, T=100, N=64, seed=1)` in place of a file.
#pragma once

#include "tools/flexsnc/Array.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flexsn::cli {

/// True if `text` is written as a source, `name(...)`, not as the name of a file.
bool isSource(std::string_view text);

/// The array [T, N] of a source, in double precision. T and N left out of the text are taken from the arguments.
/// Failures of what was typed are usage errors that name the source, the argument and what it may be.
Array makeSource(std::string_view text, std::optional<int64_t> steps, std::optional<int64_t> neurons);

/// What `--help` says of the sources: name with its arguments and defaults, meaning.
struct SourceHelp {
  std::string usage;
  std::string meaning;
};
std::vector<SourceHelp> sourceHelp();

} // namespace flexsn::cli
