// The kernel's function: its call, then the loops of its kind.
#include "compiler/emit/cpu/KernelBuilder.h"

#include "compiler/emit/cpu/KernelFrame.h"

#include <mlir/Dialect/LLVMIR/LLVMDialect.h>

namespace flexsn::cpu {

using namespace mlir;

LogicalResult buildKernel(OpBuilder &builder, scan::KernelOp kernel, bool halfInstructions) {
  KernelFrame frame(builder, kernel, halfInstructions);
  frame.buildFunctions();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto nothing = LLVM::LLVMVoidType::get(builder.getContext());
  auto function = LLVM::LLVMFuncOp::create(builder, kernel.getLoc(), kernelSymbol(kernel),
                                           LLVM::LLVMFunctionType::get(nothing, {pointer}));
  OpBuilder::InsertionGuard guard(builder);
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  frame.load(entry->getArgument(0));
  if (failed(kernel.getKind() == scan::Kind::Backward ? buildBackward(frame) : buildForward(frame)))
    return failure();
  if (frame.isStreaming())
    frame.scalars.finishStreams();
  LLVM::ReturnOp::create(builder, kernel.getLoc(), ValueRange());
  return success();
}

} // namespace flexsn::cpu
