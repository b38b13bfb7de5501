#include "compiler/math/Value.h"

#include <llvm/Support/ErrorHandling.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>

namespace flexsn::math {

namespace arith = mlir::arith;

// ---- Context --------------------------------------------------------------------------------------------------------

Context::Context(mlir::OpBuilder &builder, mlir::Location location, mlir::Type sample, mlir::FloatType compute)
    : builder(builder), location(location), compute(compute), shape(llvm::dyn_cast<mlir::VectorType>(sample)) {}

mlir::Type Context::shaped(mlir::Type element) const {
  return shape ? mlir::VectorType::get(shape.getShape(), element) : element;
}

mlir::Type Context::intType(unsigned bits) const { return shaped(builder.getIntegerType(bits)); }

/// A constant of a scalar or, as a splat, of a vector type.
static mlir::Value constant(mlir::OpBuilder &builder, mlir::Location location, mlir::Type type,
                            mlir::TypedAttr element) {
  if (auto vector = llvm::dyn_cast<mlir::VectorType>(type))
    element = mlir::DenseElementsAttr::get(vector, mlir::Attribute(element));
  return arith::ConstantOp::create(builder, location, element);
}

mlir::Value Context::floatConstant(double value) {
  return constant(builder, location, floatType(), builder.getFloatAttr(compute, value));
}

mlir::Value Context::intConstant(int64_t value, unsigned bits) {
  return constant(builder, location, intType(bits), builder.getIntegerAttr(builder.getIntegerType(bits), value));
}

// ---- Operators ------------------------------------------------------------------------------------------------------

/// The context of whichever operand has one: an expression of literals alone is a mistake in an expansion.
template <class... T> static Context &contextOf(const T &...operands) {
  Context *context = nullptr;
  ((context = operands.context ? operands.context : context), ...);
  if (!context)
    llvm_unreachable("an operation on literals alone");
  return *context;
}

/// Makes one op and wraps its result.
template <class Op, class Result, class... T> static Result make(const T &...operands) {
  Context &context = contextOf(operands...);
  return Result(context, context.make<Op>(operands.in(context)...));
}

// Not in the header: g++ would inline it where there can be no literal, and warn of the context that a literal lacks.
mlir::Value F::in(Context &where) const { return context ? value : where.floatConstant(literal); }
mlir::Value I::in(Context &where) const { return context ? value : where.intConstant(literal); }

F F::operator-() const { return context ? make<arith::NegFOp, F>(*this) : F(-literal); }
F operator+(F a, F b) { return make<arith::AddFOp, F>(a, b); }
F operator-(F a, F b) { return make<arith::SubFOp, F>(a, b); }
F operator*(F a, F b) { return make<arith::MulFOp, F>(a, b); }
F operator/(F a, F b) { return make<arith::DivFOp, F>(a, b); }
F fused(F a, F b, F c) { return make<mlir::math::FmaOp, F>(a, b, c); }
F root(F x) { return make<mlir::math::SqrtOp, F>(x); }

static B compare(arith::CmpFPredicate predicate, const F &a, const F &b) {
  Context &context = contextOf(a, b);
  return B(context, context.make<arith::CmpFOp>(predicate, a.in(context), b.in(context)));
}
B operator<(F a, F b) { return compare(arith::CmpFPredicate::OLT, a, b); }
B operator<=(F a, F b) { return compare(arith::CmpFPredicate::OLE, a, b); }
B operator>(F a, F b) { return compare(arith::CmpFPredicate::OGT, a, b); }
B operator>=(F a, F b) { return compare(arith::CmpFPredicate::OGE, a, b); }
B operator==(F a, F b) { return compare(arith::CmpFPredicate::OEQ, a, b); }
B operator!=(F a, F b) { return compare(arith::CmpFPredicate::UNE, a, b); }

/// An int op; literals fold through their unsigned 32-bit values.
template <class Op, class Fold> static I combine(const I &a, const I &b, Fold fold) {
  if (!a.context && !b.context)
    return I(static_cast<uint32_t>(fold(static_cast<uint32_t>(a.literal), static_cast<uint32_t>(b.literal))));
  return make<Op, I>(a, b);
}
I operator+(I a, I b) {
  return combine<arith::AddIOp>(a, b, [](uint32_t x, uint32_t y) { return x + y; });
}
I operator-(I a, I b) {
  return combine<arith::SubIOp>(a, b, [](uint32_t x, uint32_t y) { return x - y; });
}
I operator*(I a, I b) {
  return combine<arith::MulIOp>(a, b, [](uint32_t x, uint32_t y) { return x * y; });
}
I operator&(I a, I b) {
  return combine<arith::AndIOp>(a, b, [](uint32_t x, uint32_t y) { return x & y; });
}
I operator|(I a, I b) {
  return combine<arith::OrIOp>(a, b, [](uint32_t x, uint32_t y) { return x | y; });
}
I operator^(I a, I b) {
  return combine<arith::XOrIOp>(a, b, [](uint32_t x, uint32_t y) { return x ^ y; });
}
I operator<<(I a, I b) {
  return combine<arith::ShLIOp>(a, b, [](uint32_t x, uint32_t y) { return x << y; });
}
I shiftedLogical(I a, I b) { return make<arith::ShRUIOp, I>(a, b); }
I shiftedArithmetic(I a, I b) { return make<arith::ShRSIOp, I>(a, b); }

I highProduct(I a, I b) {
  Context &context = contextOf(a, b);
  mlir::Type wide = context.intType(64);
  mlir::Value product = context.make<arith::MulIOp>(context.make<arith::ExtUIOp>(wide, a.in(context)),
                                                    context.make<arith::ExtUIOp>(wide, b.in(context)));
  mlir::Value high = context.make<arith::ShRUIOp>(product, context.intConstant(32, 64));
  return I(context, context.make<arith::TruncIOp>(context.intType(), high));
}

static B compare(arith::CmpIPredicate predicate, const I &a, const I &b) {
  Context &context = contextOf(a, b);
  return B(context, context.make<arith::CmpIOp>(predicate, a.in(context), b.in(context)));
}
B operator<(I a, I b) { return compare(arith::CmpIPredicate::slt, a, b); }
B operator==(I a, I b) { return compare(arith::CmpIPredicate::eq, a, b); }
B operator!=(I a, I b) { return compare(arith::CmpIPredicate::ne, a, b); }
B unsignedLess(I a, I b) { return compare(arith::CmpIPredicate::ult, a, b); }

I bits(F x) {
  Context &context = contextOf(x);
  return I(context, context.make<arith::BitcastOp>(context.intType(), x.in(context)));
}

F fromBits(I x) {
  if (!x.context)
    return F(llvm::bit_cast<float>(x.literal));
  Context &context = *x.context;
  return F(context, context.make<arith::BitcastOp>(context.floatType(), x.in(context)));
}

F toFloat(I x) {
  Context &context = contextOf(x);
  return F(context, context.make<arith::SIToFPOp>(context.floatType(), x.in(context)));
}

B operator&(B a, B b) { return make<arith::AndIOp, B>(a, b); }
B operator|(B a, B b) { return make<arith::OrIOp, B>(a, b); }
B operator^(B a, B b) { return make<arith::XOrIOp, B>(a, b); }
B operator!(B a) {
  Context &context = contextOf(a);
  return B(context, context.make<arith::XOrIOp>(a.in(context), context.intConstant(1, 1)));
}

F select(B condition, F yes, F no) { return make<arith::SelectOp, F>(condition, yes, no); }
I select(B condition, I yes, I no) { return make<arith::SelectOp, I>(condition, yes, no); }

llvm::SmallVector<mlir::Value> selectRare(B condition, llvm::function_ref<llvm::SmallVector<mlir::Value>()> yes,
                                          llvm::ArrayRef<mlir::Value> no) {
  Context &context = *condition.context;
  mlir::Value any = condition.in(context);
  if (context.isVector())
    any = context.make<mlir::vector::ReductionOp>(mlir::vector::CombiningKind::OR, any);
  auto branch = mlir::scf::IfOp::create(context.builder, context.location, mlir::TypeRange(mlir::ValueRange(no)), any,
                                        /*addElseBlock=*/true);
  mlir::OpBuilder::InsertionGuard guard(context.builder);
  context.builder.setInsertionPointToStart(branch.thenBlock());
  llvm::SmallVector<mlir::Value> results = yes();
  if (context.isVector())
    for (auto [result, other] : llvm::zip_equal(results, no))
      result = context.make<arith::SelectOp>(condition.in(context), result, other);
  mlir::scf::YieldOp::create(context.builder, context.location, results);
  context.builder.setInsertionPointToStart(branch.elseBlock());
  mlir::scf::YieldOp::create(context.builder, context.location, mlir::ValueRange(no));
  return llvm::SmallVector<mlir::Value>(branch.getResults());
}

} // namespace flexsn::math
