#include "runtime/Log.h"

#include "compiler/frontend/Diagnostics.h"
#include "runtime/Environment.h"

#include <unistd.h>

namespace flexsn {

static constexpr std::string_view labels[] = {"debug", "info", "warning"};

static void writeLine(LogLevel level, std::string_view text) {
  std::string line = fmt::format("flexsn: {}: {}\n", labels[static_cast<size_t>(level)], printable(text));
  [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, line.data(), line.size()); // nobody to tell of a failure
}

/// The lowest level that is written; one above Warn: none.
static unsigned threshold() {
  static constexpr std::string_view names[] = {"debug", "info", "warn", "off"};
  const std::string &wanted = Environment::ofProcess().log;
  for (unsigned i = 0; i < std::size(names); ++i)
    if (wanted == names[i])
      return i;
  if (!wanted.empty())
    writeLine(LogLevel::Warn,
              fmt::format("FLEXSN_LOG is '{}', but it is debug, info, warn or off; taken for warn", wanted));
  return static_cast<unsigned>(LogLevel::Warn);
}

bool logs(LogLevel level) {
  static const unsigned lowest = threshold();
  return static_cast<unsigned>(level) >= lowest;
}

void writeLog(LogLevel level, std::string_view text) {
  if (logs(level))
    writeLine(level, text);
}

} // namespace flexsn
