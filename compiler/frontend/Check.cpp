// The checker's order of work: names, declarations, the step, the end of the step, lints.
#include "compiler/frontend/Check.h"

#include "compiler/frontend/Lints.h"

#include <algorithm>

namespace flexsn {

void reportUnusableOptions(const syntax::File &file, const CheckOptions &options, Diagnostics &diagnostics);

namespace checking {

using syntax::StatementKind;

ModelChecker::ModelChecker(std::shared_ptr<const Source> source, const syntax::Model &tree, const FileScope &file,
                           const CheckOptions &options, Diagnostics &diagnostics, const Shapes &assumed)
    : source(std::move(source)), tree(tree), file(file), options(options), diagnostics(diagnostics), assumed(assumed) {}

std::shared_ptr<Model> ModelChecker::run() {
  model->name = tree.name.text;
  model->source = source;
  model->span = tree.span;
  failed = std::any_of(tree.statements.begin(), tree.statements.end(),
                       [](const syntax::Statement &statement) { return statement.kind == StatementKind::Error; });
  declareNames();
  for (const syntax::Statement &statement : tree.statements)
    elaborate(statement);
  initialValues();
  for (const syntax::Statement &statement : tree.statements) {
    if (statement.kind == StatementKind::Surrogate)
      defaultSurrogate(statement);
    else if (statement.kind == StatementKind::Method)
      method(statement);
    else if (statement.kind == StatementKind::Truncate)
      truncate(statement);
  }
  if (!options.surrogate.empty())
    surrogateOption();
  checkSteps();
  const bool solves =
      std::any_of(tree.statements.begin(), tree.statements.end(), [](const syntax::Statement &statement) {
        return statement.kind == StatementKind::Ode || statement.kind == StatementKind::Error;
      });
  if (methodLine && !solves)
    diagnostics.report(diag::LintUnusedMethod, methodLine->span);
  for (const syntax::Statement &statement : tree.statements)
    if (statement.kind == StatementKind::Refractory)
      refractory(statement);
  finishOutputs();
  finishStates();
  finishHistory();
  checkUnused(definitionOrder);
  return model;
}

/// Definitions of the file are verified once, on behalf of no model.
void ModelChecker::checkFileDefinitions() {
  for (const std::string &name : file.order)
    if (const syntax::Statement &statement = *file.definitions.at(name).statement;
        statement.kind == StatementKind::Define)
      checkParameters(statement);
  checkUnused(file.order);
}

/// Whether prev or delay stand before a name whose type only its last assignment tells.
static bool looksBack(const std::vector<syntax::Statement> &statements) {
  std::vector<const syntax::Expr *> open;
  for (const syntax::Statement &statement : statements)
    if (statement.value)
      open.push_back(statement.value.get());
  while (!open.empty()) {
    const syntax::Expr &expr = *open.back();
    open.pop_back();
    if (expr.kind == syntax::ExprKind::Call && (expr.name.text == "prev" || expr.name.text == "delay"))
      return true;
    for (const syntax::ExprPtr &operand : expr.operands)
      open.push_back(operand.get());
    for (const syntax::Argument &argument : expr.arguments)
      open.push_back(argument.value.get());
  }
  return false;
}

namespace {
/// Checks the models of one file.
class FileChecker {
public:
  FileChecker(std::shared_ptr<const Source> source, const syntax::File &file, const CheckOptions &options,
              Diagnostics &diagnostics)
      : source(std::move(source)), file(file), options(options), diagnostics(diagnostics) {}

  std::vector<std::shared_ptr<const Model>> run() {
    for (const Diagnostic &found : diagnostics.sorted())
      if (found.severity == Severity::Error)
        syntaxErrors.push_back(found.span.begin);
    reportUnusableOptions(file, options, diagnostics);
    defineAll();
    std::vector<std::shared_ptr<const Model>> models;
    for (const syntax::Model &tree : file.models) {
      std::shared_ptr<const Model> model = checkOne(tree);
      if (isFirst(tree) && model)
        models.push_back(std::move(model));
    }
    syntax::Model nobody;
    ModelChecker(source, nobody, scope, options, diagnostics, {}).checkFileDefinitions();
    return models;
  }

private:
  /// The parser repairs what it can, so that a tree with an error looks like any other.
  bool hasSyntaxError(const syntax::Model &tree) const {
    auto first = std::lower_bound(syntaxErrors.begin(), syntaxErrors.end(), tree.span.begin);
    return first != syntaxErrors.end() && *first < tree.span.end;
  }

  void defineAll() {
    definitionsLookBack = looksBack(file.definitions);
    for (const syntax::Statement &statement : file.definitions) {
      for (const syntax::Name &name : statement.hold)
        scope.brokenNames.insert(name.text);
      const bool defines = statement.kind == StatementKind::Define || statement.kind == StatementKind::DefineSurrogate;
      if (!defines || statement.name.text.empty())
        continue;
      Definition definition;
      definition.statement = &statement;
      definition.ofFile = true;
      auto [found, fresh] = scope.definitions.emplace(statement.name.text, definition);
      if (fresh)
        scope.order.push_back(statement.name.text);
      else
        diagnostics.report(diag::DuplicateName, statement.name.span, statement.name.text).label =
            Label{found->second.statement->name.span, "the first one stands here"};
    }
  }

  /// Whether no model before has the name; reports it otherwise.
  bool isFirst(const syntax::Model &tree) {
    auto [twin, first] = modelNames.emplace(tree.name.text, tree.name.span);
    if (first || tree.name.text.empty())
      return true;
    diagnostics.report(diag::DuplicateModel, tree.name.span, tree.name.text).label =
        Label{twin->second, "the first one stands here"};
    return false;
  }

  /// What prev(a) yields depends on the last assignment of `a`, which may read prev(a): the model is looked at until
  /// the types agree, in silence, and then once more aloud.
  std::shared_ptr<const Model> checkOne(const syntax::Model &tree) {
    Shapes shapes;
    constexpr int rounds = 16; // of a chain of such names, each round settles one
    const bool waits = definitionsLookBack || looksBack(tree.statements);
    for (int round = 0; round < rounds && waits; ++round) {
      Diagnostics silent(*source);
      ModelChecker checker(source, tree, scope, options, silent, shapes);
      checker.run();
      if (std::exchange(shapes, checker.observed()) == checker.observed())
        break;
    }
    ModelChecker checker(source, tree, scope, options, diagnostics, shapes);
    std::shared_ptr<Model> model = checker.run();
    if (checker.hasFailed() || hasSyntaxError(tree))
      return nullptr;
    lint(*model, diagnostics);
    return model;
  }

  std::shared_ptr<const Source> source;
  const syntax::File &file;
  const CheckOptions &options;
  Diagnostics &diagnostics;
  FileScope scope;
  bool definitionsLookBack = false;
  std::unordered_map<std::string_view, Span> modelNames;
  std::vector<uint32_t> syntaxErrors; ///< where they begin, in order
};
} // namespace
} // namespace checking

std::vector<std::shared_ptr<const Model>> check(const std::shared_ptr<const Source> &source, const syntax::File &file,
                                                const CheckOptions &options, Diagnostics &diagnostics) {
  return checking::FileChecker(source, file, options, diagnostics).run();
}

} // namespace flexsn
