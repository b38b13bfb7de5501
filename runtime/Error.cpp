#include "runtime/Error.h"

#include <new>

namespace flexsn {

static Finding finding(const Diagnostic &diagnostic, const Source &source) {
  Finding result;
  result.file = source.name();
  result.name = diagnostic.lint;
  result.message = printable(diagnostic.message);
  result.rendered = render(diagnostic, source);
  result.colored = render(diagnostic, source, /*color=*/true);
  result.severity = diagnostic.severity;
  result.begin = source.position(diagnostic.span.begin);
  result.end = source.position(diagnostic.span.end);
  if (diagnostic.fix) {
    result.fix = diagnostic.fix->replacement;
    result.fixBegin = source.position(diagnostic.fix->span.begin);
    result.fixEnd = source.position(diagnostic.fix->span.end);
  }
  return result;
}

std::vector<Finding> findings(const Diagnostics &diagnostics) {
  std::vector<Finding> all;
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    all.push_back(finding(diagnostic, diagnostics.source()));
  return all;
}

void failModel(std::vector<Finding> findings) {
  std::string message;
  for (const Finding &found : findings)
    message += found.rendered;
  throw Failure{FLEXSN_ERROR_MODEL, std::move(message), std::move(findings)};
}

void failUnknown(std::string_view owner, std::string_view kind, std::string_view kinds, std::string_view name,
                 const std::vector<std::string> &known) {
  std::string message = fmt::format("{} has no {} '{}'; ", owner, kind, excerpt(name));
  if (known.empty())
    message += fmt::format("it has no {}", kinds);
  else if (known.size() == 1)
    message += fmt::format("its only {} is {}", kind, known.front());
  else
    message += fmt::format("its {} are {}", kinds, fmt::join(known, ", "));
  if (std::optional<std::string> meant = nearest(name, known))
    message += fmt::format("; did you mean '{}'?", *meant);
  throw Failure{FLEXSN_ERROR_VALUE, printable(message)};
}

LastCall &LastCall::ofThisThread() {
  thread_local LastCall last;
  return last;
}

void LastCall::clear() {
  words.clear();
  fixedWords = nullptr;
  diagnostics.clear();
}

flexsn_status LastCall::setFromException(const char *call) noexcept {
  clear();
  try {
    try {
      throw;
    } catch (Failure &failure) {
      words = std::move(failure.message);
      diagnostics = std::move(failure.findings);
      return failure.code;
    } catch (const std::bad_alloc &) {
      *fmt::format_to_n(noMemory, sizeof noMemory - 1, "out of memory in {}", call).out = '\0';
      fixedWords = noMemory;
      return FLEXSN_ERROR_MEMORY;
    } catch (const std::exception &error) {
      words = fmt::format("internal error: {}; please report it", error.what());
    }
  } catch (...) {
    fixedWords = "internal error: an unknown exception; please report it";
  }
  return FLEXSN_ERROR_INTERNAL;
}

} // namespace flexsn
