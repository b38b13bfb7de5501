#include "compiler/import/ExprImport.h"

#include "compiler/frontend/Functions.h"
#include "compiler/frontend/Surrogates.h"
#include "compiler/import/Locations.h"
#include "dialects/Neuron/Neuron.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/SaveAndRestore.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace flexsn {

static unsigned lanesIn(mlir::Type type) {
  auto vector = llvm::dyn_cast<VectorType>(type);
  return vector ? vector.getDimSize(0) : 1;
}

ExprImport::ExprImport(OpBuilder &builder, const Model &model, FloatType compute, Diagnostics &diagnostics)
    : builder(builder), source(*model.source), diagnostics(diagnostics), whole(model.span), compute(compute) {
  for (const Param &param : model.params)
    params[param.value] = &param;
}

mlir::Type ExprImport::scalarOf(Type type) const {
  return type == Type::Float ? mlir::Type(compute)
         : type == Type::Int ? mlir::Type(builder.getI32Type())
                             : mlir::Type(builder.getI1Type());
}

mlir::Type ExprImport::typeOf(Type type, unsigned lanes) const {
  int64_t count = std::max(lanes, bodyLanes);
  return count > 1 ? mlir::Type(VectorType::get({count}, scalarOf(type))) : scalarOf(type);
}

mlir::Location ExprImport::locationAt(Span span) const {
  return place ? *place : locationOf(source, span, *builder.getContext());
}

mlir::Location ExprImport::namedLocation(const Value &value, Span span) const {
  return NameLoc::get(builder.getStringAttr(value.name), locationAt(span));
}

mlir::Value ExprImport::constant(double number, Type type, unsigned lanes, mlir::Location location) {
  TypedAttr attribute;
  if (type == Type::Float) {
    APFloat value(number);
    bool inexact;
    value.convert(compute.getFloatSemantics(), APFloat::rmNearestTiesToEven, &inexact);
    attribute = FloatAttr::get(compute, value);
    if (value.isInfinity() && std::isfinite(number)) {
      failed = true;
      diagnostics.report(Severity::Error, spanOf(source, location).value_or(whole),
                         fmt::format("{} is out of float32's range, which ends at 3.4e38", number));
    }
  } else {
    attribute = IntegerAttr::get(scalarOf(type), static_cast<int64_t>(number));
  }
  if (auto vector = llvm::dyn_cast<VectorType>(typeOf(type, lanes)))
    attribute = DenseElementsAttr::get(vector, attribute);
  return arith::ConstantOp::create(builder, location, attribute);
}

/// Floats and ints become bools by comparison with 0; the checker asks for that nowhere but is free to.
mlir::Value ExprImport::cast(mlir::Value value, Type to, mlir::Location location) {
  mlir::Type from = value.getType();
  unsigned lanes = lanesIn(from);
  mlir::Type target = typeOf(to, lanes);
  if (from == target)
    return value;
  bool fromFloat = neuron::floatIn(from) != nullptr;
  bool fromBool = getElementTypeOrSelf(from).isInteger(1);
  switch (to) {
  case Type::Float:
    if (fromBool)
      return arith::UIToFPOp::create(builder, location, target, value);
    return arith::SIToFPOp::create(builder, location, target, value);
  case Type::Int:
    if (fromFloat)
      return neuron::ToIntOp::create(builder, location, target, value);
    return arith::ExtUIOp::create(builder, location, target, value);
  case Type::Bool:
    if (fromFloat)
      return arith::CmpFOp::create(builder, location, arith::CmpFPredicate::UNE, value,
                                   constant(0, Type::Float, lanes, location));
    return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ne, value,
                                 constant(0, Type::Int, lanes, location));
  }
  llvm_unreachable("all types are covered");
}

mlir::Value ExprImport::emit(const Expr &expr) {
  // a + b + c + ... leans to the left as far as the text is long: no recursion along it.
  llvm::SmallVector<const Expr *, 8> chain;
  const Expr *leftmost = &expr;
  for (; !leftmost->operands.empty() && leftmost->op != Op::Let; leftmost = leftmost->operands.front())
    chain.push_back(leftmost);
  mlir::Value value = emitFirst(*leftmost);
  for (const Expr *node : llvm::reverse(chain)) {
    llvm::SmallVector<mlir::Value, 4> operands = {value};
    for (const Expr *operand : llvm::drop_begin(node->operands))
      operands.push_back(emit(*operand));
    value = emitOperation(*node, operands);
  }
  return value;
}

mlir::Value ExprImport::emitLanewise(const Expr &expr, unsigned lanes) {
  llvm::SaveAndRestore body(bodyLanes, lanes);
  return emit(expr);
}

