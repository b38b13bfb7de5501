// The kernel: tiles of neurons, walked through time, `width` neurons a vector.
#include "compiler/emit/cpu/KernelBuilder.h"

#include "compiler/emit/cpu/CpuEmitter.h"
#include "compiler/emit/cpu/Strided.h"
#include "compiler/emit/cpu/Vectorize.h"
#include "runtime/KernelAbi.h"

#include <cstddef>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>

namespace flexsn::cpu {

using namespace mlir;
using mlir::Value; // the front end has values too
using scan::Role;
using scan::Storage;

namespace {

/// An operand of CpuCall, with its fields loaded.
struct Operand {
  scan::OperandAttr attribute;
  Value address;                         ///< of its CpuOperand
  Value data, timeStride, elementStride; ///< elementStride: of initial states, linear
  Places places;                         ///< strided
  Storage storage() const { return attribute.getStorage(); }
};

/// A state: its row in the workspace and the operands that it comes from and goes to.
struct State {
  Storage storage;
  Value row;
  Value declared;             ///< what `init` gives, in every lane; null where `initial` is bound
  Operand *initial = nullptr; ///< null where `init` gives the value
  Operand *final = nullptr;   ///< null where nobody asked
};

class KernelBuilder {
public:
  KernelBuilder(OpBuilder &builder, scan::KernelOp kernel, bool halfInstructions)
      : builder(builder), kernel(kernel), location(kernel.getLoc()), tile(kernel.getCpuSchedule().getTile()),
        width(kernel.getCpuSchedule().getWidth()), scalars(builder, location, Place::Workspace),
        rows(builder, location, Place::Workspace, width),
        vectors(builder, location, Place::Operand, width, halfInstructions),
        strided(builder, location, width, halfInstructions) {}

  LogicalResult build();

private:
  /// What runs for one vector: `index` is its first element in the tile, `mask` null or the lanes that exist.
  using VectorBody = llvm::function_ref<LogicalResult(Value index, Value mask)>;

  void loadCall(Value call);
  void loadUniforms(Value slots);
  void bindStates(Value workspace);
  void bindPlaces(Value workspace);

  LogicalResult buildTile(Value first, Value end);
  LogicalResult forEachVector(VectorBody body);
  LogicalResult forEachWholeVector(VectorBody body);
  LogicalResult forRange(Value from, Value to, Value step, llvm::function_ref<LogicalResult(Value)> body);

  LogicalResult start(Value first);
  LogicalResult walkTime(Value first);
  void findAheadRows(Value time, Value first);
  bool isStreaming() { return kernel.getCpuSchedule().isStreaming(); }
  LogicalResult step(Value index, Value mask, ArrayRef<Value> inputRows, ArrayRef<Value> outputRows);
  LogicalResult finish(Value first);
  Value loadInitial(Operand &operand, Value row, Value index, Value mask);

  bool isStrided() { return kernel.getLayout() == scan::Layout::Strided; }
  void findPlaces(Value first);
  Value rowOf(const Operand &operand, Value first, Value time = {});
  Value loadElements(const Operand &operand, Value row, Value index, Value mask);
  void storeElements(Value value, const Operand &operand, Value row, Value index, Value mask);

  OpBuilder &builder;
  scan::KernelOp kernel;
  Location location;
  unsigned tile, width;
  Memory scalars, rows, vectors; ///< of the workspace and the call's structs; of operands that lie dense
  StridedMemory strided;         ///< of operands that do not
  LLVM::LLVMFuncOp placesFunction;
  Value extents; ///< address of CpuCall::extents

