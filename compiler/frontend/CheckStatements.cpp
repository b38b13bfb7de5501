// The step: its order, its assignments, and what goes into a name of which type (docs/language.md, rules 1 to 3).
#include "compiler/frontend/Check.h"

#include <algorithm>
#include <cmath>

namespace flexsn::checking {

using syntax::StatementKind;

void ModelChecker::checkSteps() {
  std::vector<const syntax::Statement *> group;
  const auto endGroup = [&] {
    if (!group.empty())
      odeGroup(group);
    group.clear();
  };
  for (const syntax::Statement &statement : tree.statements) {
    if (statement.kind == StatementKind::Section) {
      endGroup();
      const std::string &label = statement.name.text;
      section = label == "charge" ? flexsn::Section::Charge
                : label == "fire" ? flexsn::Section::Fire
                                  : flexsn::Section::Reset;
      model->hasReset = model->hasReset || section == flexsn::Section::Reset;
    } else if (statement.kind == StatementKind::Ode) {
      group.push_back(&statement);
    } else if (statement.kind == StatementKind::Assign) {
      endGroup();
      assign(statement);
    }
  }
  endGroup();
  section = flexsn::Section::None;
}

void ModelChecker::assign(const syntax::Statement &statement) {
  Typed value = check(*statement.value);
  Symbol *symbol = symbolOf(statement.name.text);
  if (!symbol) // a definition has the name, or it could not be read
    return;
  if (!assignable(statement.name, *symbol))
    return;
  if (statement.augmented != syntax::Operator::None)
    value = augmented(statement, *symbol, value);
  value = toDeclared(value, *symbol, statement.name);
  if (!value) {
    failed = true;
    symbol->poisoned = true;
    return;
  }
  flexsn::Statement result;
  result.section = section;
  result.span = statement.span;
  result.value = value.expr;
  Value &target = newVersion(statement.name.text, *symbol, *value.expr, statement.name.span);
  noteMeaning(target, *value.expr);
  result.target = &target;
  model->statements.push_back(std::move(result));
}

bool ModelChecker::assignable(const syntax::Name &name, const Symbol &symbol) {
  if (symbol.kind != Symbol::Kind::Param && symbol.kind != Symbol::Kind::Const)
    return true;
  report(diag::AssignedParameter, name.span, name.text, describe(symbol)).label =
      Label{symbol.span, "it is declared here"};
  return false;
}

/// `v += x` is `v = v + x`.
Typed ModelChecker::augmented(const syntax::Statement &statement, Symbol &symbol, Typed value) {
  using syntax::Operator;
  const Op op = statement.augmented == Operator::Add        ? Op::Add
                : statement.augmented == Operator::Subtract ? Op::Subtract
                : statement.augmented == Operator::Multiply ? Op::Multiply
                                                            : Op::Divide;
  Typed old = readSymbol(statement.name, symbol);
  return arithmetic(op, old, value, statement.span, statement.span);
}

/// What an assignment stores: the value as the declared type and lanes of its name.
Typed ModelChecker::toDeclared(Typed value, Symbol &symbol, const syntax::Name &name) {
  if (!value)
    return {};
  if (!symbol.type || *symbol.type == Type::Float)
    value = symbol.type ? real(value) : closed(value);
  else if (*symbol.type == Type::Int)
    value = intoInt(value, symbol, name);
  else if (value->type != Type::Bool) {
    reportNoBool(value, name.text);
    return {};
  }
  if (!value || !symbol.lanes || value->lanes == *symbol.lanes)
    return value;
  if (value->lanes != 1) {
    report(diag::VectorIntoScalar, value->span, value->lanes, name.text, *symbol.lanes);
    return {};
  }
  return {widen(value.expr, *symbol.lanes)};
}

/// Through what leaves a value as it is and changes its gradient alone.
static const Expr &behindGradients(const Expr &expr) {
  const Expr *inner = &expr;
  while (inner->op == Op::Detach || inner->op == Op::ScaleGradient)
    inner = inner->operands[0];
  return *inner;
}

static bool isWhole(const Expr &expr) {
  const Expr &inner = behindGradients(expr);
  return inner.op == Op::Quant || (inner.op == Op::Read && inner.value->whole);
}

static bool isRounded(const Expr &expr) {
  const Expr &inner = behindGradients(expr);
  return inner.op == Op::Call && inner.function->types == FunctionTypes::Rounding;
}

/// quant keeps the compute type and its gradient in the step; a state is stored, so there it becomes an int.
Typed ModelChecker::intoInt(Typed value, const Symbol &symbol, const syntax::Name &name) {
  if (value.open || value->type != Type::Float)
    return convert(value, Type::Int, value->span);
  const bool whole = isWhole(*value.expr);
  if (whole && symbol.kind != Symbol::Kind::State)
    return value;
  const bool wholeConstant = value->op == Op::Constant && value->number == std::trunc(value->number); // floor(2.5)
  if (wholeConstant && !intFits(value->number, value->span))
    return {};
  if (whole || isRounded(*value.expr) || wholeConstant)
    return convert(value, Type::Int, value->span);
  report(diag::FloatIntoInt, value->span, name.text);
  return {};
}

static bool firesSpikes(const Expr &expr) {
  return expr.op == Op::Spike || expr.op == Op::Surrogate || expr.op == Op::Quant || expr.op == Op::Bernoulli ||
         (expr.op == Op::Read && expr.value->spikes);
}

Value &ModelChecker::newVersion(const std::string &name, Symbol &symbol, const Expr &expr, Span span) {
  Value &value = addValue(Value::Kind::Assigned, name, span);
  value.version = ++symbol.versions;
  value.type = expr.type;
  value.lanes = expr.lanes;
  symbol.current = &value;
  return value;
}

/// What an assigned name is besides its type: a copy of a spike, a whole number, a value that no step changes.
void ModelChecker::noteMeaning(Value &value, const Expr &expr) {
  value.whole = value.type == Type::Float && isWhole(expr);
  value.spikes = firesSpikes(expr);
  if (isInvariant(expr))
    invariantValues.insert(&value);
  const Expr &inner = behindGradients(expr);
  const bool fires = inner.op == Op::Spike || inner.op == Op::Surrogate;
  if (fires && std::find(spikeOrder.begin(), spikeOrder.end(), value.name) == spikeOrder.end())
    spikeOrder.push_back(value.name);
}

/// Cuts the gradient of the states every so many steps (rule 5).
void ModelChecker::truncate(const syntax::Statement &statement) {
  if (model->truncate) {
    report(diag::DuplicateLine, statement.keyword, "truncate");
    return;
  }
  std::optional<double> number = constantNumber(*statement.value, "the number of steps of truncate");
  constexpr unsigned most = 1u << 30;
  if (number && wholeInside(*number, "the number of steps of truncate", 1, most, statement.value->span))
    model->truncate = static_cast<unsigned>(*number);
}

} // namespace flexsn::checking
