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

/// Whether the expansion of `op` is longer than one operation.
bool isLong(Operation *op) {
  size_t operations = 0;
  walkExpansion(op, [&](Operation *made) { operations += made->hasTrait<OpTrait::ConstantLike>() ? 0 : 1; });
  return operations > 1;
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
    auto call = func::CallOp::create(builder, op->getLoc(), helper, ValueRange(expandedOperands(op)));
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
    FunctionType type = builder.getFunctionType(expandedOperands(op).getTypes(), op->getResultTypes());
    auto helper = func::FuncOp::create(builder, op->getLoc(), name, type);
    helper.setPrivate();
    Block *body = helper.addEntryBlock();
    builder.setInsertionPointToStart(body);
    Value copy = copyForExpansion(op, builder, body->getArguments());
    func::ReturnOp::create(builder, op->getLoc(), copy);
    return helper;
  }
};

} // namespace
} // namespace flexsn::cuda
