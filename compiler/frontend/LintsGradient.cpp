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
  explicit GradientReach(const Model &model) {
    for (const Statement &statement : model.statements) {
      if (statement.target)
        made[statement.target] = statement.value;
      for (const Ode &ode : statement.system)
        made[ode.result] = ode.rate;
      for (const Ode &ode : statement.system)
        solvedFrom[ode.result] = ode.state;
    }
    for (const State &state : model.states)
      states[state.value] = &state;
    for (const Output &output : model.outputs)
      reach(*output.value);
    while (!open.empty() || !openConditions.empty()) { // names may refer to names as far as the text is long
      std::vector<const Value *> &next = open.empty() ? openConditions : open;
      const Value *value = next.back();
      next.pop_back();
      if (&next == &open)
        follow(*value);
      else if (auto named = made.find(value); named != made.end())
        visitCondition(*named->second);
    }
    for (const Expr *expr : barriers)
      spread(*expr);
  }

  bool reaches(const Value &value) const { return reached.contains(&value); }
  /// The first barrier on a way to `value`, in the order of the walk.
  const Expr *barrierBefore(const Value &value) const {
    auto end = ends.find(&value);
    return end == ends.end() ? nullptr : end->second;
  }

private:
  void reach(const Value &value) {
    if (reached.insert(&value).second)
      open.push_back(&value);
  }

  void follow(const Value &value) {
    if (auto state = states.find(&value); state != states.end()) {
      reach(*state->second->next);
      visit(*state->second->initial);
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
    if (expr.op == Op::Read && conditions.insert(expr.value).second)
      openConditions.push_back(expr.value);
  }

  /// Notes `barrier` as the end of the gradient of every value that enters it, directly or by way of others, and has no
  /// end yet: each value is seen once, however many barriers there are.
  void spread(const Expr &barrier) {
    std::vector<const Expr *> todo = {&barrier};
    while (!todo.empty()) {
      const Expr *at = todo.back();
      todo.pop_back();
      todo.insert(todo.end(), at->operands.begin(), at->operands.end());
      if (!at->value || at->op == Op::Let || !ends.emplace(at->value, &barrier).second)
        continue;
      if (auto expr = made.find(at->value); expr != made.end())
        todo.push_back(expr->second);
      if (auto state = states.find(at->value); state != states.end()) {
        todo.push_back(state->second->initial);
        if (auto next = made.find(state->second->next); next != made.end())
          todo.push_back(next->second);
      }
    }
  }

  std::unordered_map<const Value *, const Expr *> made;
  std::unordered_map<const Value *, const State *> states;
  std::unordered_map<const Value *, const Expr *> ends;
  std::unordered_map<const Value *, const Value *> solvedFrom;
  std::unordered_set<const Value *> reached;
  std::vector<const Value *> open, openConditions;
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
