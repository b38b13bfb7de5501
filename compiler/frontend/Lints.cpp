#include "compiler/frontend/Lints.h"

#include "compiler/frontend/Functions.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

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
  std::unordered_set<const Value *> values;
  walkModel(model, [&](const Expr &expr) {
    if (expr.op == Op::Read || expr.op == Op::Prev || expr.op == Op::Delay)
      values.insert(expr.value);
  });
  Names read;
  for (const Value *value : values)
    if (value->kind != Value::Kind::Bound)
      read.insert(value->name);
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
      walk(*ode.rate->operands[0], [&](const Expr &expr) { decays = decays || (expr.op == Op::Read && expr.value == ode.state); });
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
        if (!early && expr.op == Op::Read && expr.value->kind == Value::Kind::Assigned && solved.contains(expr.value->name))
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

// ---- Gradients ----

/// What the gradient does not pass, in words; empty for what it does.
std::string_view barrier(const Expr &expr) {
  switch (expr.op) {
  case Op::Less:
  case Op::LessEqual:
  case Op::Greater:
  case Op::GreaterEqual:
  case Op::Equal:
  case Op::NotEqual:
    return "a comparison, where spike(x) has a surrogate gradient";
  case Op::FloorDivide:
    return "'//', which has no gradient";
  case Op::Detach:
    return "detach";
  case Op::Cast:
    return expr.type == Type::Float ? "" : "an int, which has no gradient";
  case Op::Call:
    if (expr.function->types == FunctionTypes::Rounding || expr.function->id == Function::Sign)
      return "a rounding function, which has no gradient";
    return {};
  default:
    return {};
  }
}

/// Which names the gradient of the outputs reaches, backwards through the step and from step to step.
class GradientReach {
public:
  explicit GradientReach(const Model &model) : model(model) {
    for (const Statement &statement : model.statements) {
      if (statement.target)
        made[statement.target] = statement.value;
      for (const Ode &ode : statement.system)
        made[ode.result] = ode.rate;
      for (const Ode &ode : statement.system)
        solvedFrom[ode.result] = ode.state;
    }
    for (const Output &output : model.outputs)
      reach(*output.value);
    while (!open.empty()) {
      const Value *value = open.back();
      open.pop_back();
      follow(*value);
    }
  }

  bool reaches(const Value &value) const { return reached.contains(&value); }
  /// The first barrier on a way to `value`, in the order of the walk.
  const Expr *barrierBefore(const Value &value) const {
    for (const Expr *expr : barriers)
      if (depends(*expr, value))
        return expr;
    return nullptr;
  }

private:
  void reach(const Value &value) {
    if (reached.insert(&value).second)
      open.push_back(&value);
  }

  void follow(const Value &value) {
    if (value.kind == Value::Kind::State)
      for (const State &state : model.states)
        if (state.value == &value) {
          reach(*state.next);
          visit(*state.initial);
        }
    if (auto expr = made.find(&value); expr != made.end())
      visit(*expr->second);
    if (auto state = solvedFrom.find(&value); state != solvedFrom.end())
      reach(*state->second);
  }

  void visit(const Expr &expr) {
    if (!barrier(expr).empty()) {
      barriers.push_back(&expr);
      return;
    }
    if (expr.value && expr.op != Op::Let)
      reach(*expr.value);
    for (size_t i = expr.op == Op::Select ? 1 : 0; i < expr.operands.size(); ++i)
      visit(*expr.operands[i]);
    if (expr.op == Op::Select)
      visitCondition(*expr.operands[0]);
  }

  /// A selection by a comparison is no mistake as such; but it is where the gradient of its names ends.
  void visitCondition(const Expr &expr) {
    if (!barrier(expr).empty()) {
      barriers.push_back(&expr);
      return;
    }
    for (const Expr *operand : expr.operands)
      visitCondition(*operand);
    if (expr.op != Op::Read || !conditions.insert(expr.value).second)
      return;
    if (auto named = made.find(expr.value); named != made.end())
      visitCondition(*named->second);
  }

  /// Whether a value enters an expression at all, gradient or not.
  bool depends(const Expr &expr, const Value &wanted) const {
    std::unordered_set<const Value *> seen;
    std::vector<const Expr *> todo = {&expr};
    while (!todo.empty()) {
      const Expr *at = todo.back();
      todo.pop_back();
      todo.insert(todo.end(), at->operands.begin(), at->operands.end());
      if (!at->value || at->op == Op::Let || !seen.insert(at->value).second)
        continue;
      if (at->value == &wanted)
        return true;
      enqueue(*at->value, todo);
    }
    return false;
  }

  void enqueue(const Value &value, std::vector<const Expr *> &todo) const {
    if (auto expr = made.find(&value); expr != made.end())
      todo.push_back(expr->second);
    for (const State &state : model.states) {
      if (state.value != &value)
        continue;
      todo.push_back(state.initial);
      if (auto expr = made.find(state.next); expr != made.end())
        todo.push_back(expr->second);
    }
  }

  const Model &model;
  std::unordered_map<const Value *, const Expr *> made;
  std::unordered_map<const Value *, const Value *> solvedFrom;
  std::unordered_set<const Value *> reached;
  std::vector<const Value *> open;
  std::unordered_set<const Value *> conditions;
  std::vector<const Expr *> barriers;
};

void lintGradients(const Model &model, Diagnostics &diagnostics) {
  for (const Statement &statement : model.statements) {
    const Expr *value = statement.value;
    const bool cuts = value && value->op == Op::Cast && value->type == Type::Int;
    if (cuts && (value->operands[0]->op == Op::Quant ||
                 (value->operands[0]->op == Op::Read && value->operands[0]->value->whole)))
      diagnostics.report(diag::LintLostQuantGradient, statement.span, statement.target->name);
  }
  const bool learns = std::any_of(model.params.begin(), model.params.end(), [](const Param &p) { return p.learnable; });
  if (!learns || model.outputs.empty())
    return;
  GradientReach gradients(model);
  for (const Param &param : model.params) {
    if (!param.learnable || gradients.reaches(*param.value))
      continue;
    if (const Expr *end = gradients.barrierBefore(*param.value))
      diagnostics.report(diag::LintLostGradient, param.value->span, param.value->name, barrier(*end)).label =
          Label{end->span, "the gradient ends here"};
  }
}
} // namespace

void lint(const Model &model, Diagnostics &diagnostics) {
  lintUnused(model, diagnostics);
  lintTimeConstants(model, diagnostics);
  lintSplitSystems(model, diagnostics);
  lintGradients(model, diagnostics);
}

} // namespace flexsn
