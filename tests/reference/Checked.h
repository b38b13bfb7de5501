// Text to checked models, for tests.
#pragma once

#include "compiler/frontend/Frontend.h"

#include <memory>
#include <string>
#include <vector>

namespace flexsn::reference {

struct Checked {
  std::vector<std::shared_ptr<const Model>> models;
  std::string errors; ///< every error as the user would see it; empty if the text is good
};

Checked checkText(const std::string &text, const CheckOptions &options = {});

} // namespace flexsn::reference
