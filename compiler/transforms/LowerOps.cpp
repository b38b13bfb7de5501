// lower-ops: neuron functions, spikes and arithmetic -> arith, math.fma, calls of platform functions.
#include "compiler/transforms/LowerOps.h"

#include "compiler/Passes.h"
#include "compiler/math/Expansions.h"
#include "compiler/math/Functions.h"
#include "dialects/Scan/Scan.h"

#include <llvm/ADT/TypeSwitch.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>
#include <mlir/IR/Matchers.h>
#include <mlir/IR/PatternMatch.h>

#include <map>

namespace flexsn {

#define GEN_PASS_DEF_LOWEROPSPASS
#include "compiler/Passes.h.inc"

using namespace mlir;
using math::Context;
using math::Element;
using math::F;
using math::I;

namespace {

class LowerOps : public impl::LowerOpsPassBase<LowerOps> {
public:
  using LowerOpsPassBase::LowerOpsPassBase;

private:
  void runOnOperation() override;

  LogicalResult lower(Operation *op);
  LogicalResult declarePlatformFunctions();
};

} // namespace

/// What the elements of `type` are, or none for a bool.
static std::optional<Element> elementOf(mlir::Type type) {
  mlir::Type element = getElementTypeOrSelf(type);
  if (element.isF32())
    return Element::F32;
  if (element.isF64())
    return Element::F64;
  if (element.isInteger(32))
    return Element::I32;
  return std::nullopt;
}

/// The op's value, made in front of it, for ops beside the list of functions; null where the op is none of them.
static mlir::Value lowerOperator(Operation *op, Context &context, Element element) {
  auto f = [&](unsigned operand) { return F(context, op->getOperand(operand)); };
  auto i = [&](unsigned operand) { return I(context, op->getOperand(operand)); };
  bool isInt = element == Element::I32;
  return llvm::TypeSwitch<Operation *, mlir::Value>(op)
      .Case([&](neuron::DetachOp detach) { return detach.getX(); })
      .Case([&](neuron::ScaleGradientOp scale) { return scale.getX(); })
      .Case([&](neuron::SpikeOp spike) { return math::spike(f(0), spike.getStrict()).in(context); })
      .Case([&](neuron::QuantOp) { return math::quant(f(0), f(1), f(2)).in(context); })
      .Case([&](neuron::ToIntOp) { return math::toInt(f(0)).in(context); })
      .Case([&](neuron::FloorDivOp) {
        return isInt ? math::ints::floordiv(i(0), i(1)).in(context) : math::floordiv(f(0), f(1)).in(context);
      })
      .Case([&](neuron::RemainderOp) {
        return isInt ? math::ints::remainder(i(0), i(1)).in(context) : math::remainder(f(0), f(1)).in(context);
      })
      .Case([&](neuron::IntPowOp power) {
        int exponent = static_cast<int32_t>(power.getExponent());
        return isInt ? math::ints::ipow(i(0), exponent).in(context) : math::ipow(f(0), exponent).in(context);
      })
      .Default([](Operation *) { return mlir::Value(); });
}

mlir::Value expansionOf(Operation *op) {
  if (auto detach = dyn_cast<neuron::DetachOp>(op))
    return detach.getX(); // of any type, bools too
  std::optional<Element> element = elementOf(op->getOperandTypes().front());
  if (!element)
    return {};
  OpBuilder builder(op);
  FloatType compute = *element == Element::F64 ? FloatType(builder.getF64Type()) : FloatType(builder.getF32Type());
  Context context(builder, op->getLoc(), op->getOperandTypes().front(), compute);
  if (const FunctionInfo *function = findFunction(op->getName().stripDialect()))
    return hasExpansion(function->id, *element) ? expand(function->id, *element, context, op->getOperands())
                                                : mlir::Value();
  return lowerOperator(op, context, *element);
}

OperandRange expandedOperands(Operation *op) {
  return isa<neuron::SpikeOp>(op) ? op->getOperands().take_front(1) : op->getOperands();
}

mlir::Value copyForExpansion(Operation *op, OpBuilder &builder, ValueRange operands) {
  if (auto spike = dyn_cast<neuron::SpikeOp>(op))
    return neuron::SpikeOp::create(builder, op->getLoc(), spike.getType(), operands.front(), spike.getSurrogate(),
                                   ValueRange(), spike.getStrict());
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  return copy->getResult(0);
}

void walkExpansion(Operation *op, llvm::function_ref<void(Operation *)> visit) {
  Region scratch;
  OpBuilder builder(op->getContext());
  Block *block = builder.createBlock(&scratch);
  for (mlir::Value operand : expandedOperands(op))
    block->addArgument(operand.getType(), operand.getLoc());
  mlir::Value copy = copyForExpansion(op, builder, block->getArguments());
  if (!expansionOf(copy.getDefiningOp()))
    return; // lower-ops says so
  copy.getDefiningOp()->erase();
  block->walk(visit);
}

/// The quotient is found from the reciprocal where that takes less time than a division, `refine`.
static void lowerDivision(scan::DivideOp division, bool refine) {
  OpBuilder builder(division);
  Location location = division.getLoc();
  mlir::Type type = division.getType();
  mlir::Value a = division.getNumerator(), d = division.getDivisor(), r = division.getReciprocal();
  Context context(builder, location, type, cast<FloatType>(type));
  auto product = [&]() -> mlir::Value { return arith::MulFOp::create(builder, location, a, r); };
  auto quotient = [&]() -> mlir::Value {
    if (!refine)
      return arith::DivFOp::create(builder, location, a, d);
    return math::divideByInvariant(F(context, a), F(context, d), F(context, r)).in(context);
  };
  mlir::Value result;
  if (BoolAttr exact; matchPattern(division.getExact(), m_Constant(&exact))) {
    result = exact.getValue() ? product() : quotient();
  } else {
    auto branch = scf::IfOp::create(builder, location, TypeRange(type), division.getExact(), /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, location, product());
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, location, quotient());
    result = branch.getResult(0);
  }
  division.replaceAllUsesWith(result);
  division.erase();
}

