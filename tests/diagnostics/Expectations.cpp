#include "tests/diagnostics/Expectations.h"

#include <algorithm>
#include <charconv>

namespace flexsn::test {

const std::vector<std::string_view> &diagnosticNames() {
  static const std::vector<std::string_view> names = {
#define FLEXSN_DIAGNOSTIC(id, severity, lint, format, ...) #id,
#include "compiler/frontend/Diagnostics.def"
  };
  return names;
}

static std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  return begin == text.npos ? std::string_view() : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// Takes `{{...}}` off the front of `text`. Two closing braces inside a message do not occur in any.
static std::optional<std::string> takeBraces(std::string_view &text) {
  std::string_view rest = trimmed(text);
  const size_t end = rest.find("}}");
  if (!rest.starts_with("{{") || end == rest.npos)
    return std::nullopt;
  text = rest.substr(end + 2);
  return std::string(rest.substr(2, end - 2));
}

/// `@+1` or `@-2` off the front; the line that is meant.
static std::optional<uint32_t> takeLine(std::string_view &text, uint32_t line) {
  if (!text.starts_with("@"))
    return line;
  const bool minus = text.starts_with("@-");
  if (!minus && !text.starts_with("@+"))
    return std::nullopt;
  uint32_t distance = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), distance);
  if (error != std::errc() || (minus && distance >= line))
    return std::nullopt;
  text = text.substr(end - text.data());
  return minus ? line - distance : line + distance;
}

static void readExpectations(std::string_view comment, uint32_t line, TestFile &file) {
  constexpr std::string_view mark = "expected-";
  for (size_t at = comment.find(mark); at != comment.npos; at = comment.find(mark)) {
    std::string_view rest = comment.substr(at + mark.size());
    const bool error = rest.starts_with("error"), warning = rest.starts_with("warning");
    const std::string_view shown = comment.substr(at);
    comment = rest;
    if (!error && !warning) {
      file.malformed.push_back(fmt::format("line {}: neither error nor warning: {}", line, shown));
      continue;
    }
    rest.remove_prefix(error ? 5 : 7);
    const std::optional<uint32_t> target = takeLine(rest, line);
    const std::optional<std::string> message = takeBraces(rest);
    if (!target || !message) {
      file.malformed.push_back(fmt::format("line {}: no line or no {{{{message}}}}: {}", line, shown));
      continue;
    }
    Expectation expectation{error ? Severity::Error : Severity::Warning, *target, *message, takeBraces(rest)};
    file.expectations.push_back(std::move(expectation));
    comment = rest;
  }
}

static std::optional<Dim> dimOf(std::string_view word) {
  if (word == "step")
    return Dim::Step;
  if (word == "channel")
    return Dim::Channel;
  return word == "neuron" ? std::optional(Dim::Neuron) : std::nullopt;
}

static bool readOption(std::string_view option, TestFile &file) {
  const auto after = [&](std::string_view prefix) -> std::optional<std::string_view> {
    return option.starts_with(prefix) ? std::optional(option.substr(prefix.size())) : std::nullopt;
  };
  if (const auto name = after("-Wno-"))
    file.lints.disabled.insert(std::string(*name));
  else if (option == "-Werror")
    file.lints.allErrors = true;
  else if (const auto name = after("-Werror="))
    file.lints.errors.insert(std::string(*name));
  else if (option == "--detach-reset")
    file.check.detachReset = true;
  else if (const auto text = after("--surrogate="))
    file.check.surrogate = *text;
  else if (const auto text = after("--const=")) {
    const size_t equals = text->find('=');
    double value = 0;
    if (equals == text->npos ||
        std::from_chars(text->data() + equals + 1, text->data() + text->size(), value).ec != std::errc())
      return false;
    file.check.constants[std::string(text->substr(0, equals))] = value;
  } else if (const auto text = after("--dims=")) {
    const size_t equals = text->find('=');
    if (equals == text->npos)
      return false;
    std::vector<Dim> &dims = file.check.dims[std::string(text->substr(0, equals))];
    for (std::string_view rest = text->substr(equals + 1); !rest.empty();) {
      const size_t comma = std::min(rest.find(','), rest.size());
      const std::optional<Dim> dim = dimOf(rest.substr(0, comma));
      if (!dim)
        return false;
      dims.push_back(*dim);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  } else {
    return false;
  }
  return true;
}

TestFile readTestFile(const Source &source) {
  constexpr std::string_view options = "# options:";
  TestFile file;
  const uint32_t last = source.position(static_cast<uint32_t>(source.text().size())).line;
  for (uint32_t number = 1; number <= last; ++number) {
    const std::string_view line = source.line(number);
    const size_t hash = line.find('#');
    if (hash == line.npos)
      continue;
    const std::string_view comment = line.substr(hash);
    readExpectations(comment, number, file);
    if (!comment.starts_with(options))
      continue;
    for (std::string_view rest = trimmed(comment.substr(options.size())); !rest.empty();) {
      const size_t space = std::min(rest.find(' '), rest.size());
      if (!readOption(rest.substr(0, space), file))
        file.malformed.push_back(fmt::format("line {}: unknown option {}", number, rest.substr(0, space)));
      rest = trimmed(rest.substr(space));
    }
  }
  return file;
}

static std::string shown(std::string_view kind, uint32_t line, std::string_view message,
                         const std::optional<std::string> &fix) {
  return fmt::format("line {}: {} {{{{{}}}}}{}", line, kind, message, fix ? fmt::format(" {{{{{}}}}}", *fix) : "");
}

std::vector<std::string> compare(const TestFile &file, const Source &source, const std::vector<Diagnostic> &found) {
  std::vector<std::string> complaints = file.malformed;
  std::vector<bool> met(file.expectations.size(), false);
  for (const Diagnostic &diagnostic : found) {
    const uint32_t line = source.position(diagnostic.span.begin).line;
    const std::optional<std::string> fix =
        diagnostic.fix ? std::optional(printable(diagnostic.fix->replacement)) : std::nullopt;
    size_t i = 0;
    for (; i < met.size(); ++i) {
      const Expectation &expected = file.expectations[i];
      if (!met[i] && expected.line == line && expected.severity == diagnostic.severity &&
          expected.message == diagnostic.message && expected.fix == fix)
        break;
    }
    if (i < met.size())
      met[i] = true;
    else
      complaints.push_back("unexpected: " + shown(diagnostic.severity == Severity::Error ? "error" : "warning", line,
                                                  diagnostic.message, fix));
  }
  for (size_t i = 0; i < met.size(); ++i) {
    const Expectation &expected = file.expectations[i];
    if (!met[i])
      complaints.push_back("not found: " + shown(expected.severity == Severity::Error ? "error" : "warning",
                                                 expected.line, expected.message, expected.fix));
  }
  return complaints;
}

std::vector<Diagnostic> findings(std::shared_ptr<const Source> source, const LintOptions &lints,
                                 const CheckOptions &options) {
  Diagnostics diagnostics(*source, lints);
  const syntax::File file = parse(*source, diagnostics);
  check(source, file, options, diagnostics);
  return diagnostics.sorted();
}

} // namespace flexsn::test
