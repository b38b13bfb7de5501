// Warnings about a model that is right but hardly meant: -Wtau-below-dt and its siblings.
#pragma once

#include "compiler/frontend/Diagnostics.h"
#include "compiler/frontend/Model.h"

namespace flexsn {

/// What a lint of lintNames() is about, for lists.
struct LintInfo {
  std::string_view name, summary;
};
const std::vector<LintInfo> &lintInfos();

/// Reports every lint of a checked model.
void lint(const Model &model, Diagnostics &diagnostics);

/// Those about gradients (LintsGradient.cpp); part of lint().
void lintGradients(const Model &model, Diagnostics &diagnostics);

} // namespace flexsn
