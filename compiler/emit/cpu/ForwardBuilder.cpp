// Kernels that walk time forwards: inference, final_state, and forward, which leaves checkpoints.
#include "compiler/emit/cpu/KernelBuilder.h"
#include "compiler/emit/cpu/StateRows.h"
#include "compiler/emit/cpu/Vectorize.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

namespace flexsn::cpu {

using namespace mlir;
using mlir::Value; // the front end has values too
using scan::Role;

namespace {

class ForwardBuilder {
public:
  ForwardBuilder(KernelFrame &frame)
      : frame(frame), kernel(frame.kernel), builder(frame.builder), location(frame.location),
        loops(builder, location, frame.width, frame.isStreaming()), sites(frame, loops), states(frame, loops, sites) {}

  LogicalResult build();

private:
  LogicalResult buildTile(Value first, Value tileEnd);
  LogicalResult walkTime(Value first);
  void findAheadRows(Value time, Value first);
  LogicalResult step(Value index, Value mask, ArrayRef<Value> inputRows, ArrayRef<Value> outputRows);
  LogicalResult writeCheckpoint(Value time, Value first);
  LogicalResult writeStates(ArrayRef<Operand *> targets, ArrayRef<Value> targetRows);
  LogicalResult finish(Value first);

  KernelFrame &frame;
  scan::KernelOp kernel;
  OpBuilder &builder;
  Location location;
  TileLoops loops;
  SiteRows sites;
  StateRows states;
  SmallVector<Operand *> inputs, outputs, finals, checkpoints; ///< inputs: with params that vary by step
  SmallVector<std::pair<Operand *, Value>> ahead; ///< streaming: inputs that are read, and the rows they come from next
};

} // namespace

LogicalResult ForwardBuilder::build() {
  states.bind();
  frame.bindPlaces();
  inputs = frame.readsOf();
  outputs = frame.operandsOf(Role::Output);
  finals = frame.operandsOf(Role::Final);
  checkpoints = frame.operandsOf(Role::Checkpoint);
  int64_t tile = kernel.getCpuSchedule().getTile();
  return loops.forRange(frame.begin, frame.end, tile, [&](Value first) {
    Value next = arith::AddIOp::create(builder, location, first, frame.scalars.longConstant(tile));
    return buildTile(first, arith::MinSIOp::create(builder, location, next, frame.end));
  });
}

LogicalResult ForwardBuilder::buildTile(Value first, Value tileEnd) {
  loops.enterTile(first, tileEnd);
  frame.findPlaces(first, loops.tileCount());
  return success(succeeded(sites.fill(first)) && succeeded(states.start(first)) && succeeded(walkTime(first)) &&
                 succeeded(finish(first)));
}

LogicalResult ForwardBuilder::walkTime(Value first) {
  return loops.forRange(frame.scalars.longConstant(0), frame.steps, 1, [&](Value time) {
    if (failed(writeCheckpoint(time, first)))
      return failure();
    auto at = [&](Operand *operand) { return frame.rowOf(*operand, first, time); };
    SmallVector<Value> inputRows = llvm::map_to_vector(inputs, at);
    SmallVector<Value> outputRows = llvm::map_to_vector(outputs, at);
    if (frame.isStreaming())
      findAheadRows(time, first);
    return loops.forEachVector([&](Value index, Value mask) { return step(index, mask, inputRows, outputRows); });
  });
}

/// A tile's rows are too far apart for the processor to foresee them: the next step's, and behind the last step the
/// next tile's first.
void ForwardBuilder::findAheadRows(Value time, Value first) {
  Memory &scalars = frame.scalars;
  Value next = arith::AddIOp::create(builder, location, time, scalars.longConstant(1));
  Value more = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::slt, next, frame.steps);
  Value aheadTime = arith::SelectOp::create(builder, location, more, next, scalars.longConstant(0));
  Value tile = scalars.longConstant(kernel.getCpuSchedule().getTile());
  Value nextTile = arith::AddIOp::create(builder, location, first, tile);
  Value aheadFirst = arith::SelectOp::create(builder, location, more, first, nextTile);
  ahead.clear();
  for (auto [argument, operand] : llvm::zip_equal(kernel.stepReads(), inputs))
    if (!argument.use_empty() && operand->role() == Role::Input)
      ahead.emplace_back(operand, frame.rowOf(*operand, aheadFirst, aheadTime));
}

/// One vector, one step: all inputs are read before any output is written.
LogicalResult ForwardBuilder::step(Value index, Value mask, ArrayRef<Value> inputRows, ArrayRef<Value> outputRows) {
  IRMapping values = frame.uniforms;
  if (!mask)
    for (auto [operand, row] : ahead)
      frame.vectors.prefetch(frame.vectors.element(row, index, operand->storage()));
  for (auto [argument, operand, row] : llvm::zip_equal(kernel.stepReads(), inputs, inputRows))
    if (!argument.use_empty())
      values.map(argument, frame.load(*operand, row, index, mask));
  sites.mapArguments(index, kernel.getStep(), values);
  states.mapArguments(index, values);
  if (failed(cloneOntoVectors(builder, kernel.getStep().front(), frame.width, values)))
    return failure();
  states.storeResults(index, values);
  ValueRange results = kernel.yieldOf(kernel.getStep()).getValues().drop_front(states.size());
  for (auto [operand, row, result] : llvm::zip_equal(outputs, outputRows, results))
    frame.storeResult(values.lookup(result), *operand, row, index, mask);
  return success();
}

/// In front of step c * every, c > 0, the states become row c - 1 of the checkpoints.
LogicalResult ForwardBuilder::writeCheckpoint(Value time, Value first) {
  if (checkpoints.empty())
    return success();
  Value every = frame.scalars.longConstant(*kernel.getEvery()), zero = frame.scalars.longConstant(0);
  Value chunk = arith::DivUIOp::create(builder, location, time, every);
  Value chunkStart = arith::MulIOp::create(builder, location, chunk, every);
  Value begins = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq, time, chunkStart);
  Value later = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::sgt, time, zero);
  return loops.onlyIf(arith::AndIOp::create(builder, location, begins, later), [&] {
    Value row = arith::SubIOp::create(builder, location, chunk, frame.scalars.longConstant(1));
    auto at = [&](Operand *operand) { return frame.rowOf(*operand, first, row); };
    return writeStates(checkpoints, llvm::map_to_vector(checkpoints, at));
  });
}

LogicalResult ForwardBuilder::writeStates(ArrayRef<Operand *> targets, ArrayRef<Value> targetRows) {
  return loops.forEachVector([&](Value index, Value mask) {
    for (auto [target, row] : llvm::zip_equal(targets, targetRows))
      frame.store(states.load(kernel.stateIndex(target->name()), index), *target, row, index, mask);
    return success();
  });
}

LogicalResult ForwardBuilder::finish(Value first) {
  if (finals.empty())
    return success();
  return writeStates(finals, llvm::map_to_vector(finals, [&](Operand *final) { return frame.rowOf(*final, first); }));
}

LogicalResult buildForward(KernelFrame &frame) { return ForwardBuilder(frame).build(); }

} // namespace flexsn::cpu
