// The prologue: launch-invariant values, once a launch, in scalars.
#include "compiler/emit/cpu/CpuEmitter.h"
#include "compiler/emit/cpu/KernelBuilder.h"
#include "compiler/emit/cpu/Memory.h"

#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/IR/IRMapping.h>

namespace flexsn::cpu {

using namespace mlir;
using mlir::Value;

void buildPrologue(OpBuilder &builder, scan::KernelOp kernel) {
  Location location = kernel.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto nothing = LLVM::LLVMVoidType::get(builder.getContext());
  auto function = LLVM::LLVMFuncOp::create(builder, location, prologueSymbol(kernel),
                                           LLVM::LLVMFunctionType::get(nothing, {pointer, pointer}));
  OpBuilder::InsertionGuard guard(builder);
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
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

} // namespace flexsn::cpu