/// What a chain begins with: an expression without operands, or one that names a value for the rest of it.
mlir::Value ExprImport::emitFirst(const Expr &expr) {
  switch (expr.op) {
  case Op::Constant: return constant(expr.number, expr.type, expr.lanes, locationAt(expr.span));
  case Op::Read: return lookup(expr.value);
  case Op::Let: bind(expr.value, emit(*expr.operands[0])); return emit(*expr.operands[1]);
  default: return emitOperation(expr, {});
  }
}

mlir::Value ExprImport::emitOperation(const Expr &expr, llvm::ArrayRef<mlir::Value> operands) {
  mlir::Location location = locationAt(expr.span);
  mlir::Type type = typeOf(expr.type, expr.lanes);
  switch (expr.op) {
  case Op::Negate:
    if (expr.type == Type::Float)
      return arith::NegFOp::create(builder, location, operands[0]);
    return arith::SubIOp::create(builder, location, constant(0, expr.type, expr.lanes, location), operands[0]);
  case Op::Not:
    return arith::XOrIOp::create(builder, location, operands[0], constant(1, Type::Bool, expr.lanes, location));
  case Op::IntegerPower:
    return neuron::IntPowOp::create(builder, location, type, operands[0], static_cast<int32_t>(expr.integer));
  case Op::Less:
  case Op::LessEqual:
  case Op::Greater:
  case Op::GreaterEqual:
  case Op::Equal:
  case Op::NotEqual: return emitComparison(expr, operands[0], operands[1]);
  case Op::Select: return arith::SelectOp::create(builder, location, operands[0], operands[1], operands[2]);
  case Op::Call: return emitCall(expr, operands);
  case Op::Spike: return emitSpike(expr, operands);
  case Op::Surrogate: return emitSurrogate(expr, operands);
  case Op::Quant: return neuron::QuantOp::create(builder, location, type, operands[0], operands[1], operands[2]);
  case Op::Detach: return neuron::DetachOp::create(builder, location, type, operands[0]);
  case Op::ScaleGradient: return neuron::ScaleGradientOp::create(builder, location, type, operands[0], operands[1]);
  case Op::Uniform:
  case Op::Normal:
  case Op::Bernoulli:
  case Op::Prev:
  case Op::Delay: return emitTime(expr, operands);
  case Op::Lane:
    return neuron::LaneOp::create(builder, location, type, operands[0], static_cast<int32_t>(expr.integer));
  case Op::Cast: return cast(operands[0], expr.type, location);
  case Op::Broadcast: return neuron::SplatOp::create(builder, location, type, operands[0]);
  default: return emitArithmetic(expr, operands[0], operands[1]);
  }
}

mlir::Value ExprImport::emitArithmetic(const Expr &expr, mlir::Value left, mlir::Value right) {
  mlir::Location location = locationAt(expr.span);
  bool real = expr.type == Type::Float;
  switch (expr.op) {
  case Op::Add:
    return real ? mlir::Value(arith::AddFOp::create(builder, location, left, right))
                : mlir::Value(arith::AddIOp::create(builder, location, left, right));
  case Op::Subtract:
    return real ? mlir::Value(arith::SubFOp::create(builder, location, left, right))
                : mlir::Value(arith::SubIOp::create(builder, location, left, right));
  case Op::Multiply:
    return real ? mlir::Value(arith::MulFOp::create(builder, location, left, right))
                : mlir::Value(arith::MulIOp::create(builder, location, left, right));
  case Op::Divide: return arith::DivFOp::create(builder, location, left, right);
  case Op::FloorDivide: return neuron::FloorDivOp::create(builder, location, left.getType(), left, right);
  case Op::Remainder: return neuron::RemainderOp::create(builder, location, left.getType(), left, right);
  case Op::Power: return neuron::PowOp::create(builder, location, left.getType(), left, right);
  case Op::And: return arith::AndIOp::create(builder, location, left, right);
  case Op::Or: return arith::OrIOp::create(builder, location, left, right);
  default: llvm_unreachable("no other operator takes two operands");
  }
}

mlir::Value ExprImport::emitComparison(const Expr &expr, mlir::Value left, mlir::Value right) {
  using Real = arith::CmpFPredicate;
  using Whole = arith::CmpIPredicate;
  struct Predicates {
    Real real; ///< ordered: a comparison with NaN is false, but for !=
    Whole whole, logic;
  };
  auto predicates = [&]() -> Predicates {
    switch (expr.op) {
    case Op::Less: return {Real::OLT, Whole::slt, Whole::ult};
    case Op::LessEqual: return {Real::OLE, Whole::sle, Whole::ule};
    case Op::Greater: return {Real::OGT, Whole::sgt, Whole::ugt};
    case Op::GreaterEqual: return {Real::OGE, Whole::sge, Whole::uge};
    case Op::Equal: return {Real::OEQ, Whole::eq, Whole::eq};
    default: return {Real::UNE, Whole::ne, Whole::ne};
    }
  }();
  mlir::Location location = locationAt(expr.span);
  mlir::Type type = getElementTypeOrSelf(left.getType());
  if (llvm::isa<FloatType>(type))
    return arith::CmpFOp::create(builder, location, predicates.real, left, right);
  return arith::CmpIOp::create(builder, location, type.isInteger(1) ? predicates.logic : predicates.whole, left, right);
}

