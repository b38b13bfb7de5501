// outline-functions: a function that a kernel uses very often gets one body that is called.
#include "compiler/emit/cpu/CpuPasses.h"
#include "compiler/frontend/Functions.h"
#include "dialects/Neuron/Neuron.h"
#include "dialects/Scan/Scan.h"

#include <llvm/ADT/MapVector.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>

#include <fmt/format.h>

namespace flexsn::cpu {

#define GEN_PASS_DEF_OUTLINEFUNCTIONSPASS
#include "compiler/emit/cpu/CpuPasses.h.inc"

using namespace mlir;

namespace {

/// Whether the function's expansion is long; that of a rounding, a comparison or a root is shorter than a call.
bool isLong(const FunctionInfo &function) {
  return function.types == FunctionTypes::Real && function.id != Function::Sqrt && function.id != Function::Rsqrt;
}

class OutlineFunctions : public impl::OutlineFunctionsPassBase<OutlineFunctions> {
  using OutlineFunctionsPassBase::OutlineFunctionsPassBase;

  /// One function on one type of argument; calls to it have the same text.
  using Uses = llvm::MapVector<std::pair<OperationName, mlir::Type>, SmallVector<Operation *>>;

  void runOnOperation() override {
    Uses uses;
    for (auto kernel : getOperation().getOps<scan::KernelOp>())
      kernel->walk([&](Operation *op) {
        const FunctionInfo *function = findFunction(op->getName().stripDialect());
        if (isa<neuron::NeuronDialect>(op->getDialect()) && function && isLong(*function))
          uses[{op->getName(), op->getResultTypes().front()}].push_back(op);
      });
    for (auto &[key, ops] : uses)
      if (ops.size() > inlineUses)
        outline(ops);
  }

  void outline(ArrayRef<Operation *> ops) {
    func::FuncOp function = makeBody(*ops.front());
    for (Operation *op : ops) {
      OpBuilder builder(op);
      auto call = func::CallOp::create(builder, op->getLoc(), function, op->getOperands());
      op->replaceAllUsesWith(call);
      op->erase();
      ++outlined;
    }
  }

  /// A function around a copy of `op`. Its name has a dot, which no model's name has.
  func::FuncOp makeBody(Operation &op) {
    OpBuilder builder = OpBuilder::atBlockBegin(getOperation().getBody());
    std::string type;
    llvm::raw_string_ostream(type) << op.getResultTypes().front();
    auto function =
        func::FuncOp::create(builder, op.getLoc(), fmt::format("{}.{}", op.getName().stripDialect().str(), type),
                             builder.getFunctionType(op.getOperandTypes(), op.getResultTypes()));
    function.setPrivate();
    function->setAttr("llvm.linkage", LLVM::LinkageAttr::get(&getContext(), LLVM::Linkage::Internal));
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToStart(body);
    Operation *copy = builder.clone(op);
    copy->setOperands(body->getArguments());
    func::ReturnOp::create(builder, op.getLoc(), copy->getResults());
    return function;
  }
};

} // namespace

} // namespace flexsn::cpu
