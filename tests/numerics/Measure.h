// A float32 function over many inputs, compiled as kernels get it, on every target; and a float64 function.
#pragma once

#include "tests/numerics/Judge.h"

namespace flexsn::test {

struct Extent {
  /// Functions of one argument: every `every`-th of the 2^32 bit patterns, and all special values.
  uint64_t every = 1;
  /// Functions of two: special values against each other, then this many hard pairs.
  uint64_t pairs = uint64_t(1) << 30;
  unsigned threads = 1;
};

/// Runs the function on all targets, judges the native one's results and compares the others' bits with them. The first
/// target, where every fma is a call, gets each 16th block of inputs. Throws std::runtime_error if it does not compile.
Findings measure(const FunctionRow &row, const Extent &extent);

/// What a float64 function gave.
struct DoubleFindings {
  uint64_t inputs = 0;
  uint64_t otherBits = 0; ///< inputs whose result is not what the C library's function gives
  double ulp = 0;         ///< the largest distance from the long double function
  double x = 0, y = 0, got = 0;
};

/// The function on `count` inputs: special values against each other, random bits, the row's range.
DoubleFindings measureDoubles(const FunctionRow &row, uint64_t count);

} // namespace flexsn::test
