#include "runtime/FloatEnvironment.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <limits>

namespace {

/// Not folded by the compiler: the arithmetic of this very moment.
float quotient(float a, float b) {
  volatile float x = a, y = b;
  return x / y;
}

TEST(FloatEnvironment, RoundsToNearestInsideAndAsTheCallerWishesOutside) {
  float nearest = quotient(1, 3);
  ASSERT_EQ(std::fesetround(FE_DOWNWARD), 0);
  float before = quotient(1, 3), inside = 0;
  {
    flexsn::DefaultFloatEnvironment environment;
    inside = quotient(1, 3);
  }
  float after = quotient(1, 3);
  std::fesetround(FE_TONEAREST);
  EXPECT_LT(before, nearest); // the rounding mode counts here
  EXPECT_EQ(inside, nearest);
  EXPECT_EQ(after, before);
}

#if defined(__x86_64__)
TEST(FloatEnvironment, KeepsSubnormalsInsideAndFlushesThemOutsideAgain) {
  constexpr unsigned flush = 0x8040; // FTZ and DAZ
  unsigned before = _mm_getcsr();
  _mm_setcsr(before | flush);
  float inside = 0;
  {
    flexsn::DefaultFloatEnvironment environment;
    inside = quotient(std::numeric_limits<float>::min(), 2);
  }
  float outside = quotient(std::numeric_limits<float>::min(), 2);
  bool restored = (_mm_getcsr() & flush) == flush;
  _mm_setcsr(before);
  EXPECT_GT(inside, 0.0f);
  EXPECT_EQ(outside, 0.0f);
  EXPECT_TRUE(restored);
}
#endif

} // namespace
