#include "compiler/frontend/Diagnostics.h"

#include "compiler/frontend/Frontend.h"
#include "compiler/frontend/Names.h"

#include <algorithm>
#include <tuple>

namespace flexsn {

// A format that does not fit its argument types stops the build here.
#define FLEXSN_DIAGNOSTIC(id, severity, lint, format, ...)                                                             \
  static_assert((fmt::format_string<__VA_ARGS__>(format), true), #id);
#include "compiler/frontend/Diagnostics.def"

static constexpr std::string_view lintOfEachKind[] = {
#define FLEXSN_DIAGNOSTIC(id, severity, lint, format, ...) lint,
#include "compiler/frontend/Diagnostics.def"
};

const std::vector<std::string_view> &lintNames() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (std::string_view lint : lintOfEachKind)
      if (!lint.empty() && std::find(all.begin(), all.end(), lint) == all.end())
        all.push_back(lint);
    return all;
  }();
  return names;
}

static std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  return begin == text.npos ? std::string_view() : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::optional<std::vector<std::string_view>> allowedLints(std::string_view line) {
  constexpr std::string_view project = "flexsn:", verb = "allow";
  const size_t hash = line.find('#'); // no token holds a '#', so the first one begins the comment
  if (hash == line.npos)
    return std::nullopt;
  std::string_view rest = trimmed(line.substr(hash + 1));
  if (!rest.starts_with(project))
    return std::nullopt;
  rest = trimmed(rest.substr(project.size()));
  std::vector<std::string_view> names;
  const bool allows =
      rest.starts_with(verb) && (rest.size() == verb.size() || rest.find_first_of(" \t") == verb.size());
  if (!allows)
    return names;
  for (rest = trimmed(rest.substr(verb.size())); !rest.empty();) {
    const size_t comma = rest.find(',');
    names.push_back(trimmed(rest.substr(0, comma)));
    rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
  }
  return names;
}

bool Diagnostics::silenced(std::string_view lint, Span span) const {
  if (lint.empty())
    return false;
  if (lints.disabled.contains(lint))
    return true;
  const auto allowed = allowedLints(text.line(text.position(span.begin).line));
  return allowed && std::find(allowed->begin(), allowed->end(), lint) != allowed->end();
}

Diagnostic &Diagnostics::add(DiagnosticId id, Severity severity, std::string_view lint, Span span,
                             std::string message) {
  dropped = {};
  if (silenced(lint, span))
    return dropped;
  if (!lint.empty() && (lints.allErrors || lints.errors.contains(lint)))
    severity = Severity::Error;
  // Later passes share one kind, so that only their words tell two findings apart.
  const std::string words = id == DiagnosticId::LaterPass ? message : std::string();
  if (!seen.emplace(id, span.begin, span.end, words).second)
    return dropped;
  if (severity == Severity::Error && errorCount++ >= Limits::errors) {
    if (errorCount > Limits::errors + 1)
      return dropped;
    id = DiagnosticId::TooManyErrors;
    message = diag::TooManyErrors.format;
    lint = {};
  }
  found.push_back(std::make_unique<Diagnostic>());
  *found.back() = {id, severity, lint, span, printable(message), std::nullopt, std::nullopt};
  return id == DiagnosticId::TooManyErrors ? dropped : *found.back();
}

Diagnostic &Diagnostics::report(Severity severity, Span span, std::string message) {
  return add(DiagnosticId::LaterPass, severity, {}, span, std::move(message));
}

bool Diagnostics::full() const { return errorCount > Limits::errors; }

std::vector<Diagnostic> Diagnostics::sorted() const {
  // By position; findings at one place keep the order in which they were made.
  std::vector<std::tuple<bool, uint32_t, uint32_t, size_t>> order;
  for (size_t i = 0; i < found.size(); ++i)
    order.emplace_back(found[i]->id == DiagnosticId::TooManyErrors, found[i]->span.begin, found[i]->span.end, i);
  std::sort(order.begin(), order.end());
  std::vector<Diagnostic> result;
  for (const auto &place : order)
    result.push_back(*found[std::get<size_t>(place)]);
  return result;
}

/// Restricted Damerau-Levenshtein distance: insert, remove, replace, swap neighbours.
static size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string> &candidates) {
  constexpr size_t longest = 64; // nobody misspells a longer word, and the distance costs the product of the lengths
  if (word.size() > longest)
    return std::nullopt;
  const std::string lower = lowered(word);
  const size_t tolerance = word.size() < 3 ? 1 : (word.size() + 1) / 3;
  std::optional<std::string> best;
  size_t bestDistance = tolerance + 1;
  for (const std::string &candidate : candidates) {
    if (candidate.size() > longest || candidate == word)
      continue;
    // Case is the most frequent slip: it counts as less than any other. A word of one letter has no letter in common
    // with its replacement, so only its case can be a slip.
    const size_t distance = editDistance(lower, lowered(candidate));
    if (distance < bestDistance && (distance == 0 || std::max(word.size(), candidate.size()) > 2)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

} // namespace flexsn
