// One model, once through the interpreter and once through its kernel.
#pragma once

#include "compiler/frontend/Model.h"
#include "tests/reference/Interpreter.h"

#include <cstdint>
#include <string>

namespace flexsn::reference {

/// What a comparison found.
struct Report {
  std::string refused;  ///< the library's message, if it does not take the model
  std::string failure;  ///< the first difference, in words; empty if there is none
  uint64_t exact = 0;   ///< numbers that had to be equal bit for bit, and were
  uint64_t bounded = 0; ///< numbers within their ulp bound
  uint64_t open = 0;    ///< numbers that the language does not bind, e.g. a remainder of a rounded function

  bool good() const { return refused.empty() && failure.empty(); }
  Report &operator+=(const Report &other);
};

struct ComparisonOptions {
  bool doubles = false;   ///< float64 data, else float32
  bool monitors = false;  ///< deliver every name that the step assigns, not the declared outputs alone
  bool fast = false;      ///< math = fast
  bool finalState = true; ///< the final-state kernel too, which is a second program to compile
  uint64_t seed = 1;      ///< of inputs and parameter values
};

/// Compares the kernel of `model` (whose text is `text`) with the interpreter for T in {1, 2, 7, 100} and N in
/// {1, 3, 31, 33, 257}, on inputs with NaN, infinities, zeros of both signs and subnormals. The rule: the kernel takes
/// the steps one by one, each compared with one step of the interpreter from the kernel's own state before it, so that
/// errors do not add up over time; then one call over all T steps must repeat the bits of the single steps, and the
/// final-state kernel those of its states.
Report compare(const Model &model, const std::string &text, const ComparisonOptions &options);

} // namespace flexsn::reference
