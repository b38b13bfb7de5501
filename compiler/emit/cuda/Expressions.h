// One operation as a C++ expression.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <mlir/IR/Value.h>

#include <optional>
#include <string>

namespace flexsn::cuda {

/// How closely an expression binds, the closest first; C++'s order, with gaps where people do not rely on it.
enum class Binding : uint8_t {
  Atom,
  Unary,
  Product,
  Sum,
  Shift,
  Order,
  Equality,
  BitAnd,
  BitXor,
  BitOr,
  And,
  Or,
  Choice
};

/// An expression of C++.
struct Code {
  /// What its type is. Ints wrap: sums, products and shifts of them are computed unsigned.
  enum class Kind : uint8_t { Float, Double, Int, Unsigned, Long, Bool };

  std::string text;
  Binding binding = Binding::Atom;
  Kind kind = Kind::Float;
  std::optional<int32_t> number;        ///< of an int literal
  llvm::SmallVector<unsigned, 2> reads; ///< states whose old value is read
  bool usesExtrema = false;             ///< needs templates/extrema.cuh
};

/// C++'s word for a kind.
llvm::StringRef typeName(Code::Kind kind);
/// The kind of a variable of an MLIR type that holds it.
Code::Kind kindOf(mlir::Type type);

/// A constant; nothing where there is no literal for its type.
std::optional<Code> constantCode(mlir::Attribute value);

/// The one result of `op` over the codes of its operands; nothing if the op has no form in CUDA C++.
std::optional<Code> expressionOf(mlir::Operation *op, llvm::ArrayRef<Code> x);

/// `code` as an int or unsigned operand, converted only where it is not that already.
Code asInt(const Code &code);
Code asUnsigned(Code code);

/// The C++ name of a function that outline-helpers made ("exp.f32"), or of one of the platform ("exp").
std::string functionName(llvm::StringRef symbol);

} // namespace flexsn::cuda
