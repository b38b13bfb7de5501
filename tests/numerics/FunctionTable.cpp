#include "tests/numerics/FunctionTable.h"

#include "tests/numerics/Pairs.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>

namespace flexsn::test {

namespace {

struct Shape {
  int direction = 0;
  bool monotone = false;
};
constexpr Shape ascending{1, true}, descending{-1, true};
constexpr Shape roughlyAscending{1, false}, roughlyDescending{-1, false}; // some neighbours step the other way

struct Range {
  double low, high;
};

/// A row from one generic function, taken in double and in long double.
template <class Exact> constexpr FunctionRow unary(const char *name, double ulp, Shape shape, Range range, Exact) {
  return {name,
          1,
          ulp,
          shape.direction,
          shape.monotone,
          range.low,
          range.high,
          [](double x, double) -> double { return Exact{}(x); },
          [](long double x, long double) -> long double { return Exact{}(x); },
          nullptr};
}
template <class Exact>
constexpr FunctionRow binary(const char *name, double ulp, Range range, Pair (*pair)(uint64_t, uint32_t, uint32_t),
                             Exact) {
  return {name,
          2,
          ulp,
          0,
          false,
          range.low,
          range.high,
          [](double x, double y) -> double { return Exact{}(x, y); },
          [](long double x, long double y) -> long double { return Exact{}(x, y); },
          pair};
}

template <class T> T minimum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<T>::quiet_NaN();
  return a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b);
}
template <class T> T maximum(T a, T b) { return -minimum(-a, -b); }

template <class T> T sigmoid(T x) {
  T e = std::exp(-std::fabs(x));
  return (x < 0 ? e : T(1)) / (1 + e);
}
template <class T> T softplus(T x) { return (x < 0 ? T(0) : x) + std::log1p(std::exp(-std::fabs(x))); }
template <class T> T exprel(T x) {
  T bounded = x > 720 ? T(720) : x;
  T half = std::exp(bounded / 2);
  return x == 0 ? T(1) : x > 700 ? half * (half / bounded) : std::expm1(bounded) / bounded;
}

// clang-format off
constexpr FunctionRow rows[] = {
    unary("exp",      0.85, ascending,         {-745, 710}, [](auto x) { return std::exp(x); }),
    unary("expm1",    0.89, ascending,         {-40, 710},  [](auto x) { return std::expm1(x); }),
    unary("exprel",   1.59, roughlyAscending,  {-40, 720},  [](auto x) { return exprel(x); }),
    unary("log",      0.94, ascending,         {0, 10},     [](auto x) { return x < 0 ? NAN : std::log(x); }),
    unary("log1p",    0.94, ascending,         {-1, 10},    [](auto x) { return x < -1 ? NAN : std::log1p(x); }),
    unary("log2",     0.94, ascending,         {0, 10},     [](auto x) { return x < 0 ? NAN : std::log2(x); }),
    unary("tanh",     0.77, ascending,         {-20, 20},   [](auto x) { return std::tanh(x); }),
    unary("sigmoid",  0.77, ascending,         {-745, 40},  [](auto x) { return sigmoid(x); }),
    unary("softplus", 1.71, roughlyAscending,  {-745, 40},  [](auto x) { return softplus(x); }),
    unary("sin",      0.88, {},                {-100, 100}, [](auto x) { return std::sin(x); }),
    unary("cos",      0.88, {},                {-100, 100}, [](auto x) { return std::cos(x); }),
    unary("tan",      2.47, {},                {-100, 100}, [](auto x) { return std::tan(x); }),
    unary("atan",     0.99, ascending,         {-10, 10},   [](auto x) { return std::atan(x); }),
    unary("asin",     2.36, ascending,         {-1, 1},     [](auto x) { return std::asin(x); }),
    unary("acos",     1.12, descending,        {-1, 1},     [](auto x) { return std::acos(x); }),
    unary("sinh",     2.18, ascending,         {-700, 700}, [](auto x) { return std::sinh(x); }),
    unary("cosh",     1.32, {},                {-700, 700}, [](auto x) { return std::cosh(x); }),
    unary("erf",      1.14, roughlyAscending,  {-6, 6},     [](auto x) { return std::erf(x); }),
    unary("erfc",     3.45, roughlyDescending, {-6, 27},    [](auto x) { return std::erfc(x); }),
    unary("rsqrt",    1.50, {},                {0, 10},     [](auto x) { return 1 / std::sqrt(x); }),
    unary("sqrt",     0.50, ascending,         {0, 10},     [](auto x) { return std::sqrt(x); }),
    unary("abs",      0,    {},                {-10, 10},   [](auto x) { return std::fabs(x); }),
    unary("relu",     0,    ascending,         {-10, 10},   [](auto x) { return maximum(x, decltype(x)(0)); }),
    unary("floor",    0,    ascending,         {-10, 10},   [](auto x) { return std::floor(x); }),
    unary("ceil",     0,    ascending,         {-10, 10},   [](auto x) { return std::ceil(x); }),
    unary("round",    0,    ascending,         {-10, 10},   [](auto x) { return std::nearbyint(x); }),
    unary("trunc",    0,    ascending,         {-10, 10},   [](auto x) { return std::trunc(x); }),
    unary("sign",     0,    ascending,         {-10, 10},   [](auto x) { return decltype(x)((x > 0) - (x < 0)); }),
    unary("isnan",    0,    {},                {-10, 10},   [](auto x) { return decltype(x)(std::isnan(x)); }),
    binary("pow",     2.44, {0, 50},   powPair,   [](auto x, auto y) { return std::pow(x, y); }),
    binary("atan2",   1.54, {-5, 5},   atan2Pair, [](auto y, auto x) { return std::atan2(y, x); }),
    binary("fmod",    0,    {-50, 50}, fmodPair,  [](auto x, auto y) { return std::fmod(x, y); }),
    binary("min",     0,    {-50, 50}, nearPair,  [](auto x, auto y) { return minimum(x, y); }),
    binary("max",     0,    {-50, 50}, nearPair,  [](auto x, auto y) { return maximum(x, y); }),
};
// clang-format on

} // namespace

std::span<const FunctionRow> functionTable() { return rows; }

const FunctionRow &functionRow(const std::string &name) {
  const auto *row = std::ranges::find(rows, name, &FunctionRow::name);
  if (row == std::end(rows))
    throw std::invalid_argument("there is no function " + name);
  return *row;
}

std::string bodyOf(const FunctionRow &row, const std::string &type) {
  const char *operands = row.arguments == 2 ? "%x0, %x1" : "%x0";
  if (row.name == std::string("isnan"))
    return fmt::format("%b = neuron.isnan {0} : {1}\n  %y = arith.uitofp %b : i1 to {1}", operands, type);
  return fmt::format("%y = neuron.{} {} : {}", row.name, operands, type);
}

} // namespace flexsn::test
