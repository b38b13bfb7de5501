// What there is: models, surrogates, functions, lints, stages, and facts about this library and machine.
#pragma once

#include "runtime/Error.h"

#include <string>
#include <vector>

namespace flexsn {

/// One entry of flexsn_list_get, owning its strings.
struct ListEntry {
  std::string name, usage, summary, detail;
};

/// The entries of a flexsn_list_kind, made at first use and kept for ever; null if there is no such kind. Thread-safe.
const std::vector<ListEntry> *listOf(int32_t kind);

} // namespace flexsn
