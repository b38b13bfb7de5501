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
  void fillOffsets(Value first, Value count, Value offsets);
  SmallVector<Value> next(ValueRange indexAndOffset);
  void fillFirsts(Value count, Value item, Value offsets, Value firsts);

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

/// One neuron on: mostly a step along the innermost dimension.
SmallVector<Value> PlacesBuilder::next(ValueRange indexAndOffset) {
  Index index(indexAndOffset.take_front(maxDims));
  index.back() = make<arith::AddIOp>(index.back(), constant(1));
  Value inside = compare(arith::CmpIPredicate::ult, index.back(), extents.back());
  auto branch = scf::IfOp::create(builder, location, indexAndOffset.getTypes(), inside, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  auto yield = [&](Value offset) {
    SmallVector<Value> values = index;
    values.push_back(offset);
    scf::YieldOp::create(builder, location, values);
  };
  builder.setInsertionPointToStart(branch.thenBlock());
  yield(make<arith::AddIOp>(indexAndOffset.back(), strides.back()));
  builder.setInsertionPointToStart(branch.elseBlock());
  for (int d = maxDims - 1; d > 0; --d) {
    Value full = compare(arith::CmpIPredicate::eq, index[d], extents[d]);
    index[d] = select(full, constant(0), index[d]);
    index[d - 1] = make<arith::AddIOp>(index[d - 1], select(full, constant(1), constant(0)));
  }
  yield(offsetOf(index));
  return branch.getResults();
}

void PlacesBuilder::fillOffsets(Value first, Value count, Value offsets) {
  SmallVector<Value> start = indexOf(first);
  start.push_back(offsetOf(start));
  auto loop = scf::ForOp::create(builder, location, constant(0), count, constant(1), start);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ValueRange now = loop.getRegionIterArgs();
  LLVM::StoreOp::create(builder, location, now.back(), entry(offsets, loop.getInductionVar()), alignof(int64_t));
  scf::YieldOp::create(builder, location, next(now));
}

/// A vector's neurons are side by side if each lies its lane's number of items behind the first. Lanes behind the last
/// neuron do not count.
void PlacesBuilder::fillFirsts(Value count, Value item, Value offsets, Value firsts) {
  SmallVector<int64_t> numbers(width);
  std::iota(numbers.begin(), numbers.end(), 0);
  VectorType type = vectorOf(builder.getI64Type(), width);
  Value lanes = arith::ConstantOp::create(builder, location, DenseIntElementsAttr::get(type, numbers));
  Value steps = make<arith::MulIOp>(lanes, splat(builder, location, item, width));

  auto loop = scf::ForOp::create(builder, location, constant(0), count, constant(width));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value index = loop.getInductionVar();
  Value row = entry(offsets, index);
  Value first = memory.loadLong(row, 0);
  Value all = LLVM::LoadOp::create(builder, location, type, row, alignof(int64_t));
  Value wanted = make<arith::AddIOp>(splat(builder, location, first, width), steps);
  Value left = make<arith::SubIOp>(count, index);
  Value beside = compare(arith::CmpIPredicate::eq, all, wanted);
  Value behind = compare(arith::CmpIPredicate::sge, lanes, splat(builder, location, left, width));
  Value together =
      vector::ReductionOp::create(builder, location, vector::CombiningKind::AND, make<arith::OrIOp>(beside, behind));
  Value vector = make<arith::ShRUIOp>(index, constant(llvm::Log2_32(width)));
  LLVM::StoreOp::create(builder, location, select(together, first, constant(scattered)), entry(firsts, vector),
                        alignof(int64_t));
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
  Value count = entry->getArgument(3), item = entry->getArgument(4);
  Value offsets = entry->getArgument(5), firsts = entry->getArgument(6);
  loadSpace(operand, extentsAddress);
  fillOffsets(first, count, offsets);
  fillFirsts(count, item, offsets, firsts);
  LLVM::ReturnOp::create(builder, location, ValueRange());
  return function;
}

LLVM::LLVMFuncOp buildPlaces(OpBuilder &builder, scan::KernelOp kernel) {
  return PlacesBuilder(builder, kernel).build();
}

} // namespace flexsn::cpu
