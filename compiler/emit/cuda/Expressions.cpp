// The printer's vocabulary: the TypeSwitch at the end is the list of what a step can say in CUDA C++.
#include "compiler/emit/cuda/Expressions.h"

#include "compiler/emit/cuda/Literals.h"
#include "dialects/Scan/Scan.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/TypeSwitch.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/IR/Matchers.h>

#include <fmt/format.h>

namespace flexsn::cuda {

using namespace mlir;
using mlir::Type; // the front end has types too
using Kind = Code::Kind;

// ---- Types and literals ---------------------------------------------------------------------------------------------

StringRef typeName(Kind kind) {
  switch (kind) {
  case Kind::Float: return "float";
  case Kind::Double: return "double";
  case Kind::Int: return "int";
  case Kind::Unsigned: return "unsigned";
  case Kind::Long: return "u64";
  case Kind::Bool: return "bool";
  }
  llvm_unreachable("all kinds are covered");
}

Kind kindOf(Type type) {
  if (type.isF32())
    return Kind::Float;
  if (type.isF64())
    return Kind::Double;
  return type.isInteger(1) ? Kind::Bool : type.isInteger(64) ? Kind::Long : Kind::Int;
}

std::optional<Code> constantCode(Attribute value) {
  Code code;
  if (auto real = dyn_cast<FloatAttr>(value)) {
    code.kind = kindOf(real.getType());
    code.text = code.kind == Kind::Double ? literal(real.getValue().convertToDouble())
                                          : literal(real.getValue().convertToFloat());
  } else if (auto integer = dyn_cast<IntegerAttr>(value)) {
    code.kind = kindOf(integer.getType());
    if (code.kind == Kind::Bool) {
      code.text = integer.getValue().isZero() ? "false" : "true";
    } else if (code.kind == Kind::Long) {
      code.text = fmt::format("{}", integer.getValue().getZExtValue());
    } else {
      code.number = static_cast<int32_t>(integer.getValue().getSExtValue());
      code.text = literal(*code.number);
    }
  } else {
    return std::nullopt;
  }
  if (code.text.front() == '-')
    code.binding = Binding::Unary;
  return code;
}

// ---- Composition ----------------------------------------------------------------------------------------------------

/// What the parts of an expression say about the whole.
static Code compose(Kind kind, Binding binding, ArrayRef<Code> parts, std::string text) {
  Code code;
  code.text = std::move(text);
  code.kind = kind;
  code.binding = binding;
  for (const Code &part : parts) {
    code.reads.append(part.reads);
    code.usesExtrema |= part.usesExtrema;
  }
  return code;
}

/// An operand's text, in brackets if it binds less closely than `loosest`.
static std::string within(const Code &code, Binding loosest) {
  return code.binding > loosest ? fmt::format("({})", code.text) : code.text;
}

/// The operand's text behind a sign: one of its own gets brackets.
static std::string behindSign(const Code &code, Binding loosest) {
  return code.text.front() == '-' && code.binding == Binding::Unary ? fmt::format("({})", code.text)
                                                                    : within(code, loosest);
}

/// left OP right, for an operator that C++ groups from the left.
static Code infix(Kind kind, Binding binding, const Code &left, StringRef op, const Code &right) {
  // Nobody knows how shifts, comparisons and bit operations bind among each other: their operands bind as sums or
  // closer.
  bool plain = binding <= Binding::Sum;
  Binding loosest = plain ? binding : binding >= Binding::And ? Binding::Equality : Binding::Sum;
  Binding tighter = plain ? static_cast<Binding>(static_cast<uint8_t>(binding) - 1) : loosest;
  bool signs = op == "+" || op == "-";
  if (left.binding == binding && binding >= Binding::And)
    loosest = binding; // a && b && c
  return compose(kind, binding, {left, right},
                 fmt::format("{} {} {}", within(left, loosest), op.str(),
                             signs ? behindSign(right, tighter) : within(right, tighter)));
}

static Code prefix(Kind kind, StringRef op, const Code &operand) {
  return compose(kind, Binding::Unary, operand, op.str() + behindSign(operand, Binding::Unary));
}

static Code call(Kind kind, StringRef function, ArrayRef<Code> arguments) {
  std::string text = function.str() + "(";
  for (const Code &argument : arguments)
    text += (text.back() == '(' ? "" : ", ") + argument.text;
  return compose(kind, Binding::Atom, arguments, text + ")");
}

Code asInt(const Code &code) { return code.kind == Kind::Unsigned ? call(Kind::Int, "int", code) : code; }

Code asUnsigned(Code code) {
  if (code.number) {
    code.text = unsignedLiteral(*code.number);
    code.kind = Kind::Unsigned;
    code.binding = Binding::Atom;
    code.number.reset();
  }
  return code.kind == Kind::Int ? call(Kind::Unsigned, "unsigned", code) : code;
}

// ---- Operations -----------------------------------------------------------------------------------------------------

/// An operation on ints that wrap. One unsigned operand makes the other one so.
static Code wrapping(Binding binding, Code left, StringRef op, Code right) {
  if (left.kind == Kind::Long)
    return infix(Kind::Long, binding, left, op, right);
  if (left.number)
    left = asUnsigned(left);
  if (right.number)
    right = asUnsigned(right);
  if (left.kind == Kind::Int && right.kind == Kind::Int)
    left = asUnsigned(left);
  return infix(Kind::Unsigned, binding, left, op, right);
}

/// A bit operation; of bools a logical one, since both sides are known and have no effect.
static Code bitwise(Binding bits, StringRef bitOp, Binding logic, StringRef logicOp, const Code &left,
                    const Code &right) {
  if (left.kind == Kind::Bool)
    return infix(Kind::Bool, logic, left, logicOp, right);
  return wrapping(bits, left, bitOp, right);
}

static Code exclusiveOr(const Code &left, const Code &right) {
  if (left.kind == Kind::Bool && right.text == "true")
    return prefix(Kind::Bool, "!", left);
  return bitwise(Binding::BitXor, "^", Binding::Equality, "!=", left, right);
}

/// The amount of a shift is a literal of the compiler's, from 0 to 31.
static Code shifted(const Code &value, StringRef op, const Code &amount) {
  return infix(value.kind, Binding::Shift, value, op, amount);
}

static Code choice(const Code &condition, Code yes, Code no) {
  if (yes.kind != no.kind) { // an int and an unsigned
    yes = asInt(yes);
    no = asInt(no);
  }
  return compose(yes.kind, Binding::Choice, {condition, yes, no},
                 fmt::format("{} ? {} : {}", within(condition, Binding::Or), within(yes, Binding::Or), no.text));
}

static Code compared(const Code &left, StringRef op, const Code &right) {
  bool equality = op == "==" || op == "!=";
  return infix(Kind::Bool, equality ? Binding::Equality : Binding::Order, left, op, right);
}

/// Comparisons of C++ are false for NaN, but for !=; the others are their negations.
static Code compareFloats(arith::CmpFPredicate predicate, const Code &a, const Code &b) {
  using P = arith::CmpFPredicate;
  auto negated = [](const Code &code) { return prefix(Kind::Bool, "!", code); };
  auto both = [](const Code &x, StringRef op, const Code &y) {
    return infix(Kind::Bool, op == "&&" ? Binding::And : Binding::Or, x, op, y);
  };
  switch (predicate) {
  case P::AlwaysFalse: return compose(Kind::Bool, Binding::Atom, {}, "false");
  case P::AlwaysTrue: return compose(Kind::Bool, Binding::Atom, {}, "true");
  case P::OEQ: return compared(a, "==", b);
  case P::OGT: return compared(a, ">", b);
  case P::OGE: return compared(a, ">=", b);
  case P::OLT: return compared(a, "<", b);
  case P::OLE: return compared(a, "<=", b);
  case P::ONE: return both(compared(a, "<", b), "||", compared(a, ">", b));
  case P::ORD: return both(compared(a, "==", a), "&&", compared(b, "==", b));
  case P::UEQ: return negated(both(compared(a, "<", b), "||", compared(a, ">", b)));
  case P::UGT: return negated(compared(a, "<=", b));
  case P::UGE: return negated(compared(a, "<", b));
  case P::ULT: return negated(compared(a, ">=", b));
  case P::ULE: return negated(compared(a, ">", b));
  case P::UNE: return compared(a, "!=", b);
  case P::UNO: return both(compared(a, "!=", a), "||", compared(b, "!=", b));
  }
  llvm_unreachable("all predicates are covered");
}

static Code compareInts(arith::CmpIPredicate predicate, const Code &a, const Code &b) {
  using P = arith::CmpIPredicate;
  auto equal = [&](StringRef op) {
    bool same = a.kind == b.kind || a.number || b.number; // a literal takes the other's kind
    bool anyUnsigned = a.kind == Kind::Unsigned || b.kind == Kind::Unsigned;
    return same && !anyUnsigned ? compared(a, op, b) : compared(asUnsigned(a), op, asUnsigned(b));
  };
  switch (predicate) {
  case P::eq: return equal("==");
  case P::ne: return equal("!=");
  case P::slt: return compared(asInt(a), "<", asInt(b));
  case P::sle: return compared(asInt(a), "<=", asInt(b));
  case P::sgt: return compared(asInt(a), ">", asInt(b));
  case P::sge: return compared(asInt(a), ">=", asInt(b));
  case P::ult: return compared(asUnsigned(a), "<", asUnsigned(b));
  case P::ule: return compared(asUnsigned(a), "<=", asUnsigned(b));
  case P::ugt: return compared(asUnsigned(a), ">", asUnsigned(b));
  case P::uge: return compared(asUnsigned(a), ">=", asUnsigned(b));
  }
  llvm_unreachable("all predicates are covered");
}

static Code extremum(StringRef function, ArrayRef<Code> operands) {
  Code code = call(operands.front().kind, function, operands);
  code.usesExtrema = true;
  return code;
}

/// A function of C's library on floats; on doubles it is named from the outermost level, where no helper hides it.
static Code library(StringRef name, ArrayRef<Code> operands) {
  Kind kind = operands.front().kind;
  return call(kind, kind == Kind::Double ? "::" + name.str() : name.str() + "f", operands);
}

std::string functionName(StringRef symbol) {
  StringRef stem = symbol.split('.').first;
  return stem == symbol ? "::" + symbol.str() : llvm::convertToCamelFromSnakeCase(stem);
}

static std::optional<Code> bitcast(Type to, const Code &x) {
  if (to.isF32() && (x.kind == Kind::Int || x.kind == Kind::Unsigned))
    return call(Kind::Float, "__uint_as_float", asUnsigned(x));
  if (to.isInteger(32) && x.kind == Kind::Float)
    return call(Kind::Unsigned, "__float_as_uint", x);
  return std::nullopt;
}

/// A division by what does not change in a launch: by a parameter in the loop that multiplies and in the one that does
/// not; by a constant refined in both.
static Code divided(scan::DivideOp division, ArrayRef<Code> x) {
  const Code &numerator = x[0], &divisor = x[1], &reciprocal = x[2];
  BoolAttr exact;
  bool isConstant = matchPattern(division.getExact(), m_Constant(&exact));
  if (isConstant && exact.getValue())
    return infix(numerator.kind, Binding::Product, numerator, "*", reciprocal);
  return call(numerator.kind, isConstant ? "divide<false>" : "divide<exact>", {numerator, divisor, reciprocal});
}

std::optional<Code> expressionOf(Operation *op, ArrayRef<Code> x) {
  if (op->getNumResults() != 1)
    return std::nullopt;
  Type type = op->getResult(0).getType();
  if (isa<VectorType>(type))
    return std::nullopt;
  Kind kind = kindOf(type);
  auto converted = [&](const Code &code) { return call(kind, typeName(kind), code); };
  using Result = std::optional<Code>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddFOp>([&](auto) { return infix(kind, Binding::Sum, x[0], "+", x[1]); })
      .Case<arith::SubFOp>([&](auto) { return infix(kind, Binding::Sum, x[0], "-", x[1]); })
      .Case<arith::MulFOp>([&](auto) { return infix(kind, Binding::Product, x[0], "*", x[1]); })
      .Case<arith::DivFOp>([&](auto) { return infix(kind, Binding::Product, x[0], "/", x[1]); })
      .Case<arith::NegFOp>([&](auto) { return prefix(kind, "-", x[0]); })
      .Case<arith::RemFOp>([&](auto) { return library("fmod", x); })
      .Case<arith::MinimumFOp>([&](auto) { return extremum("minimum", x); })
      .Case<arith::MaximumFOp>([&](auto) { return extremum("maximum", x); })
      .Case<math::FmaOp>([&](auto) { return library("fma", x); })
      .Case<math::SqrtOp>([&](auto) { return library("sqrt", x); })
      .Case<math::AbsFOp>([&](auto) { return library("fabs", x); })
      .Case<math::CopySignOp>([&](auto) { return library("copysign", x); })
      .Case<math::FloorOp>([&](auto) { return library("floor", x); })
      .Case<math::CeilOp>([&](auto) { return library("ceil", x); })
      .Case<math::TruncOp>([&](auto) { return library("trunc", x); })
      .Case<math::RoundEvenOp>([&](auto) { return library("rint", x); })
      .Case<arith::AddIOp>([&](auto) { return wrapping(Binding::Sum, x[0], "+", x[1]); })
      .Case<arith::SubIOp>([&](auto) { return wrapping(Binding::Sum, x[0], "-", x[1]); })
      .Case<arith::MulIOp>([&](auto) { return wrapping(Binding::Product, x[0], "*", x[1]); })
      .Case<arith::DivSIOp>([&](auto) { return infix(kind, Binding::Product, asInt(x[0]), "/", asInt(x[1])); })
      .Case<arith::RemSIOp>([&](auto) { return infix(kind, Binding::Product, asInt(x[0]), "%", asInt(x[1])); })
      .Case<arith::AndIOp>([&](auto) { return bitwise(Binding::BitAnd, "&", Binding::And, "&&", x[0], x[1]); })
      .Case<arith::OrIOp>([&](auto) { return bitwise(Binding::BitOr, "|", Binding::Or, "||", x[0], x[1]); })
      .Case<arith::XOrIOp>([&](auto) { return exclusiveOr(x[0], x[1]); })
      .Case<arith::ShLIOp>([&](auto) { return shifted(asUnsigned(x[0]), "<<", x[1]); })
      .Case<arith::ShRUIOp>([&](auto) { return shifted(asUnsigned(x[0]), ">>", x[1]); })
      .Case<arith::ShRSIOp>([&](auto) { return shifted(asInt(x[0]), ">>", x[1]); })
      .Case<arith::CmpFOp>([&](arith::CmpFOp compare) { return compareFloats(compare.getPredicate(), x[0], x[1]); })
      .Case<arith::CmpIOp>([&](arith::CmpIOp compare) { return compareInts(compare.getPredicate(), x[0], x[1]); })
      .Case<arith::SelectOp>([&](auto) { return choice(x[0], x[1], x[2]); })
      .Case<arith::SIToFPOp, arith::FPToSIOp>([&](auto) { return converted(asInt(x[0])); })
      .Case<arith::UIToFPOp, arith::ExtUIOp>([&](auto) { return converted(asUnsigned(x[0])); })
      .Case<arith::TruncIOp>([&](auto) { return call(Kind::Unsigned, "unsigned", x[0]); })
      .Case<arith::BitcastOp>([&](auto) { return bitcast(type, x[0]); })
      .Case<scan::DivideOp>([&](scan::DivideOp division) { return divided(division, x); })
      .Case<func::CallOp>([&](func::CallOp function) {
        SmallVector<Code> arguments(llvm::map_range(x, asInt));
        return call(kind, functionName(function.getCallee()), arguments);
      })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace flexsn::cuda
