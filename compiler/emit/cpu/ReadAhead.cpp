#include "compiler/emit/cpu/ReadAhead.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

namespace flexsn::cpu {

using namespace mlir;
using mlir::Value; // the front end has values too
using scan::Role;

void ReadAhead::bind() {
  scan::KernelOp kernel = frame.kernel;
  SmallVector<Operand *> inputs = frame.operandsOf(Role::Input), outputs = frame.operandsOf(Role::GradOutput);
  for (auto [inStep, inAdjoint, operand] : llvm::zip_equal(kernel.stepInputs(), kernel.adjointInputs(), inputs))
    if (!inStep.use_empty())
      forStep.push_back(operand);
    else if (!inAdjoint.use_empty())
      forAdjoint.push_back(operand);
  for (auto [argument, operand] : llvm::zip_equal(kernel.adjointGradOutputs(), outputs))
    if (!argument.use_empty())
      forAdjoint.push_back(operand);
}

ReadAhead::Rows ReadAhead::rowsOf(ArrayRef<Operand *> operands, Value first, Value time) {
  return llvm::map_to_vector(operands,
                             [&](Operand *operand) { return std::pair(operand, frame.rowOf(*operand, first, time)); });
}

void ReadAhead::forwards(const Chunk &chunk, Value time, Value first) {
  if (!frame.isStreaming())
    return;
  Location location = frame.location;
  Value after = arith::AddIOp::create(frame.builder, location, time, frame.scalars.longConstant(1));
  more = arith::CmpIOp::create(frame.builder, location, arith::CmpIPredicate::slt, after, chunk.end);
  next = rowsOf(forStep, first, after);
  otherwise = rowsOf(forAdjoint, first, time);
}

void ReadAhead::back(const Chunk &chunk, Value time, Value first, Value chunks) {
  if (!frame.isStreaming())
    return;
  OpBuilder &builder = frame.builder;
  Location location = frame.location;
  Memory &scalars = frame.scalars;
  Value before = arith::SubIOp::create(builder, location, time, scalars.longConstant(1));
  more = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::sgt, time, chunk.begin);
  next = rowsOf(forAdjoint, first, before);
  // Then comes the chunk before, or the last one of the next tile.
  Value every = scalars.longConstant(chunkSteps(frame.kernel)), none = scalars.longConstant(0);
  Value isFirst = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq, chunk.number, none);
  Value last = arith::SubIOp::create(builder, location, chunks, scalars.longConstant(1));
  Value chunkBefore = arith::SubIOp::create(builder, location, chunk.number, scalars.longConstant(1));
  Value number = arith::SelectOp::create(builder, location, isFirst, last, chunkBefore);
  Value tile = scalars.longConstant(frame.kernel.getCpuSchedule().getTile());
  Value nextTile = arith::AddIOp::create(builder, location, first, tile);
  Value where = arith::SelectOp::create(builder, location, isFirst, nextTile, first);
  otherwise = rowsOf(forStep, where, arith::MulIOp::create(builder, location, number, every));
}

void ReadAhead::single(const Chunk &chunk, Value first) {
  if (!frame.isStreaming())
    return;
  OpBuilder &builder = frame.builder;
  Location location = frame.location;
  Memory &scalars = frame.scalars;
  Value one = scalars.longConstant(1);
  Value isFirst =
      arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq, chunk.begin, scalars.longConstant(0));
  Value last = arith::SubIOp::create(builder, location, frame.steps, one);
  Value before = arith::SubIOp::create(builder, location, chunk.begin, one);
  Value time = arith::SelectOp::create(builder, location, isFirst, last, before);
  Value tile = scalars.longConstant(frame.kernel.getCpuSchedule().getTile());
  Value nextTile = arith::AddIOp::create(builder, location, first, tile);
  Value where = arith::SelectOp::create(builder, location, isFirst, nextTile, first);
  next = rowsOf(forStep, where, time);
  llvm::append_range(next, rowsOf(forAdjoint, where, time));
}

void ReadAhead::clear() {
  more = {};
  next.clear();
}

void ReadAhead::addStep(Value first, Value time) { llvm::append_range(next, rowsOf(forStep, first, time)); }
void ReadAhead::addAdjoint(Value first, Value time) { llvm::append_range(next, rowsOf(forAdjoint, first, time)); }

void ReadAhead::fetchRows(const Rows &rows, Value index) {
  for (auto [operand, row] : rows)
    frame.vectors.prefetch(frame.vectors.element(row, index, operand->storage()));
}

void ReadAhead::fetch(Value index) {
  if (!frame.isStreaming())
    return;
  if (!more)
    return fetchRows(next, index);
  auto branch = scf::IfOp::create(frame.builder, frame.location, more, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(frame.builder);
  frame.builder.setInsertionPointToStart(branch.thenBlock());
  fetchRows(next, index);
  frame.builder.setInsertionPointToStart(branch.elseBlock());
  fetchRows(otherwise, index);
}

} // namespace flexsn::cpu
