// One float32 result after the other against the function's exact value, and what came of it.
#pragma once

#include "tests/numerics/FunctionTable.h"

namespace flexsn::test {

/// What a function gave over many inputs.
struct Findings {
  uint64_t inputs = 0;
  double ulp = 0; ///< the largest error, in units of the exact result's last place (at least 2^-149)
  float x = 0, y = 0, got = 0;
  double want = 0;              ///< where it was; of equal errors the one with the smallest bit pattern
  uint64_t misrounded = 0;      ///< results that are not the float next to the exact one
  uint64_t undecided = 0;       ///< the exact result is closer to the middle of two floats than long double can tell
  uint64_t special = 0;         ///< the exact result is NaN, an infinity or a zero
  uint64_t subnormal = 0;       ///< ... rounds to a subnormal
  uint64_t wrong = 0;           ///< NaN, infinity, zero or sign wrong
  float wrongX = 0, wrongY = 0; ///< the one with the smallest bit pattern
  uint64_t against = 0;         ///< steps from one float to the next against the function's direction
  uint64_t otherBits = 0;       ///< a target gave other bits than the others

  /// Takes in what another thread found: the same in whatever order.
  void merge(const Findings &other);
  void seeError(double error, float atX, float atY, float result, double exact);
  void seeWrong(float atX, float atY);
};

/// Judges `got` for (x, y): adds to `findings`. The reference is the double function, and the long double function
/// where it must tell on which side of the middle between two floats the exact result lies.
void judge(const FunctionRow &row, float x, float y, float got, Findings &findings);

} // namespace flexsn::test
