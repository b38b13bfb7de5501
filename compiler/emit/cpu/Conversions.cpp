#include "compiler/emit/cpu/Conversions.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/TypeUtilities.h>

namespace flexsn::cpu {

using namespace mlir;

Type Conversions::shaped(Value value, Type element) {
  auto vector = dyn_cast<VectorType>(value.getType());
  return vector ? Type(vector.clone(element)) : element;
}

Value Conversions::constant(Type type, Attribute element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(builder, location, DenseElementsAttr::get(vector, element));
  return arith::ConstantOp::create(builder, location, cast<TypedAttr>(element));
}

Value Conversions::integer(Value like, int64_t value) {
  Type type = like.getType();
  return constant(type, builder.getIntegerAttr(getElementTypeOrSelf(type), value));
}

Value Conversions::real(Value like, double value) {
  Type type = like.getType();
  return constant(type, builder.getFloatAttr(getElementTypeOrSelf(type), value));
}

Value Conversions::bitcast(Value value, Type element) {
  return arith::BitcastOp::create(builder, location, shaped(value, element), value);
}

Value Conversions::below(Value value, int64_t bound) {
  return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ult, value, integer(value, bound));
}

Value Conversions::select(Value condition, Value yes, Value no) {
  return arith::SelectOp::create(builder, location, condition, yes, no);
}

/// Drops the last `count` bits, rounding to the nearest, ties to even: all but half of the last place that stays, and
/// its own last bit, decide the carry.
Value Conversions::roundedShift(Value bits, unsigned count) {
  Value odd = make<arith::AndIOp>(make<arith::ShRUIOp>(bits, count), 1);
  Value sum = make<arith::AddIOp>(make<arith::AddIOp>(bits, (int64_t{1} << (count - 1)) - 1), odd);
  return make<arith::ShRUIOp>(sum, count);
}

// ---- float16: 1 sign, 5 exponent (bias 15), 10 fraction bits --------------------------------------------------------

/// What the exponents' biases differ by, in float32's place.
static constexpr int64_t rebias = int64_t{127 - 15} << 23;
/// float32's bits of 2^-14, the smallest normal float16; of 2^16, the first power of two beyond; of infinity.
static constexpr int64_t smallestNormal = 0x38800000, beyond = 0x47800000, infinity = 0x7f800000;

Value Conversions::widenF16(Value bits) {
  Type i32 = builder.getI32Type(), f32 = builder.getF32Type();
  if (halfInstructions)
    return arith::ExtFOp::create(builder, location, shaped(bits, f32), bitcast(bits, builder.getF16Type()));
  Value wide = arith::ExtUIOp::create(builder, location, shaped(bits, i32), bits);
  Value sign = make<arith::ShLIOp>(make<arith::AndIOp>(wide, 0x8000), 16);
  Value magnitude = make<arith::ShLIOp>(make<arith::AndIOp>(wide, 0x7fff), 13);
  Value normal = make<arith::AddIOp>(magnitude, rebias);
  Value special = make<arith::AddIOp>(normal, rebias); // infinity and NaN: the largest exponent of both formats
  // A subnormal's fraction, put behind 2^-14's leading 1; without that 1 the value is exact.
  Value offset = bitcast(make<arith::AddIOp>(magnitude, smallestNormal), f32);
  Value difference = make<arith::SubFOp>(offset, bitcast(integer(wide, smallestNormal), f32));
  Value subnormal = bitcast(difference, i32);
  Value finite = select(below(magnitude, int64_t{1} << 23), subnormal, normal);
  Value result = select(below(magnitude, int64_t{31} << 23), finite, special);
  return bitcast(make<arith::OrIOp>(result, sign), f32);
}

Value Conversions::narrowF16(Value value) {
  Type i32 = builder.getI32Type(), f32 = builder.getF32Type();
  if (halfInstructions)
    return bitcast(arith::TruncFOp::create(builder, location, shaped(value, builder.getF16Type()), value),
                   builder.getI16Type());
  Value bits = bitcast(value, i32);
  Value sign = make<arith::AndIOp>(make<arith::ShRUIOp>(bits, 16), 0x8000);
  Value magnitude = make<arith::AndIOp>(bits, 0x7fffffff);
  Value normal = roundedShift(make<arith::SubIOp>(magnitude, rebias), 13); // carries up to infinity
  // 0.5 has the last place of a subnormal float16, 2^-24: the addition rounds.
  Value half = real(value, 0.5);
  Value sum = make<arith::AddFOp>(bitcast(magnitude, f32), half);
  Value subnormal = make<arith::SubIOp>(bitcast(sum, i32), bitcast(half, i32));
  Value nan = make<arith::OrIOp>(make<arith::AndIOp>(make<arith::ShRUIOp>(magnitude, 13), 0x3ff), 0x7e00);
  Value special = select(below(magnitude, infinity + 1), integer(magnitude, 0x7c00), nan);
  Value finite = select(below(magnitude, smallestNormal), subnormal, normal);
  Value result = select(below(magnitude, beyond), finite, special);
  return arith::TruncIOp::create(builder, location, shaped(value, builder.getI16Type()),
                                 make<arith::OrIOp>(result, sign));
}

// ---- bfloat16: the upper half of a float32 --------------------------------------------------------------------------

Value Conversions::widenBF16(Value bits) {
  Value wide = arith::ExtUIOp::create(builder, location, shaped(bits, builder.getI32Type()), bits);
  return bitcast(make<arith::ShLIOp>(wide, 16), builder.getF32Type());
}

Value Conversions::narrowBF16(Value value) {
  Value bits = bitcast(value, builder.getI32Type());
  Value nan = make<arith::OrIOp>(make<arith::ShRUIOp>(bits, 16), 0x40); // quiet, so that a fraction is left
  Value number = below(make<arith::AndIOp>(bits, 0x7fffffff), infinity + 1);
  Value result = select(number, roundedShift(bits, 16), nan);
  return arith::TruncIOp::create(builder, location, shaped(value, builder.getI16Type()), result);
}

// ---- int8 -----------------------------------------------------------------------------------------------------------

Value Conversions::saturateI8(Value value) {
  auto compare = [&](arith::CmpFPredicate predicate, Value other) {
    return arith::CmpFOp::create(builder, location, predicate, value, other);
  };
  Value low = real(value, -128), high = real(value, 127);
  Value clamped = select(compare(arith::CmpFPredicate::OLT, low), low, value);
  clamped = select(compare(arith::CmpFPredicate::OGT, high), high, clamped);
  clamped = select(compare(arith::CmpFPredicate::UNO, value), real(value, 0), clamped);
  Value whole = arith::FPToSIOp::create(builder, location, shaped(value, builder.getI32Type()), clamped);
  return arith::TruncIOp::create(builder, location, shaped(value, builder.getI8Type()), whole);
}

} // namespace flexsn::cpu
