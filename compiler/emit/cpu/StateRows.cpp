#include "compiler/emit/cpu/StateRows.h"

#include "compiler/emit/cpu/Vectorize.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

namespace flexsn::cpu {

using namespace mlir;
using mlir::Value; // the front end has values too
using scan::Role;

void StateRows::bind() {
  scan::KernelOp kernel = frame.kernel;
  auto names = kernel.getStates().getAsValueRange<StringAttr>();
  for (auto [name, type, declared, row] :
       llvm::zip_equal(names, kernel.stateTypes(), frame.declared, frame.layout.stateRows))
    states.push_back({storageOf(type), frame.row(row), declared, frame.find(Role::Initial, name)});
}

/// A scalar (stride 0) stands for all neurons; else one element a neuron.
Value StateRows::loadInitial(const State &state, Value row, Value index, Value mask) {
  const Operand &operand = *state.initial;
  if (frame.isStrided()) // a scalar has the same place for every neuron
    return frame.load(operand, row, index, mask);
  OpBuilder &builder = frame.builder;
  Location location = frame.location;
  Value shared = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq, operand.elementStride,
                                       frame.scalars.longConstant(0));
  auto branch = scf::IfOp::create(builder, location, TypeRange(state.declared.getType()), shared,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Memory one(builder, location, Place::Operand);
  Value value = one.load(operand.data, operand.storage());
  scf::YieldOp::create(builder, location, splat(builder, location, value, frame.width));
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, location, frame.load(operand, row, index, mask));
  return branch.getResult(0);
}

LogicalResult StateRows::start(Value first) {
  SmallVector<Value> initials;
  for (State &state : states)
    initials.push_back(state.initial ? frame.rowOf(*state.initial, first) : Value());
  return loops.forEachVector([&](Value index, Value mask) {
    for (auto [number, state, row] : llvm::enumerate(states, initials))
      store(number, index, state.initial ? loadInitial(state, row, index, mask) : state.declared);
    return success();
  });
}

Value StateRows::load(size_t state, Value index) {
  const State &at = states[state];
  return frame.rows.load(frame.rows.element(at.row, index, at.storage), at.storage);
}

void StateRows::store(size_t state, Value index, Value value) {
  const State &at = states[state];
  frame.rows.store(value, frame.rows.element(at.row, index, at.storage), at.storage);
}

void StateRows::mapArguments(Value index, IRMapping &values) {
  for (auto [number, argument] : llvm::enumerate(frame.kernel.stepStates()))
    if (!argument.use_empty())
      values.map(argument, load(number, index));
}

void StateRows::storeResults(Value index, const IRMapping &values) {
  ValueRange results = frame.kernel.yieldOf(frame.kernel.getStep()).getValues();
  for (size_t number = 0; number < states.size(); ++number)
    store(number, index, values.lookup(results[number]));
}

} // namespace flexsn::cpu
