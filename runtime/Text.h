// A parsed text and its checked models, as the C interface's flexsn_file holds them.
#pragma once

#include "compiler/frontend/Frontend.h"
#include "runtime/Error.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace flexsn {

/// Immutable; may be used by several threads at once.
class Text {
public:
  /// Parses and checks everything. Throws a Failure with all findings if one is an error.
  static std::shared_ptr<const Text> parse(std::string_view text, std::string name, LintOptions lints);

  const std::vector<std::shared_ptr<const Model>> &models() const { return checked; }
  const std::vector<Finding> &warnings() const { return found; }
  /// The model of that name, or the only one for null; throws with the names there are.
  const std::shared_ptr<const Model> &model(const char *name) const;

  /// A model checked again under options that change its text. `warnings` receives what the options bring to light.
  /// Throws a Failure with the findings if one is an error.
  std::shared_ptr<const Model> checkUnder(const CheckOptions &options, const std::string &name,
                                          std::vector<Finding> &warnings) const;

private:
  std::shared_ptr<const Source> source;
  LintOptions lints;
  std::vector<std::shared_ptr<const Model>> checked;
  std::vector<Finding> found;
};

/// Throws for a name that is no lint.
void requireLint(std::string_view name);

} // namespace flexsn
