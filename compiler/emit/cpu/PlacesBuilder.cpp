// Where each neuron of a tile lies: an odometer over the iteration space, once a tile and operand.
#include "compiler/emit/cpu/CpuEmitter.h"
#include "compiler/emit/cpu/Strided.h"
#include "compiler/emit/cpu/Vectorize.h"
#include "runtime/KernelAbi.h"

#include <cstddef>
#include <llvm/Support/MathExtras.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>
#include <numeric>

namespace flexsn::cpu {

using namespace mlir;
using mlir::Value; // the front end has values too

namespace {

class PlacesBuilder {
public:
  PlacesBuilder(OpBuilder &builder, scan::KernelOp kernel)
      : builder(builder), location(kernel.getLoc()), name(placesSymbol(kernel)),
        width(kernel.getCpuSchedule().getWidth()), memory(builder, location, Place::Workspace) {}

  LLVM::LLVMFuncOp build();

private:
  /// The index of a neuron in each dimension, outermost first.
  using Index = SmallVector<Value>;

  void loadSpace(Value operand, Value extentsAddress);
  Index indexOf(Value neuron);
  Value offsetOf(ArrayRef<Value> index);
  void fill(Value first, Value count);
  void fillTogether(Value at, Value first);
  ValueRange fillEach(Value from, Value to, ValueRange indexAndOffset);
  void judge(Value at, Value count);
  void storeFirst(Value at, Value place);
  SmallVector<Value> advanced(ValueRange indexAndOffset, int64_t count);
  Value laneNumbers();

  Value constant(int64_t value) { return memory.longConstant(value); }
  template <class Op> Value make(Value left, Value right) { return Op::create(builder, location, left, right); }
  Value compare(arith::CmpIPredicate predicate, Value left, Value right) {
    return arith::CmpIOp::create(builder, location, predicate, left, right);
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(builder, location, condition, yes, no);
  }
  /// The address of entry `index` of a row of 8-byte entries.
  Value entry(Value row, Value index) {
    return memory.offset(row, make<arith::MulIOp>(index, constant(sizeof(int64_t))));
  }

