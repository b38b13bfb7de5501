#include "compiler/import/OdeImport.h"

#include "compiler/frontend/Frontend.h"
#include "compiler/import/Locations.h"
#include "dialects/Neuron/Neuron.h"

#include "llvm/ADT/DenseSet.h"

#include <algorithm>

using namespace mlir;

namespace flexsn {

/// Calls `visit` for each value that `expr` reads; its height is limited by the checker.
template <class Visit> static void forEachRead(const Expr &expr, Visit &&visit) {
  if (expr.op == Op::Read)
    visit(expr.value);
  for (const Expr *operand : expr.operands)
    forEachRead(*operand, visit);
}

OdeImport::OdeImport(const Model &model, ExprImport &expressions, OpBuilder &builder)
    : model(model), expressions(expressions), builder(builder) {
  auto silenced = [&](const Value &value) {
    return llvm::any_of(model.refractory, [&](const Refractory &entry) { return entry.spike == value.name; });
  };
  for (auto [index, statement] : llvm::enumerate(model.statements))
    if (statement.target && !silenced(*statement.target))
      definedBy[statement.target] = index;
}

/// The assignments that the rates read, directly or through others, in text order.
std::vector<size_t> OdeImport::statementsBehind(const std::vector<Ode> &system) {
  llvm::DenseSet<size_t> seen;
  std::vector<size_t> found;
  auto need = [&](const Value *value) {
    ++visited;
    if (auto at = definedBy.find(value); at != definedBy.end() && seen.insert(at->second).second)
      found.push_back(at->second);
  };
  for (const Ode &equation : system)
    forEachRead(*equation.rate, need);
  for (size_t next = 0; next < found.size() && visited <= Limits::expressions; ++next)
    forEachRead(*model.statements[found[next]].value, need);
  std::sort(found.begin(), found.end());
  return found;
}

/// Those of `behind` whose value follows from what the states hold when the group begins.
llvm::SmallVector<size_t> OdeImport::dependent(const std::vector<Ode> &system, const std::vector<size_t> &behind) {
  llvm::DenseSet<const Value *> moving;
  for (const Ode &equation : system)
    moving.insert(equation.state);
  llvm::SmallVector<size_t> found;
  for (size_t index : behind) {
    bool moves = false;
    forEachRead(*model.statements[index].value, [&](const Value *value) { moves |= moving.contains(value); });
    if (!moves)
      continue;
    moving.insert(model.statements[index].target);
    found.push_back(index);
  }
  return found;
}

void OdeImport::fillRegion(Region &region, const std::vector<Ode> &system, llvm::ArrayRef<size_t> repeated) {
  OpBuilder::InsertionGuard guard(builder);
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::Location> locations;
  llvm::SmallVector<std::pair<const Value *, mlir::Value>> outside;
  auto rebind = [&](const Value *value, mlir::Value inside) {
    outside.emplace_back(value, expressions.lookup(value));
    expressions.bind(value, inside);
  };
  for (const Ode &equation : system) {
    types.push_back(expressions.typeOf(Type::Float, equation.state->lanes));
    locations.push_back(expressions.namedLocation(*equation.state, equation.span));
  }
  Block *block = builder.createBlock(&region, {}, types, locations);
  for (auto [equation, argument] : llvm::zip_equal(system, block->getArguments()))
    rebind(equation.state, argument);
  for (size_t index : repeated) {
    const Statement &statement = model.statements[index];
    rebind(statement.target, expressions.emit(*statement.value));
  }
  llvm::SmallVector<mlir::Value> rates;
  for (const Ode &equation : system)
    rates.push_back(expressions.emit(*equation.rate));
  neuron::YieldOp::create(builder, locations.front(), rates);
  for (auto [value, before] : outside)
    expressions.bind(value, before);
}

bool OdeImport::emit(size_t index) {
  const std::vector<Ode> &system = model.statements[index].system;
  std::vector<size_t> behind = statementsBehind(system);
  if (visited > Limits::expressions)
    return false;
  auto isDt = [](const Param &param) { return param.isDt; };
  auto dt = std::find_if(model.params.begin(), model.params.end(), isDt);
  llvm::SmallVector<mlir::Value> states;
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<int32_t> methods, substeps;
  for (const Ode &equation : system) {
    states.push_back(expressions.lookup(equation.state));
    types.push_back(states.back().getType());
    methods.push_back(static_cast<int32_t>(equation.method));
    substeps.push_back(static_cast<int32_t>(equation.substeps));
  }
  mlir::Location location = expressions.locationAt(model.statements[index].span);
  auto op = neuron::OdeOp::create(builder, location, types, expressions.lookup(dt->value), states, methods, substeps);
  fillRegion(op.getRates(), system, dependent(system, behind));
  for (auto [equation, result] : llvm::zip_equal(system, op.getNext()))
    expressions.bind(equation.result, result);
  return true;
}

} // namespace flexsn
