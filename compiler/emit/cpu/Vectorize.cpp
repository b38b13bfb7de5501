#include "compiler/emit/cpu/Vectorize.h"

#include <fmt/format.h>
#include <llvm/ADT/TypeSwitch.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>

namespace flexsn::cpu {

using namespace mlir;

VectorType vectorOf(Type scalar, unsigned width) { return VectorType::get({width}, scalar); }

Value splat(OpBuilder &builder, Location location, Value scalar, unsigned width) {
  return vector::BroadcastOp::create(builder, location, vectorOf(scalar.getType(), width), scalar);
}

namespace {

/// Clones one op after the other; regions recursively.
class Cloner {
public:
  Cloner(OpBuilder &builder, unsigned width, IRMapping &values) : builder(builder), width(width), values(values) {}

  LogicalResult cloneBody(Block &block) {
    for (Operation &op : block.without_terminator())
      if (failed(clone(op)))
        return failure();
    return success();
  }

private:
  LogicalResult clone(Operation &op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
        .Case([&](arith::ConstantOp constant) { return cloneConstant(constant); })
        .Case([&](func::CallOp call) { return cloneCall(call); })
        .Case([&](scf::IfOp branch) { return cloneBranch(branch); })
        .Default([&](Operation *other) { return cloneElementwise(other); });
  }

  LogicalResult cloneConstant(arith::ConstantOp constant) {
    auto element = dyn_cast<TypedAttr>(constant.getValue());
    if (!element || !element.getType().isIntOrFloat())
      return constant.emitOpError("has no vector form");
    auto vector = DenseElementsAttr::get(vectorOf(element.getType(), width), Attribute(element));
    values.map(constant.getResult(), arith::ConstantOp::create(builder, constant.getLoc(), vector).getResult());
    return success();
  }

  LogicalResult cloneElementwise(Operation *op) {
    bool scalar = llvm::all_of(op->getResultTypes(), [](Type type) { return type.isIntOrFloat(); });
    if (!scalar || !OpTrait::hasElementwiseMappableTraits(op) || op->getNumRegions() != 0)
      return op->emitOpError("has no vector form");
    Operation *copy = builder.clone(*op, values);
    for (OpResult result : copy->getResults())
      result.setType(vectorOf(result.getType(), width));
    return success();
  }

  LogicalResult cloneCall(func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
    if (call.getNumResults() != 1 || !callee)
      return call.emitOpError("has no vector form");
    return callee.isExternal() ? callForEachLane(call) : callOnVectors(call, callee);
  }

  /// A function of ours is called in its form for vectors, made at its first call.
  LogicalResult callOnVectors(func::CallOp call, func::FuncOp scalar) {
    std::string name = fmt::format("{}.x{}", scalar.getSymName().str(), width);
    auto onVectors = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, builder.getStringAttr(name));
    if (!onVectors) {
      onVectors = makeOnVectors(scalar, name);
      if (!onVectors)
        return failure();
    }
    SmallVector<Value> operands = llvm::map_to_vector(call.getOperands(), [&](Value v) { return values.lookup(v); });
    values.map(call.getResult(0), func::CallOp::create(builder, call.getLoc(), onVectors, operands).getResult(0));
    return success();
  }

  func::FuncOp makeOnVectors(func::FuncOp scalar, StringRef name) {
    OpBuilder outside(scalar);
    func::FuncOp made = scalar.cloneWithoutRegions();
    made.setSymName(name);
    auto onVectors = [&](ArrayRef<Type> types) {
      return llvm::map_to_vector(types, [&](Type type) -> Type { return vectorOf(type, width); });
    };
    made.setFunctionType(
        outside.getFunctionType(onVectors(scalar.getArgumentTypes()), onVectors(scalar.getResultTypes())));
    outside.insert(made);
    Block *body = made.addEntryBlock();
    outside.setInsertionPointToStart(body);
    IRMapping arguments;
    arguments.map(scalar.getArguments(), body->getArguments());
    if (failed(cloneOntoVectors(outside, scalar.front(), width, arguments)))
      return {};
    auto result = cast<func::ReturnOp>(scalar.front().getTerminator());
    func::ReturnOp::create(outside, scalar.getLoc(), arguments.lookup(result.getOperand(0)));
    return made;
  }

