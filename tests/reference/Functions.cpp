#include "tests/reference/Functions.h"

#include "tests/reference/Arithmetic.h"

#include <type_traits>

namespace flexsn::reference {
namespace {

/// float is computed in double, double in long double (80 or 128 bits): the reference's own error does not count.
template <class Real> using Wider = std::conditional_t<std::is_same_v<Real, float>, double, long double>;

template <class Wide> Wide exprel(Wide x) {
  if (x == 0)
    return 1;
  if (std::isinf(x))
    return x > 0 ? x : 0;
  return std::expm1(x) / x;
}

template <class Wide> Wide softplus(Wide x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

/// The functions whose bits are defined, on the type itself.
template <class Real> Real evaluateExact(Function function, std::span<const Real> a) {
  switch (function) {
  case Function::Abs: return std::fabs(a[0]);
  case Function::Min: return minimum(a[0], a[1]);
  case Function::Max: return maximum(a[0], a[1]);
  case Function::Clip: return clip(a[0], a[1], a[2]);
  case Function::Sqrt: return std::sqrt(a[0]);
  case Function::Relu: return maximum(a[0], Real(0));
  case Function::Floor: return std::floor(a[0]);
  case Function::Ceil: return std::ceil(a[0]);
  case Function::Round: return roundToEven(a[0]);
  case Function::Trunc: return std::trunc(a[0]);
  case Function::Sign: return sign(a[0]);
  case Function::Fmod: return std::fmod(a[0], a[1]);
  default: return std::numeric_limits<Real>::signaling_NaN(); // unreachable: errorBound lists the same functions
  }
}

template <class Wide> Wide evaluateWide(Function function, std::span<const Wide> a) {
  Wide x = a[0];
  switch (function) {
  case Function::Rsqrt: return 1 / std::sqrt(x);
  case Function::Exp: return std::exp(x);
  case Function::Expm1: return std::expm1(x);
  case Function::Exprel: return exprel(x);
  case Function::Log: return std::log(x);
  case Function::Log1p: return std::log1p(x);
  case Function::Log2: return std::log2(x);
  case Function::Sin: return std::sin(x);
  case Function::Cos: return std::cos(x);
  case Function::Tan: return std::tan(x);
  case Function::Tanh: return std::tanh(x);
  case Function::Atan: return std::atan(x);
  case Function::Atan2: return std::atan2(x, a[1]);
  case Function::Sinh: return std::sinh(x);
  case Function::Cosh: return std::cosh(x);
  case Function::Asin: return std::asin(x);
  case Function::Acos: return std::acos(x);
  case Function::Erf: return std::erf(x);
  case Function::Erfc: return std::erfc(x);
  case Function::Sigmoid: return 1 / (1 + std::exp(-x));
  case Function::Softplus: return softplus(x);
  case Function::Pow: return std::pow(x, a[1]);
  default: return std::numeric_limits<Wide>::signaling_NaN(); // unreachable, as above
  }
}

} // namespace

template <class Real> Real evaluate(Function function, std::span<const Real> arguments) {
  if (errorBound<Real>(function) == 0)
    return evaluateExact(function, arguments);
  Wider<Real> wide[3] = {};
  for (size_t i = 0; i < arguments.size(); ++i)
    wide[i] = arguments[i];
  return static_cast<Real>(evaluateWide<Wider<Real>>(function, std::span<const Wider<Real>>(wide, arguments.size())));
}

template <class Real> double errorBound(Function function) {
  // float64 functions are the platform's: glibc documents up to 5 ulp, and some of ours are made of two of them.
  constexpr bool isFloat = std::is_same_v<Real, float>;
  auto bound = [](double float32) { return isFloat ? float32 : 8.0; };
  switch (function) {
  case Function::Abs:
  case Function::Min:
  case Function::Max:
  case Function::Clip:
  case Function::Sqrt:
  case Function::Relu:
  case Function::Floor:
  case Function::Ceil:
  case Function::Round:
  case Function::Trunc:
  case Function::Sign:
  case Function::Fmod:
  case Function::Sum:
  case Function::Dot:
  case Function::IsNan: return 0;
  // The ten that models call most are held to 1 ulp.
  case Function::Exp:
  case Function::Expm1:
  case Function::Log:
  case Function::Log1p:
  case Function::Log2:
  case Function::Sin:
  case Function::Cos:
  case Function::Tanh:
  case Function::Atan:
  case Function::Sigmoid: return bound(1);
  // Two roundings, or a quotient of two approximations.
  case Function::Rsqrt:
  case Function::Exprel:
  case Function::Softplus:
  case Function::Atan2:
  case Function::Cosh:
  case Function::Acos:
  case Function::Erf:
  case Function::Pow: return bound(2);
  // Near a zero or a pole of one of the parts.
  case Function::Tan:
  case Function::Asin:
  case Function::Sinh: return bound(3);
  case Function::Erfc: return bound(4);
  }
  return 0;
}

template float evaluate(Function, std::span<const float>);
template double evaluate(Function, std::span<const double>);
template double errorBound<float>(Function);
template double errorBound<double>(Function);

} // namespace flexsn::reference
