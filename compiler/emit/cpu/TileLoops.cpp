#include "compiler/emit/cpu/TileLoops.h"

#include "compiler/emit/cpu/Vectorize.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <numeric>

namespace flexsn::cpu {

using namespace mlir;

Value TileLoops::constant(int64_t value) {
  return arith::ConstantOp::create(builder, location, builder.getI64IntegerAttr(value));
}

LogicalResult TileLoops::forRange(Value from, Value to, Value step, Body body) {
  auto loop = scf::ForOp::create(builder, location, from, to, step);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  return body(loop.getInductionVar());
}

LogicalResult TileLoops::forRange(Value from, Value to, int64_t step, Body body) {
  return forRange(from, to, constant(step), body);
}

LogicalResult TileLoops::onlyIf(Value condition, llvm::function_ref<LogicalResult()> body) {
  auto branch = scf::IfOp::create(builder, location, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  return body();
}

void TileLoops::enterTile(Value first, Value tileEnd) {
  count = arith::SubIOp::create(builder, location, tileEnd, first);
  Value inLanes = arith::AndIOp::create(builder, location, count, constant(width - 1));
  wholeCount = arith::SubIOp::create(builder, location, count, inLanes);

  // The ragged vector's lanes: lane number below what is left.
  SmallVector<int32_t> lanes(width);
  std::iota(lanes.begin(), lanes.end(), 0);
  VectorType type = vectorOf(builder.getI32Type(), width);
  Value lane = arith::ConstantOp::create(builder, location, DenseIntElementsAttr::get(type, lanes));
  Value left = arith::TruncIOp::create(builder, location, builder.getI32Type(), inLanes);
  tailMask =
      arith::CmpIOp::create(builder, location, arith::CmpIPredicate::slt, lane, splat(builder, location, left, width));
}

void TileLoops::enterWholeTile(int64_t neurons) {
  count = wholeCount = constant(neurons);
  tailMask = {};
}

LogicalResult TileLoops::forEachWholeVector(VectorBody body) {
  Value none = constant(0), lanes = constant(width);
  if (!inQuarters)
    return forRange(none, wholeCount, lanes, [&](Value index) { return body(index, {}); });
  // In turn from each quarter of the tile: memory gives more to who reads in several places at once.
  constexpr int64_t quarters = 4;
  Value upTo = arith::AddIOp::create(builder, location, wholeCount, constant(quarters * width - 1));
  Value vectorsEach = arith::DivUIOp::create(builder, location, upTo, constant(quarters * width));
  Value quarter = arith::MulIOp::create(builder, location, vectorsEach, lanes);
  return forRange(none, quarter, lanes, [&](Value from) {
    return forRange(from, wholeCount, quarter, [&](Value index) { return body(index, {}); });
  });
}

LogicalResult TileLoops::forEachVector(VectorBody body) {
  if (failed(forEachWholeVector(body)))
    return failure();
  if (!tailMask)
    return success();
  Value ragged = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::slt, wholeCount, count);
  return onlyIf(ragged, [&] { return body(wholeCount, tailMask); });
}

} // namespace flexsn::cpu