  /// A platform function knows one element: a call a lane.
  LogicalResult callForEachLane(func::CallOp call) {
    Location location = call.getLoc();
    VectorType type = vectorOf(call.getResultTypes().front(), width);
    Value result = arith::ConstantOp::create(builder, location, builder.getZeroAttr(type));
    for (int64_t lane = 0; lane < width; ++lane) {
      SmallVector<Value> operands;
      for (Value operand : call.getOperands())
        operands.push_back(vector::ExtractOp::create(builder, location, values.lookup(operand), lane));
      auto one = func::CallOp::create(builder, location, call.getCallee(), call.getResultTypes(), operands);
      result = vector::InsertOp::create(builder, location, one.getResult(0), result, lane);
    }
    values.map(call.getResult(0), result);
    return success();
  }

  /// Ops have no effects, so the else side is computed for all lanes; the then side for all lanes too, but only if one
  /// of them needs it. The lanes' own conditions choose.
  LogicalResult cloneBranch(scf::IfOp branch) {
    if (branch.getElseRegion().empty())
      return branch.emitOpError("has no vector form");
    auto shared = values.lookup(branch.getCondition()).getDefiningOp<vector::BroadcastOp>();
    if (shared && shared.getSource().getType().isInteger(1))
      return cloneSharedBranch(branch, shared.getSource());
    if (failed(cloneBody(*branch.elseBlock())))
      return failure();
    SmallVector<Value> otherwise;
    for (Value value : branch.elseYield().getOperands())
      otherwise.push_back(values.lookup(value));

    Location location = branch.getLoc();
    Value condition = values.lookup(branch.getCondition());
    Value any = vector::ReductionOp::create(builder, location, vector::CombiningKind::OR, condition);
    auto chosen = scf::IfOp::create(builder, location, TypeRange(ValueRange(otherwise)), any, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(chosen.thenBlock());
    if (failed(cloneBody(*branch.thenBlock())))
      return failure();
    SmallVector<Value> selected;
    for (auto [value, other] : llvm::zip_equal(branch.thenYield().getOperands(), otherwise))
      selected.push_back(arith::SelectOp::create(builder, location, condition, values.lookup(value), other));
    scf::YieldOp::create(builder, location, selected);
    builder.setInsertionPointToStart(chosen.elseBlock());
    scf::YieldOp::create(builder, location, otherwise);
    values.map(branch.getResults(), chosen.getResults());
    return success();
  }

  /// All lanes have the same condition: one side is computed.
  LogicalResult cloneSharedBranch(scf::IfOp branch, Value condition) {
    auto types = llvm::map_to_vector(branch.getResultTypes(), [&](Type type) -> Type { return vectorOf(type, width); });
    auto chosen = scf::IfOp::create(builder, branch.getLoc(), types, condition, /*withElseRegion=*/true);
    for (auto [from, to] :
         {std::pair{branch.thenBlock(), chosen.thenBlock()}, {branch.elseBlock(), chosen.elseBlock()}}) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(to);
      if (failed(cloneBody(*from)))
        return failure();
      auto yielded =
          llvm::map_to_vector(from->getTerminator()->getOperands(), [&](Value v) { return values.lookup(v); });
      scf::YieldOp::create(builder, branch.getLoc(), yielded);
    }
    values.map(branch.getResults(), chosen.getResults());
    return success();
  }

  OpBuilder &builder;
  unsigned width;
  IRMapping &values;
};

} // namespace

LogicalResult cloneOntoVectors(OpBuilder &builder, Block &block, unsigned width, IRMapping &values) {
  return Cloner(builder, width, values).cloneBody(block);
}

} // namespace flexsn::cpu