  SmallVector<Operand> operands; ///< as CpuCall has them: inputs, initials, outputs, finals
  SmallVector<Operand *> inputs, outputs;
  SmallVector<std::pair<Operand *, Value>> ahead; ///< streaming: inputs that are read, and the rows they come from next
  SmallVector<State> states;
  IRMapping uniforms; ///< params and invariants of `step` to their vectors
  Value begin, end, steps;
  Value fullCount, count, tailMask; ///< of the tile at hand: elements in full vectors, all elements, lanes of the rest
};

} // namespace

// ---- What the call brings -------------------------------------------------------------------------------------------

void KernelBuilder::loadCall(Value call) {
  Value array = scalars.loadPointer(call, offsetof(CpuCall, operands));
  steps = scalars.loadLong(call, offsetof(CpuCall, steps));
  begin = scalars.loadLong(call, offsetof(CpuCall, begin));
  end = scalars.loadLong(call, offsetof(CpuCall, end));
  extents = scalars.offset(call, offsetof(CpuCall, extents));
  for (auto attribute : kernel.getOperandList().getAsRange<scan::OperandAttr>()) {
    if (attribute.getRole() == Role::Param)
      continue;
    auto at = static_cast<int64_t>(operands.size() * sizeof(CpuOperand));
    Operand operand{attribute, scalars.offset(array, at), {}, {}, {}, {}};
    operand.data = scalars.loadPointer(array, at + int64_t{offsetof(CpuOperand, data)});
    if (attribute.getRole() == Role::Input || attribute.getRole() == Role::Output)
      operand.timeStride = scalars.loadLong(array, at + int64_t{offsetof(CpuOperand, timeStride)});
    if (attribute.getRole() == Role::Initial && !isStrided())
      operand.elementStride = scalars.loadLong(array, at + int64_t{offsetof(CpuOperand, elementStride)});
    operands.push_back(operand);
  }
  for (Operand &operand : operands) {
    if (operand.attribute.getRole() == Role::Input)
      inputs.push_back(&operand);
    if (operand.attribute.getRole() == Role::Output)
      outputs.push_back(&operand);
  }
}

/// Params and invariants, from the slots that the prologue wrote: as scalars for `init`, in every lane for `step`.
void KernelBuilder::loadUniforms(Value slots) {
  IRMapping scalarValues;
  Block &init = kernel.getInit().front();
  for (auto [slot, argument] : llvm::enumerate(init.getArguments())) {
    BlockArgument inStep = kernel.getStep().getArgument(static_cast<unsigned>(slot));
    if (argument.use_empty() && inStep.use_empty())
      continue;
    Value address = scalars.offset(slots, 8 * static_cast<int64_t>(slot));
    Value value = scalars.load(address, storageOf(argument.getType()));
    scalarValues.map(argument, value);
    if (!inStep.use_empty())
      uniforms.map(inStep, splat(builder, location, value, width));
  }
  // Declared values depend on params and invariants alone: once for all neurons.
  for (Operation &op : init.without_terminator())
    builder.clone(op, scalarValues);
  for (Value value : kernel.yieldOf(kernel.getInit()).getValues()) {
    Value declared = splat(builder, location, scalarValues.lookup(value), width);
    states.push_back({storageOf(value.getType()), {}, declared});
  }
}

void KernelBuilder::bindStates(Value workspace) {
  KernelLayout layout = layoutOf(kernel);
  for (auto [state, row] : llvm::zip_equal(states, layout.stateRows))
    state.row = scalars.offset(workspace, static_cast<int64_t>(row));
  for (Operand &operand : operands) {
    int index = kernel.stateIndex(operand.attribute.getName());
    if (operand.attribute.getRole() == Role::Initial)
      states[index].initial = &operand;
    if (operand.attribute.getRole() == Role::Final)
      states[index].final = &operand;
  }
}

void KernelBuilder::bindPlaces(Value workspace) {
  if (!isStrided())
    return;
  KernelLayout layout = layoutOf(kernel);
  for (auto [operand, rows] : llvm::zip_equal(operands, layout.placeRows))
    operand.places = {scalars.offset(workspace, static_cast<int64_t>(rows.offsets)),
                      scalars.offset(workspace, static_cast<int64_t>(rows.firsts))};
}

// ---- Operands in memory ---------------------------------------------------------------------------------------------

/// Fills the places of every operand for the tile that begins at neuron `first`.
void KernelBuilder::findPlaces(Value first) {
  for (const Operand &operand : operands) {
    Value item = scalars.longConstant(bytesOf(operand.storage()));
    LLVM::CallOp::create(
        builder, location, placesFunction,
        ValueRange{operand.address, extents, first, count, item, operand.places.offsets, operand.places.firsts});
  }
}

/// What the elements of the tile at `first` are found from, at step `time` (null for states): the first one's address,
/// or of a strided operand that of neuron 0.
Value KernelBuilder::rowOf(const Operand &operand, Value first, Value time) {
  Value row = operand.data;
  if (time)
    row = scalars.offset(row, Value(arith::MulIOp::create(builder, location, time, operand.timeStride)));
  return isStrided() ? row : scalars.element(row, first, operand.storage());
}

Value KernelBuilder::loadElements(const Operand &operand, Value row, Value index, Value mask) {
  Storage storage = operand.storage();
  return isStrided() ? strided.load(row, operand.places, index, storage, mask)
                     : vectors.load(vectors.element(row, index, storage), storage, mask);
}

void KernelBuilder::storeElements(Value value, const Operand &operand, Value row, Value index, Value mask) {
  Storage storage = operand.storage();
  if (isStrided())
    strided.store(value, row, operand.places, index, storage, mask);
  else
    vectors.store(value, vectors.element(row, index, storage), storage, mask);
}

// ---- Loops ----------------------------------------------------------------------------------------------------------

LogicalResult KernelBuilder::forRange(Value from, Value to, Value step, llvm::function_ref<LogicalResult(Value)> body) {
  auto loop = scf::ForOp::create(builder, location, from, to, step);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  return body(loop.getInductionVar());
}

LogicalResult KernelBuilder::forEachWholeVector(VectorBody body) {
  Value none = scalars.longConstant(0), lanes = scalars.longConstant(width);
  if (!isStreaming())
    return forRange(none, fullCount, lanes, [&](Value index) { return body(index, {}); });
  // In turn from each quarter of the tile: memory gives more to who reads in several places at once.
  constexpr int64_t quarters = 4;
  Value upTo = arith::AddIOp::create(builder, location, fullCount, scalars.longConstant(quarters * width - 1));
  Value vectorsEach = arith::DivUIOp::create(builder, location, upTo, scalars.longConstant(quarters * width));
  Value quarter = arith::MulIOp::create(builder, location, vectorsEach, lanes);
  return forRange(none, quarter, lanes, [&](Value from) {
    return forRange(from, fullCount, quarter, [&](Value index) { return body(index, {}); });
  });
}

/// Runs `body` for the tile's whole vectors, then for the ragged one, if any.
LogicalResult KernelBuilder::forEachVector(VectorBody body) {
  if (failed(forEachWholeVector(body)))
    return failure();
  Value ragged = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::slt, fullCount, count);
  auto branch = scf::IfOp::create(builder, location, ragged, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  return body(fullCount, tailMask);
}

LogicalResult KernelBuilder::buildTile(Value first, Value tileEnd) {
  count = arith::SubIOp::create(builder, location, tileEnd, first);
  Value inLanes = arith::AndIOp::create(builder, location, count, scalars.longConstant(width - 1));
  fullCount = arith::SubIOp::create(builder, location, count, inLanes);

  // The ragged vector's lanes: lane number below what is left.
  SmallVector<int32_t> lanes(width);
  std::iota(lanes.begin(), lanes.end(), 0);
  VectorType type = vectorOf(builder.getI32Type(), width);
  Value lane = arith::ConstantOp::create(builder, location, DenseIntElementsAttr::get(type, lanes));
  Value left = arith::TruncIOp::create(builder, location, builder.getI32Type(), inLanes);
  tailMask =
      arith::CmpIOp::create(builder, location, arith::CmpIPredicate::slt, lane, splat(builder, location, left, width));

  if (isStrided())
    findPlaces(first);
  return success(succeeded(start(first)) && succeeded(walkTime(first)) && succeeded(finish(first)));
}

// ---- The three parts of a tile --------------------------------------------------------------------------------------

/// A scalar (stride 0) stands for all neurons; else one element a neuron.
Value KernelBuilder::loadInitial(Operand &operand, Value row, Value index, Value mask) {
  if (isStrided()) // a scalar has the same place for every neuron
    return loadElements(operand, row, index, mask);
  Value shared = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq, operand.elementStride,
                                       scalars.longConstant(0));
  int state = kernel.stateIndex(operand.attribute.getName());
  auto branch = scf::IfOp::create(builder, location, TypeRange(vectorOf(kernel.stateTypes()[state], width)), shared,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Memory one(builder, location, Place::Operand);
  scf::YieldOp::create(builder, location, splat(builder, location, one.load(operand.data, operand.storage()), width));
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, location, loadElements(operand, row, index, mask));
  return branch.getResult(0);
}

