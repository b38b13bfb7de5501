// -Wlost-gradient: where the gradient of a learnable parameter ends on every way to an output.
#include "compiler/frontend/Functions.h"
#include "compiler/frontend/Lints.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace flexsn {

namespace {
/// What the gradient does not pass, in words; empty for what it does.
std::string_view barrier(const Expr &expr) {
  switch (expr.op) {
  case Op::Less:
  case Op::LessEqual:
  case Op::Greater:
  case Op::GreaterEqual:
  case Op::Equal:
  case Op::NotEqual: return "a comparison, where spike(x) has a surrogate gradient";
  case Op::FloorDivide: return "'//', which has no gradient";
  case Op::Detach: return "detach";
  case Op::Cast: return expr.type == Type::Float ? "" : "an int, which has no gradient";
  case Op::Call:
    if (expr.function->types == FunctionTypes::Rounding || expr.function->id == Function::Sign)
      return "a rounding function, which has no gradient";
    return {};
  default: return {};
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

/// An int state that takes a quant: the whole number is kept, its gradient is not.
void lintWholeStates(const Model &model, Diagnostics &diagnostics) {
  for (const Statement &statement : model.statements) {
    const Expr *value = statement.value;
    const bool cuts = value && value->op == Op::Cast && value->type == Type::Int;
    if (cuts && (value->operands[0]->op == Op::Quant ||
                 (value->operands[0]->op == Op::Read && value->operands[0]->value->whole)))
      diagnostics.report(diag::LintLostQuantGradient, statement.span, statement.target->name);
  }
}
} // namespace

void lintGradients(const Model &model, Diagnostics &diagnostics) {
  lintWholeStates(model, diagnostics);
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

} // namespace flexsn
