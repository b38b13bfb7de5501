// Storages that are no type of arithmetic on every CPU: 16-bit floats and saturated bytes.
#pragma once

#include <mlir/IR/Builders.h>

namespace flexsn::cpu {

/// Converts scalars or vectors, element by element. The numbers do not depend on the target: float16 takes its
/// instructions where it has them, all else is integer arithmetic. (Instructions for bfloat16 flush subnormals.)
class Conversions {
public:
  Conversions(mlir::OpBuilder &builder, mlir::Location location, bool halfInstructions)
      : builder(builder), location(location), halfInstructions(halfInstructions) {}

  /// The bits (i16) of a float16 or bfloat16 to float32: exact; a NaN stays one.
  mlir::Value widenF16(mlir::Value bits);
  mlir::Value widenBF16(mlir::Value bits);
  /// float32 to the bits of the nearest float16 or bfloat16, ties to even: subnormals are exact, what is too large
  /// becomes infinite, a NaN stays one.
  mlir::Value narrowF16(mlir::Value value);
  mlir::Value narrowBF16(mlir::Value value);
  /// A whole number in a float of any width to i8: what is out of range becomes -128 or 127, NaN 0.
  mlir::Value saturateI8(mlir::Value value);

private:
  /// `element`, in the shape of `value`.
  mlir::Type shaped(mlir::Value value, mlir::Type element);
  mlir::Value constant(mlir::Type type, mlir::Attribute element);
  mlir::Value integer(mlir::Value like, int64_t value);
  mlir::Value real(mlir::Value like, double value);
  mlir::Value bitcast(mlir::Value value, mlir::Type element);
  mlir::Value roundedShift(mlir::Value bits, unsigned count);
  mlir::Value below(mlir::Value value, int64_t bound);
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);
  template <class Op> mlir::Value make(mlir::Value left, mlir::Value right) {
    return Op::create(builder, location, left, right);
  }
  template <class Op> mlir::Value make(mlir::Value left, int64_t right) { return make<Op>(left, integer(left, right)); }

  mlir::OpBuilder &builder;
  mlir::Location location;
  bool halfInstructions;
};

} // namespace flexsn::cpu