LogicalResult KernelBuilder::start(Value first) {
  SmallVector<Value> initials;
  for (State &state : states)
    initials.push_back(state.initial ? rowOf(*state.initial, first) : Value());
  return forEachVector([&](Value index, Value mask) {
    for (auto [state, row] : llvm::zip_equal(states, initials)) {
      Value value = state.initial ? loadInitial(*state.initial, row, index, mask) : state.declared;
      rows.store(value, rows.element(state.row, index, state.storage), state.storage);
    }
    return success();
  });
}

LogicalResult KernelBuilder::walkTime(Value first) {
  return forRange(scalars.longConstant(0), steps, scalars.longConstant(1), [&](Value time) {
    auto at = [&](Operand *operand) { return rowOf(*operand, first, time); };
    SmallVector<Value> inputRows = llvm::map_to_vector(inputs, at);
    SmallVector<Value> outputRows = llvm::map_to_vector(outputs, at);
    if (isStreaming())
      findAheadRows(time, first);
    return forEachVector([&](Value index, Value mask) { return step(index, mask, inputRows, outputRows); });
  });
}

/// A tile's rows are too far apart for the processor to foresee them: the next step's, and behind the last step the
/// next tile's first.
void KernelBuilder::findAheadRows(Value time, Value first) {
  Value next = arith::AddIOp::create(builder, location, time, scalars.longConstant(1));
  Value more = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::slt, next, steps);
  Value aheadTime = arith::SelectOp::create(builder, location, more, next, scalars.longConstant(0));
  Value nextTile = arith::AddIOp::create(builder, location, first, scalars.longConstant(tile));
  Value aheadFirst = arith::SelectOp::create(builder, location, more, first, nextTile);
  ahead.clear();
  for (auto [argument, operand] : llvm::zip_equal(kernel.stepInputs(), inputs))
    if (!argument.use_empty())
      ahead.emplace_back(operand, rowOf(*operand, aheadFirst, aheadTime));
}