  OpBuilder &builder;
  Location location;
  std::string name;
  unsigned width;
  Memory memory;
  SmallVector<Value> extents, strides;
  Value item, offsets, firsts;
};

} // namespace

void PlacesBuilder::loadSpace(Value operand, Value extentsAddress) {
  for (int64_t d = 0; d < maxDims; ++d) {
    int64_t at = d * static_cast<int64_t>(sizeof(int64_t));
    extents.push_back(memory.loadLong(extentsAddress, at));
    strides.push_back(memory.loadLong(operand, offsetof(CpuOperand, strides) + at));
  }
}

/// The one chain of divisions of a tile.
PlacesBuilder::Index PlacesBuilder::indexOf(Value neuron) {
  Index index(maxDims);
  for (int d = maxDims; d-- > 0;) {
    index[d] = make<arith::RemUIOp>(neuron, extents[d]);
    neuron = make<arith::DivUIOp>(neuron, extents[d]);
  }
  return index;
}

Value PlacesBuilder::offsetOf(ArrayRef<Value> index) {
  Value sum = constant(0);
  for (auto [i, stride] : llvm::zip_equal(index, strides))
    sum = make<arith::AddIOp>(sum, make<arith::MulIOp>(i, stride));
  return sum;
}

/// `count` neurons on, along the innermost dimension: none of them lies behind its end.
SmallVector<Value> PlacesBuilder::advanced(ValueRange indexAndOffset, int64_t count) {
  Index index(indexAndOffset.take_front(maxDims));
  index.back() = make<arith::AddIOp>(index.back(), constant(count));
  Value inside = compare(arith::CmpIPredicate::ult, index.back(), extents.back());
  auto branch = scf::IfOp::create(builder, location, indexAndOffset.getTypes(), inside, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  auto yield = [&](Value offset) {
    SmallVector<Value> values = index;
    values.push_back(offset);
    scf::YieldOp::create(builder, location, values);
  };
  builder.setInsertionPointToStart(branch.thenBlock());
  yield(make<arith::AddIOp>(indexAndOffset.back(), make<arith::MulIOp>(strides.back(), constant(count))));
  builder.setInsertionPointToStart(branch.elseBlock());
  for (int d = maxDims - 1; d > 0; --d) {
    Value full = compare(arith::CmpIPredicate::eq, index[d], extents[d]);
    index[d] = select(full, constant(0), index[d]);
    index[d - 1] = make<arith::AddIOp>(index[d - 1], select(full, constant(1), constant(0)));
  }
  yield(offsetOf(index));
  return branch.getResults();
}

/// One vector after the other. Where its neurons are neighbours along the innermost dimension, that one's stride says
/// how they lie; else they are found one by one.
void PlacesBuilder::fill(Value first, Value count) {
  SmallVector<Value> start = indexOf(first);
  start.push_back(offsetOf(start));
  auto loop = scf::ForOp::create(builder, location, constant(0), count, constant(width), start);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ValueRange now = loop.getRegionIterArgs();
  Value at = loop.getInductionVar();
  Value together =
      compare(arith::CmpIPredicate::ule, make<arith::AddIOp>(now[maxDims - 1], constant(width)), extents.back());
  auto branch = scf::IfOp::create(builder, location, now.getTypes(), together, /*withElseRegion=*/true);
  scf::YieldOp::create(builder, location, branch.getResults());

  builder.setInsertionPointToStart(branch.thenBlock());
  fillTogether(at, now.back());
  scf::YieldOp::create(builder, location, advanced(now, width));
  builder.setInsertionPointToStart(branch.elseBlock());
  Value end = arith::MinSIOp::create(builder, location, make<arith::AddIOp>(at, constant(width)), count);
  ValueRange behind = fillEach(at, end, now);
  judge(at, count);
  scf::YieldOp::create(builder, location, behind);
}

/// The vector at number `at` of the tile, whose first neuron has the offset `first`. Single places are for those who
/// need them.
void PlacesBuilder::fillTogether(Value at, Value first) {
  auto equals = [&](Value value) { return compare(arith::CmpIPredicate::eq, strides.back(), value); };
  Value alike = make<arith::AddIOp>(first, constant(alikeFrom));
  Value place = select(equals(item), first, select(equals(constant(0)), alike, constant(scattered)));
  storeFirst(at, place);
  Value isScattered = compare(arith::CmpIPredicate::eq, place, constant(scattered));
  auto branch = scf::IfOp::create(builder, location, isScattered, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value apart = make<arith::MulIOp>(laneNumbers(), splat(builder, location, strides.back(), width));
  Value all = make<arith::AddIOp>(splat(builder, location, first, width), apart);
  LLVM::StoreOp::create(builder, location, all, entry(offsets, at), alignof(int64_t));
}

/// Fills the neurons of the tile from number `from` on, whose index and offset are known; gives those of number `to`.
ValueRange PlacesBuilder::fillEach(Value from, Value to, ValueRange indexAndOffset) {
  auto loop = scf::ForOp::create(builder, location, from, to, constant(1), indexAndOffset);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ValueRange now = loop.getRegionIterArgs();
  LLVM::StoreOp::create(builder, location, now.back(), entry(offsets, loop.getInductionVar()), alignof(int64_t));
  scf::YieldOp::create(builder, location, advanced(now, 1));
  return loop.getResults();
}

/// A vector's neurons are side by side if each lies its lane's number of items behind the first. Lanes behind the last
/// neuron do not count.
void PlacesBuilder::judge(Value at, Value count) {
  VectorType type = vectorOf(builder.getI64Type(), width);
  Value lanes = laneNumbers();
  Value steps = make<arith::MulIOp>(lanes, splat(builder, location, item, width));
  Value row = entry(offsets, at);
  Value first = memory.loadLong(row, 0);
  Value all = LLVM::LoadOp::create(builder, location, type, row, alignof(int64_t));
  Value wanted = make<arith::AddIOp>(splat(builder, location, first, width), steps);
  Value left = make<arith::SubIOp>(count, at);
  Value beside = compare(arith::CmpIPredicate::eq, all, wanted);
  Value behind = compare(arith::CmpIPredicate::sge, lanes, splat(builder, location, left, width));
  Value together =
      vector::ReductionOp::create(builder, location, vector::CombiningKind::AND, make<arith::OrIOp>(beside, behind));
  storeFirst(at, select(together, first, constant(scattered)));
}

void PlacesBuilder::storeFirst(Value at, Value place) {
  Value vector = make<arith::ShRUIOp>(at, constant(llvm::Log2_32(width)));
  LLVM::StoreOp::create(builder, location, place, entry(firsts, vector), alignof(int64_t));
}

/// 0, 1, 2, ... in the lanes of a vector.
Value PlacesBuilder::laneNumbers() {
  SmallVector<int64_t> numbers(width);
  std::iota(numbers.begin(), numbers.end(), 0);
  VectorType type = vectorOf(builder.getI64Type(), width);
  return arith::ConstantOp::create(builder, location, DenseIntElementsAttr::get(type, numbers));
}

LLVM::LLVMFuncOp PlacesBuilder::build() {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto nothing = LLVM::LLVMVoidType::get(builder.getContext());
  mlir::Type number = builder.getI64Type();
  auto type = LLVM::LLVMFunctionType::get(nothing, {pointer, pointer, number, number, number, pointer, pointer});
  auto function = LLVM::LLVMFuncOp::create(builder, location, name, type, LLVM::Linkage::Internal);
  OpBuilder::InsertionGuard guard(builder);
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  Value operand = entry->getArgument(0), extentsAddress = entry->getArgument(1), first = entry->getArgument(2);
  Value count = entry->getArgument(3);
  item = entry->getArgument(4);
  offsets = entry->getArgument(5);
  firsts = entry->getArgument(6);
  loadSpace(operand, extentsAddress);
  fill(first, count);
  LLVM::ReturnOp::create(builder, location, ValueRange());
  return function;
}

LLVM::LLVMFuncOp buildPlaces(OpBuilder &builder, scan::KernelOp kernel) {
  return PlacesBuilder(builder, kernel).build();
}

} // namespace flexsn::cpu
