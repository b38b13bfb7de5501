// Divisions by what does not change in a launch: where every such divisor has an exact reciprocal, as a power of two
// has, the launch takes a loop that multiplies. The bits are the same.
template <bool exact, class Real> DEVICE Real divide(Real numerator, Real divisor, Real reciprocal) {
  return exact ? numerator * reciprocal : numerator / divisor;
}
