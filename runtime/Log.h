// What the library says by itself: one line an event to standard error, as FLEXSN_LOG=debug|info|warn|off allows.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <utility>

namespace flexsn {

enum class LogLevel : uint8_t { Debug, Info, Warn };

/// Whether lines of this level are written; `warn` and above unless FLEXSN_LOG says otherwise.
bool logs(LogLevel level);

/// Writes "flexsn: warning: TEXT" in one piece, so that lines of several processes do not mix. Control bytes become
/// \xNN. Never fails. Thread-safe.
void writeLog(LogLevel level, std::string_view text);

template <class... Args> void log(LogLevel level, fmt::format_string<Args...> format, Args &&...args) {
  if (logs(level))
    writeLog(level, fmt::format(format, std::forward<Args>(args)...));
}

} // namespace flexsn
