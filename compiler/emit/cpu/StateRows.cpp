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
  for (auto [name, type, row] : llvm::zip_equal(names, kernel.stateTypes(), frame.layout.stateRows))
    states.push_back({storageOf(type), frame.row(row), vectorOf(type, frame.width), frame.find(Role::Initial, name)});
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
  auto branch = scf::IfOp::create(builder, location, TypeRange(state.type), shared, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Memory one(builder, location, Place::Operand);
  Value value = one.load(operand.data, operand.storage());
  scf::YieldOp::create(builder, location, splat(builder, location, value, frame.width));
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, location, frame.load(operand, row, index, mask));
  return branch.getResult(0);
}

/// What `init` gives each state of the vector at `index`.
FailureOr<SmallVector<Value>> StateRows::declaredValues(Value index) {
  scan::KernelOp kernel = frame.kernel;
  if (!kernel.hasSites())
    return frame.declared;
  IRMapping values = frame.uniforms;
  sites.mapArguments(index, kernel.getInit(), values);
  if (failed(cloneOntoVectors(frame.builder, kernel.getInit().front(), frame.width, values)))
    return failure();
  return llvm::map_to_vector(kernel.yieldOf(kernel.getInit()).getValues(),
                             [&](Value value) { return values.lookup(value); });
}

LogicalResult StateRows::start(Value first) {
  SmallVector<Value> initials;
  for (State &state : states)
    initials.push_back(state.initial ? frame.rowOf(*state.initial, first) : Value());
  return loops.forEachVector([&](Value index, Value mask) {
    FailureOr<SmallVector<Value>> declared = declaredValues(index);
    if (failed(declared))
      return failure();
    for (auto [number, state, row, own] : llvm::enumerate(states, initials, *declared))
      store(number, index, state.initial ? loadInitial(state, row, index, mask) : own);
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
