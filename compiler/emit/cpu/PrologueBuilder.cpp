// Once a launch, in scalars: the prologue, which computes launch-invariant values, and the epilogue, its adjoint.
#include "compiler/emit/cpu/CpuEmitter.h"
#include "compiler/emit/cpu/KernelBuilder.h"
#include "compiler/emit/cpu/Memory.h"

#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/IR/IRMapping.h>

namespace flexsn::cpu {

using namespace mlir;
using mlir::Value;

/// The entry block of a new function of `pointers` pointers, where the builder goes.
static Block *openFunction(OpBuilder &builder, Location location, const std::string &name, size_t pointers) {
  SmallVector<mlir::Type> takes(pointers, LLVM::LLVMPointerType::get(builder.getContext()));
  auto nothing = LLVM::LLVMVoidType::get(builder.getContext());
  auto function = LLVM::LLVMFuncOp::create(builder, location, name, LLVM::LLVMFunctionType::get(nothing, takes));
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  return entry;
}

void buildPrologue(OpBuilder &builder, scan::KernelOp kernel) {
  Location location = kernel.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  Block *entry = openFunction(builder, location, prologueSymbol(kernel), 2);
  Memory memory(builder, location, Place::Workspace); // slots are aligned as it is
  Value params = entry->getArgument(0), slots = entry->getArgument(1);

  IRMapping values;
  int64_t slot = 0;
  for (BlockArgument param : kernel.getPrologue().getArguments()) {
    scan::Storage storage = storageOf(param.getType());
    Value value = memory.load(memory.offset(params, 8 * slot), storage);
    memory.store(value, memory.offset(slots, 8 * slot), storage);
    values.map(param, value);
    ++slot;
  }
  for (Operation &op : kernel.getPrologue().front().without_terminator())
    builder.clone(op, values);
  for (Value result : kernel.yieldOf(kernel.getPrologue()).getValues())
    memory.store(values.lookup(result), memory.offset(slots, 8 * slot++), storageOf(result.getType()));
  LLVM::ReturnOp::create(builder, location, ValueRange());
}

void buildEpilogue(OpBuilder &builder, scan::KernelOp kernel) {
  Location location = kernel.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  Block *entry = openFunction(builder, location, epilogueSymbol(kernel), 3);
  Memory memory(builder, location, Place::Workspace);
  Region &epilogue = kernel.getEpilogue();
  size_t params = kernel.paramTypes().size();

  IRMapping values;
  for (BlockArgument argument : epilogue.getArguments()) {
    size_t number = argument.getArgNumber();
    bool isParam = number < params;
    Value slot = memory.offset(entry->getArgument(isParam ? 0 : 1),
                               8 * static_cast<int64_t>(isParam ? number : number - params));
    values.map(argument, memory.load(slot, storageOf(argument.getType())));
  }
  for (Operation &op : epilogue.front().without_terminator())
    builder.clone(op, values);
  for (auto [number, result] : llvm::enumerate(kernel.yieldOf(epilogue).getValues()))
    memory.store(values.lookup(result), memory.offset(entry->getArgument(2), 8 * static_cast<int64_t>(number)),
                 storageOf(result.getType()));
  LLVM::ReturnOp::create(builder, location, ValueRange());
}

} // namespace flexsn::cpu
