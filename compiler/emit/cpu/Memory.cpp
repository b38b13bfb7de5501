#include "compiler/emit/cpu/Memory.h"

#include "compiler/emit/cpu/Vectorize.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/IR/Matchers.h>
#include <mlir/IR/TypeUtilities.h>

namespace flexsn::cpu {

using namespace mlir;
using scan::Storage;

Type memoryType(Storage storage, MLIRContext *context) {
  Builder builder(context);
  switch (storage) {
  case Storage::F32: return builder.getF32Type();
  case Storage::F64: return builder.getF64Type();
  case Storage::I32: return builder.getI32Type();
  case Storage::F16:
  case Storage::BF16: return builder.getI16Type(); // bits
  case Storage::I8:
  case Storage::Bool: return builder.getI8Type();
  case Storage::Bits: return {};
  }
  llvm_unreachable("all storages are covered");
}

Storage storageOf(Type compute) {
  if (compute.isF32())
    return Storage::F32;
  if (compute.isF64())
    return Storage::F64;
  return compute.isInteger(32) ? Storage::I32 : Storage::Bool;
}

Type Memory::shaped(Type element) { return width ? Type(vectorOf(element, width)) : element; }

Value Memory::zeros(Type type) { return arith::ConstantOp::create(builder, location, builder.getZeroAttr(type)); }

Value Memory::longConstant(int64_t value) {
  return arith::ConstantOp::create(builder, location, builder.getI64IntegerAttr(value));
}

// ---- Addresses ------------------------------------------------------------------------------------------------------

Value Memory::offset(Value base, Value bytes) {
  return LLVM::GEPOp::create(builder, location, base.getType(), builder.getI8Type(), base, ValueRange(bytes));
}

Value Memory::offset(Value base, int64_t bytes) { return bytes == 0 ? base : offset(base, longConstant(bytes)); }

Value Memory::element(Value base, Value index, Storage storage) {
  Type type = memoryType(storage, builder.getContext());
  return LLVM::GEPOp::create(builder, location, base.getType(), type, base, ValueRange(index));
}

Value Memory::loadPointer(Value base, int64_t bytes) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return LLVM::LoadOp::create(builder, location, pointer, offset(base, bytes), alignof(void *));
}

Value Memory::loadLong(Value base, int64_t bytes) {
  return LLVM::LoadOp::create(builder, location, builder.getI64Type(), offset(base, bytes), alignof(int64_t));
}

// ---- Values ---------------------------------------------------------------------------------------------------------

unsigned Memory::alignmentOf(Storage storage) const { return place == Place::Workspace ? bytesOf(storage) : 1; }

Value Memory::load(Value address, Storage storage, Value mask) {
  return decoded(loadStored(address, storage, mask), storage);
}

void Memory::store(Value value, Value address, Storage storage, Value mask) {
  storeStored(encoded(value, storage), address, storage, mask);
}

Value Memory::loadStored(Value address, Storage storage, Value mask) {
  Type type = shaped(memoryType(storage, builder.getContext()));
  unsigned alignment = alignmentOf(storage);
  if (!mask)
    return LLVM::LoadOp::create(builder, location, type, address, alignment);
  return LLVM::MaskedLoadOp::create(builder, location, type, address, mask, zeros(type),
                                    builder.getI32IntegerAttr(static_cast<int32_t>(alignment)), UnitAttr());
}

void Memory::storeStored(Value stored, Value address, Storage storage, Value mask) {
  unsigned alignment = alignmentOf(storage);
  if (mask)
    LLVM::MaskedStoreOp::create(builder, location, stored, address, mask,
                                builder.getI32IntegerAttr(static_cast<int32_t>(alignment)));
  else
    LLVM::StoreOp::create(builder, location, stored, address, alignment);
}

Value Memory::decoded(Value stored, Storage storage) {
  switch (storage) {
  case Storage::F16: return conversions.widenF16(stored);
  case Storage::BF16: return conversions.widenBF16(stored);
  case Storage::Bool:
    return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ne, stored, zeros(stored.getType()));
  default: return stored; // I8 is a storage of outputs alone
  }
}

/// Spikes are a choice between two constants, whose stored forms the code generator knows.
static arith::SelectOp choiceOfConstants(Value value) {
  auto choice = value.getDefiningOp<arith::SelectOp>();
  bool constant =
      choice && matchPattern(choice.getTrueValue(), m_Constant()) && matchPattern(choice.getFalseValue(), m_Constant());
  return constant ? choice : nullptr;
}

Value Memory::encoded(Value value, Storage storage) {
  if (auto choice = choiceOfConstants(value); choice && storageOf(getElementTypeOrSelf(value)) != storage)
    return arith::SelectOp::create(builder, location, choice.getCondition(), converted(choice.getTrueValue(), storage),
                                   converted(choice.getFalseValue(), storage));
  return converted(value, storage);
}

Value Memory::converted(Value value, Storage storage) {
  switch (storage) {
  case Storage::F16: return conversions.narrowF16(value);
  case Storage::BF16: return conversions.narrowBF16(value);
  case Storage::I8: return conversions.saturateI8(value);
  case Storage::Bool:
    return arith::ExtUIOp::create(builder, location, shaped(memoryType(storage, builder.getContext())), value);
  default: return value;
  }
}

// ---- Past the caches ------------------------------------------------------------------------------------------------

void Memory::stream(Value value, Value address, Storage storage) {
  LLVM::StoreOp::create(builder, location, encoded(value, storage), address, width * bytesOf(storage),
                        /*isVolatile=*/false, /*isNonTemporal=*/true);
}

void Memory::finishStreams() {
#if defined(__x86_64__) // elsewhere streamed stores are ordered as all others, by whoever publishes the results
  LLVM::CallIntrinsicOp::create(builder, location, builder.getStringAttr("llvm.x86.sse.sfence"), ValueRange());
#endif
}

void Memory::prefetch(Value address) {
  constexpr int32_t read = 0, secondLevel = 2, data = 1; // as LLVM numbers them
  LLVM::Prefetch::create(builder, location, address, read, secondLevel, data);
}

} // namespace flexsn::cpu
