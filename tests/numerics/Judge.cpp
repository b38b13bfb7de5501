#include "tests/numerics/Judge.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace flexsn::test {

namespace {

/// An order of inputs, so that the choice among equals does not depend on the order in which they are seen.
bool before(float x, float y, float otherX, float otherY) {
  auto key = [](float a, float b) { return std::pair(std::bit_cast<uint32_t>(a), std::bit_cast<uint32_t>(b)); };
  return key(x, y) < key(otherX, otherY);
}

} // namespace

void Findings::seeError(double error, float atX, float atY, float result, double exact) {
  if (error < ulp || (error == ulp && !before(atX, atY, x, y)))
    return;
  ulp = error;
  x = atX;
  y = atY;
  got = result;
  want = exact;
}

void Findings::seeWrong(float atX, float atY) {
  if (wrong == 0 || before(atX, atY, wrongX, wrongY)) {
    wrongX = atX;
    wrongY = atY;
  }
  ++wrong;
}

void Findings::merge(const Findings &other) {
  inputs += other.inputs;
  misrounded += other.misrounded;
  undecided += other.undecided;
  special += other.special;
  subnormal += other.subnormal;
  against += other.against;
  otherBits += other.otherBits;
  seeError(other.ulp, other.x, other.y, other.got, other.want);
  if (other.wrong != 0) {
    const uint64_t sum = wrong + other.wrong;
    seeWrong(other.wrongX, other.wrongY);
    wrong = sum;
  }
}

namespace {

// glibc gives at most 5 ulp for any of these functions, and a reference composed of them adds three roundings: 2^-48
// and 2^-59 are the errors of double and long double with room to spare.
constexpr double doubleError = 0x1p-48;
constexpr long double longError = 0x1p-59L;

/// The floats next to the two ends of what the exact result may be: equal unless the middle of two floats lies between.
struct Nearest {
  float low, high;
  bool decided() const { return low == high; }
};
template <class T> Nearest nearest(T value, T error) {
  return {static_cast<float>(value - value * error), static_cast<float>(value + value * error)};
}

/// |got - want| in units of the last place of a finite `want` that is not zero; an overflow counts as 2^128.
double distance(float got, double want) {
  const double exact = std::fmin(std::fabs(want), 0x1p128);
  const double value = std::fmin(std::fabs(static_cast<double>(got)), 0x1p128);
  const auto field = static_cast<int>(std::bit_cast<uint64_t>(exact) >> 52);
  const int exponent = std::clamp(field, 1023 - 126, 1023 + 127); // of exact, biased
  return std::fabs(value - exact) * std::bit_cast<double>(static_cast<uint64_t>(2 * 1023 + 23 - exponent) << 52);
}

bool isSpecial(double want) { return std::isnan(want) || std::isinf(want) || want == 0; }

/// NaN for NaN, infinity for infinity, zero for zero, and the sign.
bool hasRightKind(float got, double want) {
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) && std::isnan(got);
  if (std::isinf(want) || want == 0)
    return static_cast<double>(got) == want && std::signbit(got) == std::signbit(want);
  return std::signbit(got) == std::signbit(want);
}

} // namespace

void judge(const FunctionRow &row, float x, float y, float got, Findings &findings) {
  const double want = row.inDouble(x, y);
  ++findings.inputs;
  findings.special += isSpecial(want);
  if (!hasRightKind(got, want))
    return findings.seeWrong(x, y);
  if (isSpecial(want))
    return;

  Nearest right = nearest(want, doubleError);
  if (!right.decided())
    right = nearest(row.inLong(x, y), longError);
  findings.undecided += !right.decided();
  findings.misrounded += got != right.low && got != right.high;
  findings.subnormal += std::fabs(right.low) < 0x1p-126f;
  findings.seeError(distance(got, want), x, y, got, want);
}

} // namespace flexsn::test
