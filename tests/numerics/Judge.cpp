#include "tests/numerics/Judge.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace flexsn::test {

void Findings::merge(const Findings &later) {
  inputs += later.inputs;
  misrounded += later.misrounded;
  undecided += later.undecided;
  special += later.special;
  subnormal += later.subnormal;
  against += later.against;
  otherBits += later.otherBits;
  if (wrong == 0) {
    wrongX = later.wrongX;
    wrongY = later.wrongY;
  }
  wrong += later.wrong;
  if (later.ulp > ulp) {
    ulp = later.ulp;
    x = later.x;
    y = later.y;
    got = later.got;
    want = later.want;
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
  if (!hasRightKind(got, want)) {
    if (findings.wrong++ == 0) {
      findings.wrongX = x;
      findings.wrongY = y;
    }
    return;
  }
  if (isSpecial(want))
    return;

  Nearest right = nearest(want, doubleError);
  if (!right.decided())
    right = nearest(row.inLong(x, y), longError);
  findings.undecided += !right.decided();
  findings.misrounded += got != right.low && got != right.high;
  findings.subnormal += std::fabs(right.low) < 0x1p-126f;
  if (double error = distance(got, want); error > findings.ulp) {
    findings.ulp = error;
    findings.x = x;
    findings.y = y;
    findings.got = got;
    findings.want = want;
  }
}

} // namespace flexsn::test
