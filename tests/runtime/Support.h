// What the runtime's tests share.
#pragma once

#include "compiler/frontend/Frontend.h"
#include "runtime/Error.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace flexsn::test {

/// The Failure that `body` throws; a test failure if it throws none.
template <class Body> Failure failureOf(Body body) {
  try {
    body();
  } catch (const Failure &failure) {
    return failure;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {FLEXSN_OK, "nothing was thrown"};
}

template <class Body> std::string messageOf(Body body) { return failureOf(body).message; }

/// The only model of a text without errors.
inline std::shared_ptr<const Model> modelOf(const std::string &text) {
  auto source = std::make_shared<const Source>("test.fsn", text);
  Diagnostics diagnostics(*source);
  syntax::File file = parse(*source, diagnostics);
  std::vector<std::shared_ptr<const Model>> models = check(source, file, {}, diagnostics);
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    if (diagnostic.severity == Severity::Error)
      ADD_FAILURE() << render(diagnostic, *source);
  EXPECT_EQ(models.size(), 1u);
  return models.at(0);
}

} // namespace flexsn::test