mlir::Value ExprImport::emitCall(const Expr &expr, llvm::ArrayRef<mlir::Value> operands) {
  mlir::Location location = locationAt(expr.span);
  mlir::Type type = typeOf(expr.type, expr.lanes);
  switch (expr.function->id) {
#define FLEXSN_FUNCTION(id, name, arity, types, summary)                                                               \
  case Function::id:                                                                                                   \
    return neuron::id##Op::create(builder, location, TypeRange(type), ValueRange(operands)).getResult();
#include "compiler/frontend/Functions.def"
  }
  llvm_unreachable("all functions are covered");
}

mlir::Value ExprImport::emitTime(const Expr &expr, llvm::ArrayRef<mlir::Value> operands) {
  mlir::Location location = locationAt(expr.span);
  mlir::Type type = typeOf(expr.type, expr.lanes);
  auto draw = [&](neuron::Distribution distribution, mlir::Value probability) {
    return neuron::RandomOp::create(builder, location, type, distribution, probability,
                                    static_cast<int32_t>(expr.integer));
  };
  switch (expr.op) {
  case Op::Uniform: return draw(neuron::Distribution::Uniform, {});
  case Op::Normal: return draw(neuron::Distribution::Normal, {});
  case Op::Bernoulli: return draw(neuron::Distribution::Bernoulli, operands[0]);
  case Op::Prev:
    return neuron::PrevOp::create(builder, location, type, expr.value->name, static_cast<int32_t>(expr.integer));
  default: {
    double longest = params.lookup(expr.operands[0]->value)->bounds->high; // rule 13: a delay is a bounded parameter
    auto within = std::max(1, static_cast<int32_t>(std::ceil(longest)));
    return neuron::DelayOp::create(builder, location, type, expr.value->name, operands[0], within);
  }
  }
}

//===---- Spikes ----===//

/// A surrogate's parameters are scalars; a spike of lanes takes them in every lane.
mlir::Value ExprImport::emitSpike(const Expr &expr, llvm::ArrayRef<mlir::Value> operands) {
  mlir::Location location = locationAt(expr.span);
  mlir::Type type = typeOf(expr.type, expr.lanes);
  llvm::SmallVector<mlir::Value> arguments;
  for (mlir::Value argument : operands.drop_front())
    arguments.push_back(argument.getType() == type ? argument
                                                   : neuron::SplatOp::create(builder, location, type, argument));
  return neuron::SpikeOp::create(builder, location, type, operands[0], expr.surrogate->name, arguments, expr.strict);
}

void ExprImport::fillRegion(Region &region, const SurrogateDefinition &definition, TypeRange types,
                            llvm::ArrayRef<std::pair<const Expr *, mlir::Type>> results) {
  OpBuilder::InsertionGuard guard(builder);
  mlir::Location location = locationAt(definition.span);
  llvm::SmallVector<mlir::Location> locations(types.size(), location);
  Block *block = builder.createBlock(&region, {}, types, locations);
  for (auto [parameter, argument] : llvm::zip(definition.parameters, block->getArguments()))
    bind(parameter, argument);
  llvm::SmallVector<mlir::Value> yielded;
  for (auto [expr, type] : results) {
    mlir::Value value = emitLanewise(*expr, lanesIn(type));
    yielded.push_back(neuron::floatIn(type) ? cast(value, Type::Float, locationAt(expr->span)) : value);
  }
  neuron::YieldOp::create(builder, location, yielded);
}

mlir::Value ExprImport::emitSurrogate(const Expr &expr, llvm::ArrayRef<mlir::Value> operands) {
  const SurrogateDefinition &definition = *expr.definition;
  mlir::Type type = typeOf(expr.type, expr.lanes);
  llvm::SmallVector<int32_t> wrt;
  llvm::SmallVector<std::pair<const Expr *, mlir::Type>> gradients;
  for (auto [parameter, gradient] : definition.gradients) {
    size_t index = llvm::find(definition.parameters, parameter) - definition.parameters.begin();
    wrt.push_back(static_cast<int32_t>(index));
    gradients.emplace_back(gradient, operands[index].getType());
  }
  auto op = neuron::SurrogateOp::create(builder, locationAt(expr.span), type, definition.name, operands, wrt);
  TypeRange types = op.getArguments().getTypes();
  fillRegion(op.getValue(), definition, types, {{definition.value, type}});
  fillRegion(op.getGrad(), definition, types, gradients);
  if (definition.primitive)
    fillRegion(op.getPrimitive(), definition, types, {{definition.primitive, type}});
  return op;
}

} // namespace flexsn
