#include "tests/reference/Checked.h"

namespace flexsn::reference {

Checked checkText(const std::string &text, const CheckOptions &options) {
  Checked result;
  auto source = std::make_shared<Source>("model.fsn", text);
  Diagnostics diagnostics(*source);
  result.models = check(source, parse(*source, diagnostics), options, diagnostics);
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    if (diagnostic.severity == Severity::Error)
      result.errors += render(diagnostic, *source);
  return result;
}

} // namespace flexsn::reference
