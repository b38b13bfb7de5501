// Expressions of the checked model as ops.
#pragma once

#include "compiler/frontend/Diagnostics.h"
#include "compiler/frontend/Model.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace flexsn {

/// Emits expressions at the builder's insertion point and knows the op value of every model value.
class ExprImport {
public:
  ExprImport(mlir::OpBuilder &builder, const Model &model, mlir::FloatType compute, Diagnostics &diagnostics);

  /// The value of `expr`. Recurses as deep as the tree is high, which the checker limits (Limits::height).
  mlir::Value emit(const Expr &expr);
  /// The same for an expression of a surrogate, which is checked as one of scalars and evaluated lane by lane: all that
  /// it reads is bound to values of `lanes` lanes.
  mlir::Value emitLanewise(const Expr &expr, unsigned lanes);
  /// From now on everything is at `location`, and not where the text has it.
  void placeAt(mlir::Location location) { place = location; }
  /// `value` as a float, int or bool.
  mlir::Value cast(mlir::Value value, Type to, mlir::Location location);
  /// `number` rounded once to `type`, in every lane. Reports a finite one that the compute type rounds to infinity.
  mlir::Value constant(double number, Type type, unsigned lanes, mlir::Location location);
  /// Whether a constant was reported.
  bool hasFailed() const { return failed; }

  void bind(const Value *value, mlir::Value op) { bound[value] = op; }
  mlir::Value lookup(const Value *value) const { return bound.lookup(value); }

  mlir::Type typeOf(Type type, unsigned lanes) const;
  mlir::Location locationAt(Span span) const;
  /// The place of an assignment, with the name that it gives.
  mlir::Location namedLocation(const Value &value, Span span) const;

private:
  mlir::Type scalarOf(Type type) const;
  mlir::Value emitFirst(const Expr &expr);
  mlir::Value emitOperation(const Expr &expr, llvm::ArrayRef<mlir::Value> operands);
  mlir::Value emitArithmetic(const Expr &expr, mlir::Value left, mlir::Value right);
  mlir::Value emitComparison(const Expr &expr, mlir::Value left, mlir::Value right);
  mlir::Value emitCall(const Expr &expr, llvm::ArrayRef<mlir::Value> operands);
  mlir::Value emitSpike(const Expr &expr, llvm::ArrayRef<mlir::Value> operands);
  mlir::Value emitSurrogate(const Expr &expr, llvm::ArrayRef<mlir::Value> operands);
  mlir::Value emitTime(const Expr &expr, llvm::ArrayRef<mlir::Value> operands);
  void fillRegion(mlir::Region &region, const SurrogateDefinition &definition, mlir::TypeRange types,
                  llvm::ArrayRef<std::pair<const Expr *, mlir::Type>> results);

  mlir::OpBuilder &builder;
  const Source &source;
  Diagnostics &diagnostics;
  const Span whole; ///< of the model
  bool failed = false;
  mlir::FloatType compute;
  unsigned bodyLanes = 1;              ///< of the surrogate whose expression is being emitted
  std::optional<mlir::Location> place; ///< of everything, if set
  llvm::DenseMap<const Value *, const Param *> params;
  llvm::DenseMap<const Value *, mlir::Value> bound; ///< looked up only: its order reaches no output
};

} // namespace flexsn
