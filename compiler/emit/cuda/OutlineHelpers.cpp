// outline-helpers: what takes several operations becomes a function that the printed step calls by name.
#include "compiler/emit/cuda/CudaPasses.h"
#include "compiler/transforms/LowerOps.h"
#include "dialects/Neuron/Neuron.h"
#include "dialects/Scan/Scan.h"

#include <llvm/ADT/MapVector.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

#include <fmt/format.h>

namespace flexsn::cuda {

#define GEN_PASS_DEF_OUTLINEHELPERSPASS
#include "compiler/emit/cuda/CudaPasses.h.inc"

using namespace mlir;
using mlir::Value; // the front end has values too

namespace {

/// What a helper does not take: a surrogate's arguments steer gradients alone.
OperandRange argumentsOf(Operation *op) {
  return isa<neuron::SpikeOp>(op) ? op->getOperands().take_front(1) : op->getOperands();
}

/// A copy of `op` on `arguments`, as argumentsOf gives them.
Value copyOf(Operation *op, OpBuilder &builder, ValueRange arguments) {
  if (auto spike = dyn_cast<neuron::SpikeOp>(op))
    return neuron::SpikeOp::create(builder, op->getLoc(), spike.getType(), arguments.front(), spike.getSurrogate(),
                                   ValueRange(), spike.getStrict());
  Operation *copy = builder.clone(*op);
  copy->setOperands(arguments);
  return copy->getResult(0);
}

/// Whether the expansion of `op` is longer than one operation. It is made and thrown away.
bool isLong(Operation *op) {
  Region scratch;
  OpBuilder builder(op->getContext());
  Block *block = builder.createBlock(&scratch);
  for (Value argument : argumentsOf(op))
    block->addArgument(argument.getType(), argument.getLoc());
  Value copy = copyOf(op, builder, block->getArguments());
  if (!expansionOf(copy.getDefiningOp()))
    return false; // lower-ops says so
  auto operations = llvm::count_if(*block, [](Operation &made) { return !made.hasTrait<OpTrait::ConstantLike>(); });
  return operations > 2; // the copy is one of them
}

/// The name of the function that `op` calls, without its type.
std::string helperName(Operation *op) {
  std::string name = op->getName().stripDialect().str();
  if (auto spike = dyn_cast<neuron::SpikeOp>(op))
    return spike.getStrict() ? "strict_spike" : name;
  if (auto power = dyn_cast<neuron::IntPowOp>(op)) {
    auto exponent = static_cast<int32_t>(power.getExponent());
    return fmt::format("{}power{}", exponent < 0 ? "inverse_" : "", std::abs(exponent));
  }
  return name;
}

class OutlineHelpers : public impl::OutlineHelpersPassBase<OutlineHelpers> {
  using OutlineHelpersPassBase::OutlineHelpersPassBase;

  void runOnOperation() override {
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<scan::KernelOp>())) {
      SmallVector<Operation *> ops;
      kernel->walk([&](Operation *op) {
        if (isa<neuron::NeuronDialect>(op->getDialect()) && op->getNumRegions() == 0 && op->getNumResults() == 1 &&
            isLong(op))
          ops.push_back(op);
      });
      for (Operation *op : ops)
        outline(op, kernel);
    }
  }

  void outline(Operation *op, scan::KernelOp kernel) {
    func::FuncOp helper = helperOf(op, kernel);
    OpBuilder builder(op);
    auto call = func::CallOp::create(builder, op->getLoc(), helper, ValueRange(argumentsOf(op)));
    op->replaceAllUsesWith(call);
    op->erase();
    ++outlined;
  }

  /// The function around a copy of `op`, made in front of the kernel where it is the first. Its name has a dot, which
  /// no model's name has.
  func::FuncOp helperOf(Operation *op, scan::KernelOp kernel) {
    std::string name = helperName(op);
    llvm::raw_string_ostream(name) << '.' << op->getOperandTypes().front();
    if (auto known = getOperation().lookupSymbol<func::FuncOp>(name))
      return known;
    OpBuilder builder(kernel);
    FunctionType type = builder.getFunctionType(argumentsOf(op).getTypes(), op->getResultTypes());
    auto helper = func::FuncOp::create(builder, op->getLoc(), name, type);
    helper.setPrivate();
    Block *body = helper.addEntryBlock();
    builder.setInsertionPointToStart(body);
    Value copy = copyOf(op, builder, body->getArguments());
    func::ReturnOp::create(builder, op->getLoc(), copy);
    return helper;
  }
};

} // namespace
} // namespace flexsn::cuda
