#include "runtime/Text.h"

#include <algorithm>

namespace flexsn {

std::shared_ptr<const Text> Text::parse(std::string_view text, std::string name, LintOptions lints) {
  auto result = std::make_shared<Text>();
  // A text beyond the limit is refused unread: a size that is a caller's mistake has no such memory behind it.
  bool tooLarge = text.size() > Limits::fileBytes;
  result->source = std::make_shared<const Source>(std::move(name), std::string(tooLarge ? "" : text));
  result->lints = lints;
  Diagnostics diagnostics(*result->source, std::move(lints));
  if (tooLarge) {
    diagnostics.report(diag::FileTooLarge, Span{0, 0}, Limits::fileBytes);
    failModel(findings(diagnostics));
  }
  syntax::File file = flexsn::parse(*result->source, diagnostics);
  result->checked = check(result->source, file, {}, diagnostics);
  result->found = findings(diagnostics);
  if (diagnostics.hasErrors())
    failModel(std::move(result->found));
  return result;
}

const std::shared_ptr<const Model> &Text::model(const char *name) const {
  if (!name && checked.size() == 1)
    return checked.front();
  std::vector<std::string> names;
  for (const std::shared_ptr<const Model> &model : checked) {
    if (name && model->name == name)
      return model;
    names.push_back(model->name);
  }
  if (names.empty())
    fail(FLEXSN_ERROR_VALUE, "{} holds no model", printable(source->name()));
  if (!name)
    fail(FLEXSN_ERROR_VALUE, "{} holds {} models: {}; name the one to take", printable(source->name()), names.size(),
         fmt::join(names, ", "));
  failUnknown(printable(source->name()), "model", "models", name, names);
}

std::shared_ptr<const Model> Text::checkUnder(const CheckOptions &options, const std::string &name,
                                              std::vector<Finding> &warnings) const {
  Diagnostics diagnostics(*source, lints);
  syntax::File file = flexsn::parse(*source, diagnostics);
  // The options are meant for this model: what it cannot use is an error even if a neighbour could.
  std::erase_if(file.models, [&](const syntax::Model &other) { return other.name.text != name; });
  std::vector<std::shared_ptr<const Model>> models = check(source, file, options, diagnostics);
  std::vector<Finding> all = findings(diagnostics);
  if (diagnostics.hasErrors())
    failModel(std::move(all));
  if (models.size() != 1)
    fail(FLEXSN_ERROR_INTERNAL, "{} is not one model under its options", name);
  for (Finding &finding : all)
    if (std::none_of(found.begin(), found.end(), [&](const Finding &old) { return old.rendered == finding.rendered; }))
      warnings.push_back(std::move(finding));
  return models.front();
}

void requireLint(std::string_view name) {
  const std::vector<std::string_view> &known = lintNames();
  if (std::find(known.begin(), known.end(), name) == known.end())
    failUnknown("flexsn", "lint", "lints", name, std::vector<std::string>(known.begin(), known.end()));
}

} // namespace flexsn
