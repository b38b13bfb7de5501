#include "compiler/frontend/SurrogateFormulas.h"

#include "compiler/frontend/Frontend.h"

#include "llvm/Support/ErrorHandling.h"

#include <map>
#include <mutex>
#include <utility>

namespace flexsn {

/// The terms of a series, each a call of the `def` named `term`: i is a literal there, and what is made of literals
/// alone is folded.
static std::string sumOf(std::string_view term, const std::string &formals, unsigned count) {
  std::string sum;
  for (unsigned i = 1; i < count; ++i)
    sum += fmt::format("{}{}({}, {})", i == 1 ? "" : " + ", term, formals, i);
  return count > 1 ? fmt::format("({})", sum) : "0"; // without a term, the sum is empty
}

/// A text that defines the surrogate as a user would, who has `def` for the terms of a series. An entry's formulas are
/// no more than the language can say, and no second reader of formulas is needed.
static std::string textOf(const SurrogateInfo &surrogate, unsigned count) {
  std::string formals = "x";
  for (const SurrogateParameter &parameter : surrogate.parameters)
    formals += fmt::format(", {}", parameter.name);
  std::string terms, parts;
  const auto add = [&](std::string_view part, const FormulaText &text) {
    const std::string term = fmt::format("{}_term", part.substr(0, part.find(' ')));
    if (!text.term.empty())
      terms += fmt::format("  def {}({}, i) = {}\n", term, formals, text.term);
    if (!text.formula.empty())
      parts += fmt::format(", {} = {}", part, text.with(sumOf(term, formals, count)));
  };
  add("grad x", surrogate.gradient);
  add("primitive", surrogate.primitive);
  return fmt::format("neuron Surrogate:\n  input y\n  output y\n{}  surrogate formula({}): value = x >= 0{}\n", terms,
                     formals, parts);
}

/// An error here is one of Surrogates.def, which is part of the compiler: tests make every formula of it.
static SurrogateFormula checkedFormula(const SurrogateInfo &surrogate, unsigned count) {
  const auto source = std::make_shared<const Source>(std::string(surrogate.name), textOf(surrogate, count));
  Diagnostics diagnostics(*source);
  const syntax::File file = parse(*source, diagnostics);
  const std::vector<std::shared_ptr<const Model>> models = check(source, file, {}, diagnostics);
  for (const Diagnostic &found : diagnostics.sorted())
    if (found.severity == Severity::Error)
      llvm::reportFatalInternalError(render(found, *source).c_str());
  const SurrogateDefinition &definition = models.front()->surrogateDefinitions.front();
  SurrogateFormula formula;
  formula.model = models.front();
  formula.x = definition.parameters.front();
  formula.parameters.assign(definition.parameters.begin() + 1, definition.parameters.end());
  formula.gradient = definition.gradients.front().second;
  formula.primitive = definition.primitive;
  return formula;
}

const SurrogateFormula &surrogateFormula(const SurrogateInfo &surrogate, unsigned count) {
  struct Cache {
    std::mutex mutex;
    std::map<std::pair<std::string_view, unsigned>, SurrogateFormula> formulas; // whose entries never move
  };
  static auto *cache = new Cache; // never destroyed: formulas live for ever
  const unsigned terms = surrogate.count() ? count : 0;
  const std::scoped_lock lock(cache->mutex);
  const auto [entry, isNew] = cache->formulas.try_emplace({surrogate.name, terms});
  if (isNew)
    entry->second = checkedFormula(surrogate, terms);
  return entry->second;
}

} // namespace flexsn
