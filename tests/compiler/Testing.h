// What the tests of the compiler share: a checked model from a text, and the words of findings.
#pragma once

#include "compiler/Compile.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace flexsn::testing {

/// The first model of `text`, which must be free of errors.
inline std::shared_ptr<const Model> checked(const std::string &text, const CheckOptions &options = {}) {
  auto source = std::make_shared<const Source>("test.fsn", text);
  Diagnostics diagnostics(*source);
  syntax::File file = parse(*source, diagnostics);
  std::vector<std::shared_ptr<const Model>> models = check(source, file, options, diagnostics);
  for (const Diagnostic &found : diagnostics.sorted())
    if (found.severity == Severity::Error)
      ADD_FAILURE() << render(found, *source);
  if (models.empty())
    throw std::runtime_error("the test's model does not check");
  return models.front();
}

/// `LINE:COLUMN: message` of each error.
inline std::vector<std::string> errors(const Diagnostics &diagnostics) {
  std::vector<std::string> words;
  for (const Diagnostic &found : diagnostics.sorted()) {
    if (found.severity != Severity::Error)
      continue;
    Position at = diagnostics.source().position(found.span.begin);
    words.push_back(fmt::format("{}:{}: {}", at.line, at.column, found.message));
  }
  return words;
}

inline constexpr const char *lif = R"(neuron LIF:
  input x
  state v = v_reset
  param tau = 2.0, v_th = 1.0, v_reset = 0.0
  h = v + (x - (v - v_reset)) / tau
  s = spike(h - v_th)
  v = h * (1 - s) + v_reset * s
  output s
)";

/// The request for the model's spikes `s`.
inline Request spikes() {
  Request request;
  request.outputs = {"s"};
  return request;
}

} // namespace flexsn::testing
