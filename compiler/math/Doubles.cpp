// float64 functions: the platform's libm, element by element, and what it lacks composed of it.
#include "compiler/math/Functions.h"
#include "compiler/math/Primitives.h"

#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>

namespace flexsn::math {

F callPlatform(llvm::StringRef name, llvm::ArrayRef<F> arguments) {
  Context &context = *arguments.front().context;
  llvm::SmallVector<mlir::Value> values;
  for (const F &argument : arguments)
    values.push_back(argument.in(context));
  auto call = [&](mlir::ValueRange scalars) {
    mlir::Type type = mlir::getElementTypeOrSelf(context.floatType());
    return mlir::func::CallOp::create(context.builder, context.location, name, type, scalars).getResult(0);
  };
  if (!context.isVector())
    return F(context, call(values));

  mlir::Value result = F(0.0).in(context);
  int64_t lanes = llvm::cast<mlir::VectorType>(context.floatType()).getNumElements();
  for (int64_t lane = 0; lane < lanes; ++lane) {
    llvm::SmallVector<mlir::Value> scalars;
    for (mlir::Value value : values)
      scalars.push_back(context.make<mlir::vector::ExtractOp>(value, lane));
    result = context.make<mlir::vector::InsertOp>(call(scalars), result, lane);
  }
  return F(context, result);
}

namespace doubles {

F exprel(F x) {
  // From 700 on exp(x) / x in two factors, since it is finite up to x = 716; beyond 720 both are infinite.
  F bounded = atMost(x, 720.0);
  F half = callPlatform("exp", {bounded * 0.5});
  F large = half * (half / bounded);
  F small = callPlatform("expm1", {bounded}) / bounded;
  F result = select(x > 700.0, large, small);
  return select(x == 0.0, 1.0, result);
}

F sigmoid(F x) {
  // exp of the negative magnitude never overflows, and the small result keeps its bits.
  F e = callPlatform("exp", {-abs(x)});
  return select(x < 0.0, e, 1.0) / (1.0 + e);
}

F softplus(F x) {
  F e = callPlatform("exp", {-abs(x)});
  return select(x < 0.0, 0.0, x) + callPlatform("log1p", {e});
}

} // namespace doubles
} // namespace flexsn::math
