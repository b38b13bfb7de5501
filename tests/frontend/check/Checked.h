// One model from a text, for tests of what the checker makes of it.
#pragma once

#include "compiler/frontend/Frontend.h"
#include "compiler/frontend/Functions.h"
#include "compiler/frontend/Surrogates.h"

#include <gtest/gtest.h>

namespace flexsn::test {

/// Every model of a text without errors; a finding of any kind fails the test.
inline std::vector<std::shared_ptr<const Model>> checkAll(const std::string &text, const CheckOptions &options = {},
                                                          const LintOptions &lints = {}) {
  auto source = std::make_shared<const Source>("test.fsn", text);
  Diagnostics diagnostics(*source, lints);
  syntax::File file = parse(*source, diagnostics);
  auto models = check(source, file, options, diagnostics);
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    ADD_FAILURE() << render(diagnostic, *source);
  return models;
}

/// The one model whose body is `lines`; lints are off, for texts that show one thing alone.
inline std::shared_ptr<const Model> checkBody(const std::string &lines, const CheckOptions &options = {}) {
  LintOptions quiet;
  quiet.disabled.insert(lintNames().begin(), lintNames().end());
  const auto models = checkAll("neuron N:\n" + lines + "\n", options, quiet);
  return models.size() == 1 ? models.front() : std::make_shared<const Model>();
}

/// The expression assigned to `name` last.
inline const Expr &assigned(const Model &model, std::string_view name) {
  for (auto statement = model.statements.rbegin(); statement != model.statements.rend(); ++statement)
    if (statement->target && statement->target->name == name)
      return *statement->value;
  ADD_FAILURE() << "nothing is assigned to " << name;
  static const Expr none{};
  return none;
}

} // namespace flexsn::test
