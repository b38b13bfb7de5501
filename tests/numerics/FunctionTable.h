// Every function of floats with one or two arguments, and what it is compared with: one row each.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace flexsn::test {

/// Arguments of a function of two.
struct Pair {
  float a, b;
};

struct FunctionRow {
  const char *name;
  unsigned arguments; ///< a function of one ignores the second
  double ulp;         ///< the float32 function's bound: the largest error of a full run, rounded up
  int direction;      ///< 1 ascending, -1 descending, 0 neither
  bool monotone;      ///< the float32 function never steps against its direction
  double low, high;   ///< half of the float64 inputs lie here; the others have random bits
  /// The function over the C library's: exact enough to judge float32 (double) or float64 (long double). In double it
  /// is to the bit what a float64 kernel computes.
  double (*inDouble)(double, double);
  long double (*inLong)(long double, long double);
  Pair (*pair)(uint64_t, uint32_t, uint32_t); ///< the n-th hard case from two random words; null with one argument
};

std::span<const FunctionRow> functionTable();
const FunctionRow &functionRow(const std::string &name);

/// A step's text that computes %y from %x0 (and %x1) in `type`; a bool result becomes 0 or 1 of that type.
std::string bodyOf(const FunctionRow &row, const std::string &type);

} // namespace flexsn::test