/// One vector, one step: all inputs are read before any output is written.
LogicalResult KernelBuilder::step(Value index, Value mask, ArrayRef<Value> inputRows, ArrayRef<Value> outputRows) {
  IRMapping values = uniforms;
  if (!mask)
    for (auto [operand, row] : ahead)
      vectors.prefetch(vectors.element(row, index, operand->storage()));
  for (auto [argument, operand, row] : llvm::zip_equal(kernel.stepInputs(), inputs, inputRows))
    if (!argument.use_empty())
      values.map(argument, loadElements(*operand, row, index, mask));
  for (auto [argument, state] : llvm::zip_equal(kernel.stepStates(), states))
    if (!argument.use_empty())
      values.map(argument, rows.load(rows.element(state.row, index, state.storage), state.storage));

  Block &body = kernel.getStep().front();
  if (failed(cloneOntoVectors(builder, body, width, values)))
    return failure();

  ValueRange results = kernel.yieldOf(kernel.getStep()).getValues();
  for (auto [state, result] : llvm::zip(states, results))
    rows.store(values.lookup(result), rows.element(state.row, index, state.storage), state.storage);
  for (auto [operand, row, result] : llvm::zip_equal(outputs, outputRows, results.drop_front(states.size())))
    if (isStreaming() && !mask)
      vectors.stream(values.lookup(result), vectors.element(row, index, operand->storage()), operand->storage());
    else
      storeElements(values.lookup(result), *operand, row, index, mask);
  return success();
}

LogicalResult KernelBuilder::finish(Value first) {
  if (llvm::none_of(states, [](const State &state) { return state.final; }))
    return success();
  SmallVector<Value> finals;
  for (State &state : states)
    finals.push_back(state.final ? rowOf(*state.final, first) : Value());
  return forEachVector([&](Value index, Value mask) {
    for (auto [state, row] : llvm::zip_equal(states, finals)) {
      if (!state.final)
        continue;
      Value value = rows.load(rows.element(state.row, index, state.storage), state.storage);
      storeElements(value, *state.final, row, index, mask);
    }
    return success();
  });
}

LogicalResult KernelBuilder::build() {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto nothing = LLVM::LLVMVoidType::get(builder.getContext());
  if (isStrided())
    placesFunction = buildPlaces(builder, kernel);
  auto function = LLVM::LLVMFuncOp::create(builder, location, kernelSymbol(kernel),
                                           LLVM::LLVMFunctionType::get(nothing, {pointer}));
  OpBuilder::InsertionGuard guard(builder);
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  Value call = entry->getArgument(0);
  loadCall(call);
  loadUniforms(scalars.loadPointer(call, offsetof(CpuCall, invariants)));
  Value workspace = scalars.loadPointer(call, offsetof(CpuCall, workspace));
  bindStates(workspace);
  bindPlaces(workspace);

  LogicalResult tiles = forRange(begin, end, scalars.longConstant(tile), [&](Value first) {
    Value next = arith::AddIOp::create(builder, location, first, scalars.longConstant(tile));
    return buildTile(first, arith::MinSIOp::create(builder, location, next, end));
  });
  if (failed(tiles))
    return failure();
  if (isStreaming())
    scalars.finishStreams();
  LLVM::ReturnOp::create(builder, location, ValueRange());
  return success();
}

LogicalResult buildKernel(OpBuilder &builder, scan::KernelOp kernel, bool halfInstructions) {
  return KernelBuilder(builder, kernel, halfInstructions).build();
}

} // namespace flexsn::cpu
