// The smaller and the larger of two numbers: NaN if either is one; -0 lies before +0.
DEVICE float minimum(float a, float b) {
#ifdef FLEXSN_SM80
  float least;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(least) : "f"(a), "f"(b));
  return least;
#else
  float tie = __uint_as_float(__float_as_uint(a) | __float_as_uint(b)); // equal but for the sign of zero
  return a != a ? a : b != b ? b : a < b ? a : b < a ? b : tie;
#endif
}
DEVICE float maximum(float a, float b) {
#ifdef FLEXSN_SM80
  float most;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(most) : "f"(a), "f"(b));
  return most;
#else
  float tie = __uint_as_float(__float_as_uint(a) & __float_as_uint(b));
  return a != a ? a : b != b ? b : a < b ? b : b < a ? a : tie;
#endif
}
DEVICE double minimum(double a, double b) { // no instruction propagates NaN
  double tie = __longlong_as_double(__double_as_longlong(a) | __double_as_longlong(b));
  return a != a ? a : b != b ? b : a < b ? a : b < a ? b : tie;
}
DEVICE double maximum(double a, double b) {
  double tie = __longlong_as_double(__double_as_longlong(a) & __double_as_longlong(b));
  return a != a ? a : b != b ? b : a < b ? b : b < a ? a : tie;
}
