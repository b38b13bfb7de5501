// Values that make ops: with them an expansion reads like the formula that it is. F is a float of the kernel's compute
// type (f32 or f64), I an int32, B a bool; each stands for a scalar or for a vector of any width. A literal stays a
// literal until it meets a value that has a context.
//
// Two rules keep every bit (docs/functions.md): operators make exactly the op that is written, in the order of the
// text, without fast-math flags and without folding; and no op made here has undefined results (shifts stay below 32,
// floats become ints only inside the int's range).
#pragma once

#include <mlir/IR/Builders.h>
#include <mlir/IR/BuiltinTypes.h>

#include <concepts>
#include <cstdint>

namespace flexsn::math {

/// Where ops are made, and the shape that literals take.
class Context {
public:
  /// `sample` is an operand's type: scalars make scalars, vectors make vectors of that shape. `compute` is f32 or f64.
  Context(mlir::OpBuilder &builder, mlir::Location location, mlir::Type sample, mlir::FloatType compute);

  mlir::OpBuilder &builder;
  const mlir::Location location;

  mlir::Type floatType() const { return shaped(compute); }
  mlir::Type intType(unsigned bits = 32) const;
  mlir::Type boolType() const { return intType(1); }
  bool isDouble() const { return compute.isF64(); }
  bool isVector() const { return static_cast<bool>(shape); }

  mlir::Value floatConstant(double value);
  mlir::Value intConstant(int64_t value, unsigned bits = 32);

  template <class Op, class... Args> mlir::Value make(Args &&...args) {
    return Op::create(builder, location, std::forward<Args>(args)...);
  }

private:
  mlir::Type shaped(mlir::Type element) const;

  mlir::FloatType compute;
  mlir::VectorType shape; // null for scalars
};

/// A float. A double literal becomes the compute type's nearest value, a float literal is exact.
class F {
public:
  template <std::floating_point T> F(T literal) : literal(literal) {}
  F(Context &context, mlir::Value value) : context(&context), value(value) {}

  Context *context = nullptr; ///< null for a literal
  mlir::Value in(Context &where) const;
  F operator-() const;

private:
  mlir::Value value;
  double literal = 0;
};

/// An int32 that wraps; also the bits of a float32. Literals fold among themselves, which is exact.
class I {
public:
  template <class T>
    requires std::same_as<T, int32_t> || std::same_as<T, uint32_t>
  I(T literal) : literal(static_cast<int32_t>(literal)) {}
  I(Context &context, mlir::Value value) : context(&context), value(value) {}

  Context *context = nullptr; ///< null for a literal
  int32_t literal = 0;        ///< its value then
  mlir::Value in(Context &where) const;

private:
  mlir::Value value;
};

/// A bool.
class B {
public:
  B(Context &context, mlir::Value value) : context(&context), value(value) {}

  Context *context;
  mlir::Value in(Context &) const { return value; }

private:
  mlir::Value value;
};

// ---- Floats ---------------------------------------------------------------------------------------------------------

F operator+(F a, F b);
F operator-(F a, F b);
F operator*(F a, F b);
F operator/(F a, F b);
/// a * b + c with one rounding.
F fused(F a, F b, F c);
/// The square root, correctly rounded.
F root(F x);

// Comparisons are false for NaN, but for !=.
B operator<(F a, F b);
B operator<=(F a, F b);
B operator>(F a, F b);
B operator>=(F a, F b);
B operator==(F a, F b);
B operator!=(F a, F b);

// ---- Ints and bits --------------------------------------------------------------------------------------------------

I operator+(I a, I b);
I operator-(I a, I b);
I operator*(I a, I b);
I operator&(I a, I b);
I operator|(I a, I b);
I operator^(I a, I b);
I operator<<(I a, I b);        ///< b in 0..31
I shiftedLogical(I a, I b);    ///< right, zeros enter; b in 0..31
I shiftedArithmetic(I a, I b); ///< right, the sign enters; b in 0..31
/// The upper half of the unsigned 64-bit product.
I highProduct(I a, I b);

B operator<(I a, I b);
B operator==(I a, I b);
B operator!=(I a, I b);
B unsignedLess(I a, I b);

/// The bits of a float32, and back.
I bits(F x);
F fromBits(I x);
/// Rounded to nearest even.
F toFloat(I x);

// ---- Bools and selections -------------------------------------------------------------------------------------------

B operator&(B a, B b);
B operator|(B a, B b);
B operator^(B a, B b);
B operator!(B a);
F select(B condition, F yes, F no);
I select(B condition, I yes, I no);

/// Lane by lane `condition ? yes() : no`, for a costly yes() that few elements need: its ops run only if one does. A
/// scalar becomes an scf.if; the bits are those of a selection either way.
llvm::SmallVector<mlir::Value> selectRare(B condition, llvm::function_ref<llvm::SmallVector<mlir::Value>()> yes,
                                          llvm::ArrayRef<mlir::Value> no);

} // namespace flexsn::math
