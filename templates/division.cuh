// Divisions by what does not change in a launch. Where every such divisor has an exact reciprocal, as a power of two
// has, the launch takes a loop that multiplies. Else the quotient is refined to the correctly rounded one, by two
// corrections: the division that compilers make is slow for a numerator of zero, which every silent neuron has.
template <class Real> __device__ __noinline__ Real plainQuotient(Real numerator, Real divisor) {
  return numerator / divisor;
}
template <bool exact> DEVICE float divide(float numerator, float divisor, float reciprocal) {
  float guess = numerator * reciprocal;
  if (exact) return guess;
  float near = fmaf(fmaf(guess, divisor, -numerator), -reciprocal, guess);
  float quotient = fmaf(fmaf(near, divisor, -numerator), -reciprocal, near);
  // Beyond these limits the corrections are not exact; a reciprocal that is of no use is NaN.
  bool tiny = fabsf(numerator) < 0x1p-86f && numerator != 0.f, large = !(fabsf(guess) <= 0x1p86f);
  return tiny || large ? plainQuotient(numerator, divisor) : quotient;
}
template <bool exact> DEVICE double divide(double numerator, double divisor, double reciprocal) {
  double guess = numerator * reciprocal;
  if (exact) return guess;
  double near = ::fma(::fma(guess, divisor, -numerator), -reciprocal, guess);
  double quotient = ::fma(::fma(near, divisor, -numerator), -reciprocal, near);
  bool tiny = ::fabs(numerator) < 0x1p-600 && numerator != 0.0, large = !(::fabs(guess) <= 0x1p600);
  return tiny || large ? plainQuotient(numerator, divisor) : quotient;
}
