// Kernels that walk time back: a chunk of steps is computed again from the checkpoint in front of it, then gradients
// flow through it from its last step to its first.
#include "compiler/emit/cpu/BackwardBuilder.h"

#include "compiler/emit/cpu/KernelBuilder.h"
#include "compiler/emit/cpu/Vectorize.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

namespace flexsn::cpu {

using namespace mlir;
using mlir::Value; // the front end has values too
using scan::Role;
using scan::Storage;

void BackwardBuilder::bind() {
  states.bind();
  gradients.bind();
  ahead.bind();
  frame.bindPlaces();
  inputs = frame.readsOf();
  checkpoints = frame.operandsOf(Role::Checkpoint);
  gradOutputs = frame.operandsOf(Role::GradOutput);
  gradInputs = frame.gradReadsOf();
  adjointInputs = kernel.adjointReads();
  adjointKept = kernel.adjointKept();
  adjointOutputs = kernel.adjointGradOutputs();
}

// ---- Neurons --------------------------------------------------------------------------------------------------------

LogicalResult BackwardBuilder::build() {
  bind();
  Value upTo = make<arith::AddIOp>(frame.steps, constant(every - 1));
  chunks = make<arith::DivUIOp>(upTo, constant(every));
  Value rest = frame.begin;
  if (isPipelined(kernel)) {
    rest = pipelineEnd();
    if (failed(walkPipeline(frame.begin, rest)))
      return failure();
  }
  if (!gradients.hasSums())
    return walkTiles(rest, frame.end);
  int64_t span = spanOf(kernel);
  return loops.forRange(rest, frame.end, span, [&](Value first) {
    Value end = make<arith::MinSIOp>(make<arith::AddIOp>(first, constant(span)), frame.end);
    return success(succeeded(gradients.clearSums()) && succeeded(walkTiles(first, end)) &&
                   succeeded(gradients.writePartials(first, end)));
  });
}

LogicalResult BackwardBuilder::walkTiles(Value from, Value to) {
  return loops.forRange(from, to, tile, [&](Value first) {
    gradients.enterTile(make<arith::SubIOp>(first, from));
    return buildTile(first, make<arith::MinSIOp>(make<arith::AddIOp>(first, constant(tile)), to));
  });
}

LogicalResult BackwardBuilder::buildTile(Value first, Value tileEnd) {
  loops.enterTile(first, tileEnd);
  frame.findPlaces(first, loops.tileCount());
  return success(succeeded(sites.fill(first)) && succeeded(sites.handOver()) && succeeded(gradients.seed(first)) &&
                 succeeded(walkChunks(first)) && succeeded(gradients.finish(first)));
}

// ---- Time -----------------------------------------------------------------------------------------------------------

LogicalResult BackwardBuilder::walkChunks(Value first) {
  return loops.forRange(constant(0), chunks, 1, [&](Value done) {
    Chunk chunk = chunkAt(done);
    if (failed(restoreStates(chunk, first)))
      return failure();
    if (every == 1)
      return both(chunk, first);
    return success(succeeded(recompute(chunk, first)) && succeeded(flowBack(chunk, first)));
  });
}

/// The chunk with `done` chunks behind it.
Chunk BackwardBuilder::chunkAt(Value done) {
  Chunk chunk;
  chunk.number = make<arith::SubIOp>(make<arith::SubIOp>(chunks, constant(1)), done);
  chunk.begin = make<arith::MulIOp>(chunk.number, constant(every));
  chunk.end = make<arith::MinSIOp>(make<arith::AddIOp>(chunk.begin, constant(every)), frame.steps);
  return chunk;
}

/// The states in front of the chunk: the checkpoint there, or where all begins.
LogicalResult BackwardBuilder::restoreStates(const Chunk &chunk, Value first) {
  if (states.size() == 0)
    return success();
  Value isFirst = compare(arith::CmpIPredicate::eq, chunk.number, constant(0));
  auto branch = scf::IfOp::create(builder, location, isFirst, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  if (failed(states.start(first)))
    return failure();
  builder.setInsertionPointToStart(branch.elseBlock());
  Value before = make<arith::SubIOp>(chunk.number, constant(1));
  SmallVector<Value> rows =
      llvm::map_to_vector(checkpoints, [&](Operand *operand) { return frame.rowOf(*operand, first, before); });
  return loops.forEachVector([&](Value index, Value mask) {
    for (auto [operand, row] : llvm::zip_equal(checkpoints, rows))
      states.store(kernel.stateIndex(operand->name()), index, frame.load(*operand, row, index, mask));
    return success();
  });
}

LogicalResult BackwardBuilder::recompute(const Chunk &chunk, Value first) {
  return loops.forRange(chunk.begin, chunk.end, 1, [&](Value time) {
    StepRows rows = rowsAt(time, first);
    rows.kept = keptRows(make<arith::SubIOp>(time, chunk.begin));
    ahead.forwards(chunk, time, first);
    return loops.forEachVector([&](Value index, Value mask) {
      if (!mask)
        ahead.fetch(index);
      return recomputeVector(index, mask, rows);
    });
  });
}

LogicalResult BackwardBuilder::recomputeVector(Value index, Value mask, const StepRows &rows) {
  IRMapping values = frame.uniforms;
  loadInputs(index, mask, rows, {kernel.stepReads()}, values);
  if (failed(step(index, values)))
    return failure();
  for (auto [kept, row] : llvm::zip_equal(kernel.stepResults(), rows.kept)) {
    Storage storage = storageOf(kept.getType());
    frame.rows.store(values.lookup(kept), frame.rows.element(row, index, storage), storage);
  }
  return success();
}

LogicalResult BackwardBuilder::flowBack(const Chunk &chunk, Value first) {
  Value count = make<arith::SubIOp>(chunk.end, chunk.begin);
  return loops.forRange(constant(0), count, 1, [&](Value done) {
    Value inChunk = make<arith::SubIOp>(make<arith::SubIOp>(count, constant(1)), done);
    Value time = make<arith::AddIOp>(chunk.begin, inChunk);
    StepRows rows = rowsAt(time, first);
    rows.kept = keptRows(inChunk);
    ahead.back(chunk, time, first, chunks);
    LogicalResult flows = loops.forEachVector([&](Value index, Value mask) {
      if (!mask)
        ahead.fetch(index);
      return flowVector(index, mask, rows);
    });
    return success(succeeded(flows) && succeeded(cutAt(time)));
  });
}

LogicalResult BackwardBuilder::flowVector(Value index, Value mask, const StepRows &rows) {
  IRMapping values = frame.uniforms;
  loadInputs(index, mask, rows, {adjointInputs}, values);
  for (auto [kept, row] : llvm::zip_equal(adjointKept, rows.kept)) {
    Storage storage = storageOf(kept.getType());
    if (!kept.use_empty())
      values.map(kept, frame.rows.load(frame.rows.element(row, index, storage), storage));
  }
  return adjoint(index, mask, rows, values);
}

/// A chunk of one step: its values go from one way to the other in registers.
LogicalResult BackwardBuilder::both(const Chunk &chunk, Value first) {
  StepRows rows = rowsAt(chunk.begin, first);
  ahead.single(chunk, first);
  LogicalResult flows = loops.forEachVector([&](Value index, Value mask) {
    if (!mask)
      ahead.fetch(index);
    IRMapping values = frame.uniforms;
    loadInputs(index, mask, rows, {kernel.stepReads(), adjointInputs}, values);
    if (failed(step(index, values)))
      return failure();
    for (auto [argument, kept] : llvm::zip_equal(adjointKept, kernel.stepResults()))
      values.map(argument, values.lookup(kept));
    return adjoint(index, mask, rows, values);
  });
  return success(succeeded(flows) && succeeded(cutAt(chunk.begin)));
}

/// `truncate k`: the states in front of every k-th step count as given.
LogicalResult BackwardBuilder::cutAt(Value time) {
  std::optional<uint32_t> truncate = kernel.getTruncate();
  if (!truncate)
    return success();
  Value left = make<arith::RemUIOp>(time, constant(*truncate));
  return loops.onlyIf(compare(arith::CmpIPredicate::eq, left, constant(0)), [&] { return gradients.cut(); });
}

// ---- One vector, one step -------------------------------------------------------------------------------------------

BackwardBuilder::StepRows BackwardBuilder::rowsAt(Value time, Value first) {
  auto at = [&](Operand *operand) { return frame.rowOf(*operand, first, time); };
  return {
      llvm::map_to_vector(inputs, at), llvm::map_to_vector(gradOutputs, at), llvm::map_to_vector(gradInputs, at), {}};
}

SmallVector<Value> BackwardBuilder::keptRows(Value slot) {
  Value offset = make<arith::MulIOp>(slot, constant(static_cast<int64_t>(frame.layout.keptStride)));
  return llvm::map_to_vector(frame.layout.keptRows,
                             [&](size_t row) { return frame.scalars.offset(frame.row(row), offset); });
}

/// Maps the inputs' arguments of regions, each loaded once if a region reads it.
void BackwardBuilder::loadInputs(Value index, Value mask, const StepRows &rows, ArrayRef<ValueRange> regions,
                                 IRMapping &values) {
  for (auto [number, operand, row] : llvm::enumerate(inputs, rows.inputs)) {
    if (llvm::all_of(regions, [&](ValueRange arguments) { return arguments[number].use_empty(); }))
      continue;
    Value value = frame.load(*operand, row, index, mask);
    for (ValueRange arguments : regions)
      values.map(arguments[number], value);
  }
}

/// Computes the step again; `values` has the inputs.
LogicalResult BackwardBuilder::step(Value index, IRMapping &values) {
  sites.mapArguments(index, kernel.getStep(), values);
  states.mapArguments(index, values);
  if (failed(cloneOntoVectors(builder, kernel.getStep().front(), frame.width, values)))
    return failure();
  states.storeResults(index, values);
  return success();
}

/// `values` has the inputs and what was kept. All is read before any gradient is written.
LogicalResult BackwardBuilder::adjoint(Value index, Value mask, const StepRows &rows, IRMapping &values) {
  Region &region = kernel.getAdjoint();
  for (auto [argument, operand, row] : llvm::zip_equal(adjointOutputs, gradOutputs, rows.gradOutputs))
    if (!argument.use_empty())
      values.map(argument, frame.load(*operand, row, index, mask));
  sites.mapArguments(index, region, values);
  gradients.mapArguments(index, region, values);
  if (failed(cloneOntoVectors(builder, region.front(), frame.width, values)))
    return failure();
  ValueRange results = kernel.yieldOf(region).getValues();
  gradients.storeResults(index, results.slice(gradInputs.size(), kernel.carriedNames().size()), values);
  gradients.addSummands(index, mask, region, values);
  for (auto [operand, row, result] : llvm::zip(gradInputs, rows.gradInputs, results))
    frame.storeResult(values.lookup(result), *operand, row, index, mask);
  return success();
}

LogicalResult buildBackward(KernelFrame &frame) { return BackwardBuilder(frame).build(); }

} // namespace flexsn::cpu
