#include "compiler/emit/cpu/Strided.h"

#include "compiler/emit/cpu/Vectorize.h"

#include <llvm/Support/MathExtras.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

namespace flexsn::cpu {

using namespace mlir;
using mlir::Type; // the front end has types and values too
using mlir::Value;
using scan::Storage;

/// Neighbours of a row of places: 8 bytes each.
static constexpr int64_t placeBytes = sizeof(int64_t);

Value StridedMemory::firstOf(const Places &places, Value index) {
  Value shift = scalars.longConstant(llvm::Log2_32(width));
  Value vector = arith::ShRUIOp::create(builder, location, index, shift);
  Value bytes = arith::MulIOp::create(builder, location, vector, scalars.longConstant(placeBytes));
  return scalars.loadLong(scalars.offset(places.firsts, bytes), 0);
}

Value StridedMemory::isScattered(Value first) {
  return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq, first, scalars.longConstant(scattered));
}

Value StridedMemory::addresses(Value step, const Places &places, Value index) {
  Value bytes = arith::MulIOp::create(builder, location, index, scalars.longConstant(placeBytes));
  Value offsets = LLVM::LoadOp::create(builder, location, vectorOf(builder.getI64Type(), width),
                                       scalars.offset(places.offsets, bytes), placeBytes);
  Type pointers = vectorOf(LLVM::LLVMPointerType::get(builder.getContext()), width);
  return LLVM::GEPOp::create(builder, location, pointers, builder.getI8Type(), step, ValueRange(offsets));
}

Value StridedMemory::allLanes(Value mask) {
  if (mask)
    return mask;
  auto type = vectorOf(builder.getI1Type(), width);
  return arith::ConstantOp::create(builder, location, DenseElementsAttr::get(type, true));
}

/// Side by side, or all in one place.
Value StridedMemory::loadTogether(Value step, Value first, Storage storage, Value mask) {
  Type type = vectors.shaped(memoryType(storage, builder.getContext()));
  Value isAlike =
      arith::CmpIOp::create(builder, location, arith::CmpIPredicate::sge, first, scalars.longConstant(alikeFrom / 2));
  auto branch = scf::IfOp::create(builder, location, TypeRange(type), isAlike, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value place = arith::SubIOp::create(builder, location, first, scalars.longConstant(alikeFrom));
  Value one = scalars.loadStored(scalars.offset(step, place), storage, {});
  scf::YieldOp::create(builder, location, splat(builder, location, one, width));
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, location, vectors.loadStored(scalars.offset(step, first), storage, mask));
  return branch.getResult(0);
}

Value StridedMemory::load(Value step, const Places &places, Value index, Storage storage, Value mask) {
  Value first = firstOf(places, index);
  Type type = vectors.shaped(memoryType(storage, builder.getContext()));
  auto branch = scf::IfOp::create(builder, location, TypeRange(type), isScattered(first), /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    // One by one: the order of a call's arguments, and so of the ops, is the compiler's choice.
    Value from = addresses(step, places, index), lanes = allLanes(mask), zeros = vectors.zeros(type);
    Value each = LLVM::masked_gather::create(builder, location, type, from, lanes, ValueRange(zeros),
                                             builder.getI32IntegerAttr(1));
    scf::YieldOp::create(builder, location, each);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, location, loadTogether(step, first, storage, mask));
  }
  return vectors.decoded(branch.getResult(0), storage);
}

void StridedMemory::store(Value value, Value step, const Places &places, Value index, Storage storage, Value mask) {
  Value stored = vectors.encoded(value, storage);
  Value first = firstOf(places, index);
  auto branch = scf::IfOp::create(builder, location, isScattered(first), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value to = addresses(step, places, index), lanes = allLanes(mask);
  LLVM::masked_scatter::create(builder, location, stored, to, lanes, builder.getI32IntegerAttr(1));
  builder.setInsertionPointToStart(branch.elseBlock());
  vectors.storeStored(stored, scalars.offset(step, first), storage, mask);
}

} // namespace flexsn::cpu
