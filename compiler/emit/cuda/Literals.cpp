#include "compiler/emit/cuda/Literals.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

namespace flexsn::cuda {

/// The shortest decimal that reads back as `value`, always that of a floating-point number: "2." and "1e+20" are.
template <class Real> static std::string decimal(Real value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + "." : text;
}

std::string literal(float value) {
  if (std::isfinite(value))
    return decimal(value) + "f";
  return fmt::format("__uint_as_float({:#010x}u)", std::bit_cast<uint32_t>(value));
}

std::string literal(double value) {
  if (std::isfinite(value)) {
    std::string text = decimal(value);
    return text.back() == '.' ? text + "0" : text;
  }
  return fmt::format("__longlong_as_double(i64({:#018x}u))", std::bit_cast<uint64_t>(value));
}

std::string literal(int32_t value) {
  if (value == std::numeric_limits<int32_t>::min()) // 2147483648 is no int, and a minus sign is an operator
    return "(-2147483647 - 1)";
  return fmt::format("{}", value);
}

std::string unsignedLiteral(int32_t value) {
  auto bits = static_cast<uint32_t>(value);
  return bits < 1000 ? fmt::format("{}u", bits) : fmt::format("{:#x}u", bits);
}

} // namespace flexsn::cuda
