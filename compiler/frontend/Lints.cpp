#include "compiler/frontend/Lints.h"

#include <algorithm>
#include <set>

namespace flexsn {

namespace {
using Names = std::set<std::string, std::less<>>;

/// Every node of an expression, each before its operands.
template <class F> void walk(const Expr &expr, const F &visit) {
  visit(expr);
  for (const Expr *operand : expr.operands)
    walk(*operand, visit);
}

template <class F> void walkModel(const Model &model, const F &visit) {
  for (const State &state : model.states)
    walk(*state.initial, visit);
  for (const Statement &statement : model.statements) {
    if (statement.value)
      walk(*statement.value, visit);
    for (const Ode &ode : statement.system)
      walk(*ode.rate, visit);
  }
  for (const Refractory &refractory : model.refractory)
    walk(*refractory.steps, visit);
}

// ---- Names that nobody reads or writes ----

void lintUnused(const Model &model, Diagnostics &diagnostics) {
  Names read;
  walkModel(model, [&](const Expr &expr) {
    bool reads = expr.op == Op::Read || expr.op == Op::Prev || expr.op == Op::Delay;
    if (reads && expr.value->kind != Value::Kind::Bound)
      read.insert(expr.value->name);
  });
  for (const Output &output : model.outputs)
    read.insert(output.name);
  bool solves = std::any_of(model.statements.begin(), model.statements.end(),
                            [](const Statement &statement) { return !statement.system.empty(); });
  for (const Input &input : model.inputs)
    if (!read.contains(input.value->name))
      diagnostics.report(diag::LintUnusedInput, input.value->span, input.value->name);
  for (const Param &param : model.params)
    if (!read.contains(param.value->name) && !(param.isDt && solves))
      diagnostics.report(diag::LintUnusedParam, param.value->span, param.value->name);
  for (const State &state : model.states)
    if (state.next == state.value)
      diagnostics.report(diag::LintUnwrittenState, state.value->span, state.value->name);
}

// ---- Differential equations ----

/// The value of a divisor that is a parameter or a constant, at its default.
std::optional<double> timeConstant(const Model &model, const Expr &expr) {
  if (expr.op == Op::Constant)
    return expr.number;
  if (expr.op != Op::Read)
    return std::nullopt;
  for (const Param &param : model.params)
    if (param.value == expr.value)
      return param.defaultValue;
  return std::nullopt;
}

/// dv/dt = (... v ...) / tau with tau below the step: 1 - dt/tau changes sign, so an explicit step overshoots.
void lintTimeConstants(const Model &model, Diagnostics &diagnostics) {
  auto dt = std::find_if(model.params.begin(), model.params.end(), [](const Param &param) { return param.isDt; });
  if (dt == model.params.end())
    return;
  for (const Statement &statement : model.statements)
    for (const Ode &ode : statement.system) {
      if (ode.method == Method::Exact || ode.method == Method::ExpEuler || ode.rate->op != Op::Divide)
        continue;
      const Expr &divisor = *ode.rate->operands[1];
      std::optional<double> tau = timeConstant(model, divisor);
      bool decays = false;
      walk(*ode.rate->operands[0],
           [&](const Expr &expr) { decays = decays || (expr.op == Op::Read && expr.value == ode.state); });
      const double step = dt->defaultValue / ode.substeps;
      if (tau && decays && *tau > 0 && *tau < step)
        diagnostics.report(diag::LintTauBelowDt, divisor.span, model.source->text(divisor.span), *tau, step);
    }
}

/// An equation that reads a state of an earlier system although only an assignment keeps it from being solved with it.
void lintSplitSystems(const Model &model, Diagnostics &diagnostics) {
  Names solved;
  const Statement *between = nullptr;
  for (const Statement &statement : model.statements) {
    if (statement.system.empty()) {
      if (!solved.empty() && !between)
        between = &statement;
      continue;
    }
    for (const Ode &ode : statement.system) {
      const Value *early = nullptr;
      walk(*ode.rate, [&](const Expr &expr) {
        if (!early && expr.op == Op::Read && expr.value->kind == Value::Kind::Assigned &&
            solved.contains(expr.value->name))
          early = expr.value;
      });
      if (early && between)
        diagnostics.report(diag::LintSplitOde, ode.span, ode.state->name, early->name,
                           model.source->position(between->span.begin).line);
    }
    for (const Ode &ode : statement.system)
      solved.insert(ode.state->name);
    between = nullptr;
  }
}
} // namespace

const std::vector<LintInfo> &lintInfos() {
  static const std::vector<LintInfo> infos = {
      {"tau-below-dt", "a time constant is shorter than an explicit solver's step"},
      {"unwritten-state", "a state that no statement assigns"},
      {"lost-gradient", "no gradient reaches a learnable parameter, or an int state stores none"},
      {"unused-input", "an input that nothing reads"},
      {"unused-param", "a parameter that nothing reads"},
      {"split-ode", "an assignment between equations parts a system that was meant as one"},
      {"unused-method", "a method line in a model without differential equations"},
      {"unknown-lint", "a '# flexsn: allow' comment that silences nothing"},
  };
  return infos;
}

void lint(const Model &model, Diagnostics &diagnostics) {
  lintUnused(model, diagnostics);
  lintTimeConstants(model, diagnostics);
  lintSplitSystems(model, diagnostics);
  lintGradients(model, diagnostics);
}

} // namespace flexsn
