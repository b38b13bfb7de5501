// Every model of the collection with one token deleted, doubled or swapped with its neighbour: no crash, and where that
// is an error, the first message stands on a line of the changed statements.
#include "compiler/frontend/Lexer.h"
#include "tests/diagnostics/Expectations.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

using namespace flexsn;

namespace {
struct Mutant {
  std::string text, what;
  std::set<uint32_t> lines; ///< of the statements that were changed
};

/// A model of the collection, alone.
struct ModelText {
  std::string name, text;
};
} // namespace

static std::vector<ModelText> collection() {
  std::ifstream stream(FLEXSN_SOURCE_DIR "/tests/data/zoo.fsn");
  std::vector<ModelText> models;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("neuron "))
      models.push_back({line.substr(7, line.find(':') - 7), ""});
    if (!models.empty())
      models.back().text += line + "\n";
  }
  return models;
}

static std::string_view textOf(const std::string &model, const Token &token) {
  return std::string_view(model).substr(token.span.begin, token.span.end - token.span.begin);
}

/// The three mutants at a token; `next` is the one behind it, if there is one.
static std::vector<Mutant> mutantsAt(const std::string &model, const Token &token, const Token *next,
                                     const Source &source) {
  const std::string before = model.substr(0, token.span.begin), after = model.substr(token.span.end);
  const std::string word(textOf(model, token));
  const uint32_t line = source.position(token.span.begin).line;
  std::vector<Mutant> mutants = {{before + after, "without '" + word + "'", {line}},
                                 {before + word + " " + word + after, "with two '" + word + "'", {line}}};
  if (next) {
    const std::string between = model.substr(token.span.end, next->span.begin - token.span.end);
    const std::string other(textOf(model, *next));
    mutants.push_back({before + other + between + word + model.substr(next->span.end),
                       "with '" + word + "' and '" + other + "' swapped",
                       {line, source.position(next->span.begin).line}});
  }
  return mutants;
}

/// A declaration without its word is an assignment, and right as such: what cannot be one is the line that needs a
/// state, a parameter or a number of lanes.
static bool isExcused(const Mutant &mutant, const Diagnostic &first) {
  const bool lostWord = mutant.what == "without 'state'" || mutant.what == "without 'const'" ||
                        mutant.what == "without 'param'" || mutant.what == "with ';' and 'param' swapped";
  const bool needsIt = first.id == DiagnosticId::NotReadableHere || first.id == DiagnosticId::OdeNotState ||
                       first.id == DiagnosticId::UnknownDim;
  return lostWord && needsIt;
}

/// What the errors of one mutant are.
struct Outcome {
  const Mutant &mutant;
  const Source &changed;
  const std::vector<Diagnostic> &errors;
};

/// Checks every mutant of every model.
template <class Visit> static void forEachMutant(Visit visit) {
  for (const ModelText &model : collection()) {
    const Source source(model.name, model.text);
    Diagnostics none(source);
    std::vector<Token> tokens = lex(source, none);
    std::erase_if(tokens, [](const Token &t) { return t.kind == TokenKind::Newline || t.kind == TokenKind::End; });
    for (size_t i = 0; i < tokens.size(); ++i) {
      const Token *next = i + 1 < tokens.size() ? &tokens[i + 1] : nullptr;
      for (const Mutant &mutant : mutantsAt(model.text, tokens[i], next, source)) {
        const auto changed = std::make_shared<const Source>(model.name, mutant.text);
        std::vector<Diagnostic> errors = test::findings(changed, {}, {});
        std::erase_if(errors, [](const Diagnostic &d) { return d.severity != Severity::Error; });
        visit(Outcome{mutant, *changed, errors});
      }
    }
  }
}

static std::string written(const Outcome &outcome) {
  std::string text = outcome.changed.name() + " " + outcome.mutant.what + "\n";
  for (const Diagnostic &error : outcome.errors)
    text += render(error, outcome.changed);
  return text;
}

TEST(Mutation, FirstMessageStandsOnTheChangedLine) {
  size_t mutants = 0, wrong = 0, excused = 0;
  forEachMutant([&](const Outcome &outcome) {
    ++mutants;
    if (outcome.errors.empty())
      return;
    ++wrong;
    const Diagnostic &first = outcome.errors.front();
    if (outcome.mutant.lines.contains(outcome.changed.position(first.span.begin).line))
      return;
    if (isExcused(outcome.mutant, first))
      ++excused;
    else
      ADD_FAILURE() << "on line " << *outcome.mutant.lines.begin() << ": " << written(outcome);
  });
  EXPECT_GT(mutants, 5'000u);
  EXPECT_GT(wrong, mutants / 2);
  EXPECT_LT(excused, 20u);
  RecordProperty("mutants", static_cast<int>(mutants));
  RecordProperty("errors", static_cast<int>(wrong));
  RecordProperty("excused", static_cast<int>(excused));
}

/// Swapped words of two lines are two mistakes, and where words have grown together (`xoutput`) nothing tells the
/// parts: the rest is what there is to gain.
TEST(Mutation, OneMistakeGivesOneError) {
  constexpr size_t most = 160, shown = 20;
  size_t cascades = 0;
  std::string first;
  forEachMutant([&](const Outcome &outcome) {
    if (outcome.errors.size() > 1 && ++cascades <= shown)
      first += written(outcome);
  });
  EXPECT_LE(cascades, most) << "mutants with more than one error; the first of them:\n" << first;
  RecordProperty("cascades", static_cast<int>(cascades));
}
