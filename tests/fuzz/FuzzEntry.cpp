#include "tests/fuzz/FuzzEntry.h"

#include "compiler/frontend/Frontend.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace flexsn::test {

namespace {
struct Run {
  std::vector<std::shared_ptr<const Model>> models;
  std::string findings;
  bool hasErrors = false;
};
} // namespace

static Run run(std::string text) {
  const auto source = std::make_shared<const Source>("fuzz.fsn", std::move(text));
  Diagnostics diagnostics(*source);
  const syntax::File file = parse(*source, diagnostics);
  Run result;
  result.models = check(source, file, {}, diagnostics);
  result.hasErrors = diagnostics.hasErrors();
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    result.findings += render(diagnostic, *source, true);
  return result;
}

/// Whether the text of a model has words that the language lacks: an argument of a `def` that is used more than once.
static bool printsBindings(const Model &model) {
  return std::any_of(model.expressions.begin(), model.expressions.end(),
                     [](const Expr &expr) { return expr.op == Op::Let; });
}

[[noreturn]] static void complain(const char *what, const std::string &printed, const std::string &again) {
  std::fprintf(stderr, "%s\n---- printed\n%s\n---- again\n%s\n", what, printed.c_str(), again.c_str());
  std::abort();
}

void fuzzFrontend(const uint8_t *data, size_t size) {
  const Run first = run(std::string(reinterpret_cast<const char *>(data), size));
  for (const auto &model : first.models) {
    const std::string printed = print(*model);
    print(*model, /*keyOnly=*/true);
    for (const Statement &statement : model->statements)
      print(statement);
    if (printsBindings(*model))
      continue;
    const Run second = run(printed);
    if (second.hasErrors || second.models.size() != 1)
      complain("a printed model has errors", printed, second.findings);
    if (const std::string again = print(*second.models.front()); again != printed)
      complain("a printed model prints differently", printed, again);
  }
}

} // namespace flexsn::test