void inlineValue(neuron::SurrogateOp surrogate) {
  IRRewriter rewriter(surrogate);
  Block &body = surrogate.getValue().front();
  Operation *yield = body.getTerminator();
  rewriter.inlineBlockBefore(&body, surrogate, surrogate.getArguments());
  mlir::Value value = yield->getOperand(0);
  rewriter.eraseOp(yield);
  rewriter.replaceOp(surrogate, value);
}

LogicalResult LowerOps::lower(Operation *op) {
  mlir::Value value = op->getNumOperands() > 0 && op->getNumResults() == 1 ? expansionOf(op) : mlir::Value();
  if (!value)
    return op->emitOpError("has no form in a kernel");
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
  ++expanded;
  return success();
}

/// Gives each function that an expansion calls its declaration, in the order of names.
LogicalResult LowerOps::declarePlatformFunctions() {
  ModuleOp module = getOperation();
  std::map<StringRef, func::CallOp> calls;
  module.walk([&](func::CallOp call) { calls.try_emplace(call.getCallee(), call); });
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  for (auto [name, call] : calls) {
    Operation *known = SymbolTable::lookupSymbolIn(module, name);
    if (!known)
      func::FuncOp::create(builder, call.getLoc(), name, call.getCalleeType()).setPrivate();
    else if (auto function = dyn_cast<func::FuncOp>(known);
             !function || function.getFunctionType() != call.getCalleeType())
      return known->emitError() << "has the name of the platform function '" << name << "'";
  }
  return success();
}

void LowerOps::runOnOperation() {
  // Inner surrogates come first, so that a value region that is moved holds none.
  SmallVector<neuron::SurrogateOp> surrogates;
  SmallVector<Operation *> ops;
  Dialect *dialect = getContext().getLoadedDialect<neuron::NeuronDialect>();
  auto outsideModels = [](Operation *op) {
    return !isa<neuron::ModelOp>(op) && !op->getParentOfType<neuron::ModelOp>();
  };
  getOperation().walk([&](neuron::SurrogateOp op) {
    if (outsideModels(op))
      surrogates.push_back(op);
  });
  for (neuron::SurrogateOp op : surrogates)
    inlineValue(op);

  SmallVector<scan::DivideOp> divisions;
  getOperation().walk([&](Operation *op) {
    if (op->getDialect() == dialect && outsideModels(op))
      ops.push_back(op);
    else if (auto division = dyn_cast<scan::DivideOp>(op); division && !keepDivisions)
      divisions.push_back(division);
  });
  for (scan::DivideOp division : divisions)
    lowerDivision(division, fusedInstructions && divisions.size() <= refinedDivisions);
  for (Operation *op : ops)
    if (failed(lower(op)))
      return signalPassFailure();
  if (failed(declarePlatformFunctions()))
    signalPassFailure();
}

} // namespace flexsn
