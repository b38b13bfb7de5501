// One op's derivative rule as a kernel: the adjoint that `differentiate` makes of a step of that op alone.
#pragma once

#include "tests/numerics/Compiled.h"

#include <span>
#include <string>
#include <vector>

namespace flexsn::test {

/// The gradients of a step without states.
class Differentiated {
public:
  /// `body` computes %y from %x0, %x1, ... in `type` (f32 or f64). Throws std::runtime_error with what is wrong.
  Differentiated(unsigned inputs, const std::string &type, const std::string &body);

  /// Gradients of each input, [input][i], where y has the gradient `gradients[i]`.
  template <class T>
  std::vector<std::vector<T>> run(const std::vector<std::vector<T>> &inputs, const std::vector<T> &gradients) const;

private:
  Compiled kernel;
};

/// The kernel's text, for `Differentiated` and for messages.
std::string adjointText(unsigned inputs, const std::string &type, const std::string &body);

} // namespace flexsn::test
