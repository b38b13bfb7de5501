#include "compiler/emit/cpu/SumTree.h"

#include "compiler/emit/cpu/CpuEmitter.h"
#include "compiler/emit/cpu/Memory.h"
#include "compiler/emit/cpu/TileLoops.h"
#include "compiler/emit/cpu/Vectorize.h"
#include "runtime/KernelAbi.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>

namespace flexsn::cpu {

using namespace mlir;
using mlir::Value; // the front end has values too

Value neutralOf(OpBuilder &builder, Location location, mlir::Type real, unsigned width) {
  auto zero = builder.getFloatAttr(real, -0.0);
  return arith::ConstantOp::create(builder, location, DenseElementsAttr::get(vectorOf(real, width), Attribute(zero)));
}

namespace {

class SumBuilder {
public:
  SumBuilder(OpBuilder &builder, scan::KernelOp kernel)
      : builder(builder), location(kernel.getLoc()), name(sumSymbol(kernel)), width(kernel.getCpuSchedule().getWidth()),
        type(kernel.yieldOf(kernel.getAdjoint()).getValues().back().getType()),
        memory(builder, location, Place::Workspace, width), loops(builder, location, width, /*inQuarters=*/false) {}

  LLVM::LLVMFuncOp build();

private:
  void halveRow(Value row, int64_t left);
  Value addNeighbours(Value first, Value second, int64_t results);
  Value element(Value row, Value index) { return memory.element(row, index, storageOf(type)); }

  OpBuilder &builder;
  Location location;
  std::string name;
  unsigned width;
  mlir::Type type;
  Memory memory;
  TileLoops loops;
};

} // namespace

/// Of the elements of two vectors, one behind the other: 0 + 1, 2 + 3, ...
Value SumBuilder::addNeighbours(Value first, Value second, int64_t results) {
  SmallVector<int64_t> even, odd;
  for (int64_t i = 0; i < results; ++i) {
    even.push_back(2 * i);
    odd.push_back(2 * i + 1);
  }
  Value left = vector::ShuffleOp::create(builder, location, first, second, even);
  Value right = vector::ShuffleOp::create(builder, location, first, second, odd);
  return arith::AddFOp::create(builder, location, left, right);
}

/// The next level of the tree: `left` sums of neighbours, in front of the row. What is read lies behind what has been
/// written.
void SumBuilder::halveRow(Value row, int64_t left) {
  Value lanes = memory.longConstant(width);
  Value none = memory.longConstant(0), count = memory.longConstant(left);
  (void)loops.forRange(none, count, width, [&](Value index) {
    Value from = arith::AddIOp::create(builder, location, index, index);
    Value first = memory.load(element(row, from), storageOf(type));
    Value behind = arith::AddIOp::create(builder, location, from, lanes);
    Value second = memory.load(element(row, behind), storageOf(type));
    memory.store(addNeighbours(first, second, width), element(row, index), storageOf(type));
    return success();
  });
}

LLVM::LLVMFuncOp SumBuilder::build() {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto function = LLVM::LLVMFuncOp::create(builder, location, name, LLVM::LLVMFunctionType::get(type, {pointer}),
                                           LLVM::Linkage::Internal);
  OpBuilder::InsertionGuard guard(builder);
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  Value row = entry->getArgument(0);
  for (int64_t left = sumGroup / 2; left >= width; left /= 2)
    halveRow(row, left);
  Value sums = memory.load(row, storageOf(type));
  for (int64_t left = width / 2; left > 0; left /= 2)
    sums = addNeighbours(sums, sums, left);
  LLVM::ReturnOp::create(builder, location, Value(vector::ExtractOp::create(builder, location, sums, 0)));
  return function;
}

LLVM::LLVMFuncOp buildSum(OpBuilder &builder, scan::KernelOp kernel) { return SumBuilder(builder, kernel).build(); }

} // namespace flexsn::cpu
