// Functions whose result is defined to the bit, on special values against each other, for every element type and
// target.
#include "tests/numerics/Compiled.h"
#include "tests/numerics/Values.h"

#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>

namespace flexsn::test {
namespace {

template <class T> constexpr const char *typeName = "f64";
template <> constexpr const char *typeName<float> = "f32";
template <> constexpr const char *typeName<int32_t> = "i32";
template <> constexpr const char *typeName<bool> = "i1";
template <class T> using InMemory = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;

class Exact : public testing::TestWithParam<Target> {
protected:
  /// Compares `body`, which computes %y from %x0 and %x1, with `want`, for all pairs of `values`.
  template <class Result, class T, class Want>
  void compare(const std::string &body, Want want, const std::vector<T> &values = specialValues<T>()) {
    const Target target = GetParam();
    Compiled kernel(mapText(2, typeName<T>, typeName<Result>, body, widthFor(target, typeName<T>)), target);
    const int64_t side = static_cast<int64_t>(values.size()), count = side * side;
    std::vector<T> x(count), y(count);
    std::vector<InMemory<Result>> got(count);
    for (int64_t i = 0; i < count; ++i) {
      x[i] = values[i / side];
      y[i] = values[i % side];
    }
    kernel.run(std::vector<Binding>{{x.data()}, {y.data()}, {got.data()}}, 1, count);
    for (int64_t i = 0; i < count; ++i)
      if (Result expected = want(x[i], y[i]); bitsOf(got[i]) != bitsOf(expected)) {
        ADD_FAILURE() << body << " gives " << +got[i] << " for (" << x[i] << ", " << y[i] << "), not " << +expected;
        return;
      }
  }

  /// `neuron.NAME %x0` or `neuron.NAME %x0, %x1` with the type's name.
  template <class T> static std::string op(const std::string &name, const std::string &operands) {
    return fmt::format("%y = neuron.{} {} : {}", name, operands, typeName<T>);
  }

  template <class T> void floats();
  template <class T> void selections();
  template <class T> void divisions();
};

// ---- What torch and IEEE say, once more -----------------------------------------------------------------------------

template <class T> T minimum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<T>::quiet_NaN();
  return a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b);
}
template <class T> T maximum(T a, T b) { return -minimum(-a, -b); }

template <class T> T torchRemainder(T a, T b) {
  T mod = std::fmod(a, b);
  if (mod != 0 && (b < 0) != (mod < 0))
    mod += b;
  return mod;
}
template <class T> T torchFloorDivide(T a, T b) {
  if (b == 0)
    return a / b;
  T mod = std::fmod(a, b);
  T div = (a - mod) / b;
  if (mod != 0 && (b < 0) != (mod < 0))
    div -= 1;
  if (div == 0)
    return std::copysign(T(0), a / b);
  T floored = std::floor(div);
  return div - floored > T(0.5) ? floored + 1 : floored;
}

template <class T> int32_t saturated(T x) {
  if (std::isnan(x))
    return 0;
  return static_cast<int32_t>(std::fmin(std::fmax(std::trunc(static_cast<double>(x)), INT32_MIN), INT32_MAX));
}

int32_t wrapped(int64_t x) { return static_cast<int32_t>(static_cast<uint32_t>(static_cast<uint64_t>(x))); }
int64_t floorQuotient(int64_t a, int64_t b) { return b == 0 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0)); }

// ---- Floats ---------------------------------------------------------------------------------------------------------

template <class T> void Exact::floats() {
  compare<T, T>(op<T>("abs", "%x0"), [](T x, T) { return std::fabs(x); });
  compare<T, T>(op<T>("sqrt", "%x0"), [](T x, T) { return std::sqrt(x); });
  compare<T, T>(op<T>("floor", "%x0"), [](T x, T) { return std::floor(x); });
  compare<T, T>(op<T>("ceil", "%x0"), [](T x, T) { return std::ceil(x); });
  compare<T, T>(op<T>("trunc", "%x0"), [](T x, T) { return std::trunc(x); });
  compare<T, T>(op<T>("round", "%x0"), [](T x, T) { return std::nearbyint(x); });
  compare<T, T>(op<T>("sign", "%x0"), [](T x, T) { return T((x > 0) - (x < 0)); });
  compare<T, T>(op<T>("detach", "%x0"), [](T x, T) { return x; });
  compare<T, T>(op<T>("gscale", "%x0, %x1"), [](T x, T) { return x; });
  compare<bool, T>(op<T>("isnan", "%x0"), [](T x, T) { return std::isnan(x); });
  compare<int32_t, T>(op<T>("to_int", "%x0"), [](T x, T) { return saturated(x); });
  compare<T, T>(op<T>("spike", "%x0 atan(%x1)"), [](T x, T) { return T(x >= 0); });
  compare<T, T>(op<T>("spike", "%x0 atan(%x1) strict"), [](T x, T) { return T(x > 0); });
}

template <class T> void Exact::selections() {
  compare<T, T>(op<T>("min", "%x0, %x1"), [](T x, T y) { return minimum(x, y); });
  compare<T, T>(op<T>("max", "%x0, %x1"), [](T x, T y) { return maximum(x, y); });
  compare<T, T>(op<T>("relu", "%x0"), [](T x, T) { return maximum(x, T(0)); });
  const std::string two = fmt::format("%two = arith.constant 2.0 : {}\n  ", typeName<T>);
  compare<T, T>(two + op<T>("clip", "%x0, %x1, %two"), [](T x, T y) { return minimum(maximum(x, y), T(2)); });
  compare<T, T>(two + op<T>("quant", "%x0, %x1, %two"),
                [](T x, T y) { return std::nearbyint(minimum(maximum(x, y), T(2))); });
  compare<T, T>(fmt::format(R"(%y = neuron.surrogate "own"(%x0, %x1) : ({0}, {0}) -> {0} value {{
  ^bb0(%a: {0}, %b: {0}):
    %c = neuron.max %a, %b : {0}
    neuron.yield %c : {0}
  }} grad wrt [0] {{
  ^bb0(%a: {0}, %b: {0}):
    neuron.yield %b : {0}
  }})",
                            typeName<T>),
                [](T x, T y) { return maximum(x, y); });
}

template <class T> void Exact::divisions() {
  compare<T, T>(op<T>("fmod", "%x0, %x1"), [](T x, T y) { return std::fmod(x, y); });
  compare<T, T>(op<T>("remainder", "%x0, %x1"), [](T x, T y) { return torchRemainder(x, y); });
  compare<T, T>(op<T>("floordiv", "%x0, %x1"), [](T x, T y) { return torchFloorDivide(x, y); });
  for (int exponent = -8; exponent <= 8; ++exponent)
    compare<T, T>(op<T>("ipow", fmt::format("%x0, {}", exponent)), [&](T x, T) {
      T product = exponent == 0 ? 1 : x;
      for (int i = 1; i < std::abs(exponent); ++i)
        product *= x;
      return exponent < 0 ? 1 / product : product;
    });
}

TEST_P(Exact, FloatFunctions) { floats<float>(); }
TEST_P(Exact, DoubleFunctions) { floats<double>(); }
TEST_P(Exact, FloatSelections) { selections<float>(); }
TEST_P(Exact, DoubleSelections) { selections<double>(); }
TEST_P(Exact, FloatDivisions) { divisions<float>(); }
TEST_P(Exact, DoubleDivisions) { divisions<double>(); }

// ---- Ints -----------------------------------------------------------------------------------------------------------

TEST_P(Exact, Ints) {
  using Int = int32_t;
  compare<Int, Int>(op<Int>("abs", "%x0"), [](Int x, Int) { return wrapped(std::abs(int64_t(x))); });
  compare<Int, Int>(op<Int>("sign", "%x0"), [](Int x, Int) { return (x > 0) - (x < 0); });
  compare<Int, Int>(op<Int>("relu", "%x0"), [](Int x, Int) { return std::max(x, 0); });
  compare<Int, Int>(op<Int>("min", "%x0, %x1"), [](Int x, Int y) { return std::min(x, y); });
  compare<Int, Int>(op<Int>("max", "%x0, %x1"), [](Int x, Int y) { return std::max(x, y); });
  compare<Int, Int>("%five = arith.constant 5 : i32\n  " + op<Int>("clip", "%x0, %x1, %five"),
                    [](Int x, Int y) { return std::min(std::max(x, y), 5); });
  compare<Int, Int>(op<Int>("floordiv", "%x0, %x1"), [](Int x, Int y) { return wrapped(floorQuotient(x, y)); });
  compare<Int, Int>(op<Int>("remainder", "%x0, %x1"),
                    [](Int x, Int y) { return y == 0 ? 0 : wrapped(x - floorQuotient(x, y) * y); });
  for (int exponent = 0; exponent <= 8; ++exponent)
    compare<Int, Int>(op<Int>("ipow", fmt::format("%x0, {}", exponent)), [&](Int x, Int) {
      uint32_t product = 1;
      for (int i = 0; i < exponent; ++i)
        product *= static_cast<uint32_t>(x);
      return static_cast<Int>(product);
    });
}

/// The arithmetic that is arith's own keeps its bits too: no contraction, no reassociation, no simplification by
/// algebra.
TEST_P(Exact, ArithmeticIsNotRewritten) {
  auto body = [](const std::string &expression) {
    return "%zero = arith.constant 0.0 : f32\n  %three = arith.constant 3.0 : f32\n  " + expression;
  };
  compare<float, float>(body("%p = arith.mulf %x0, %x1 : f32\n  %y = arith.addf %p, %x0 : f32"), [](float x, float y) {
    volatile float product = x * y;
    return product + x;
  });
  compare<float, float>(body("%y = arith.mulf %x0, %zero : f32"), [](float x, float) { return x * 0.0f; });
  compare<float, float>(body("%y = arith.addf %x0, %zero : f32"), [](float x, float) { return x + 0.0f; });
  compare<float, float>(body("%y = arith.subf %x0, %x0 : f32"), [](float x, float) { return x - x; });
  compare<float, float>(body("%y = arith.divf %x0, %x0 : f32"), [](float x, float) { return x / x; });
  compare<float, float>(body("%y = arith.divf %x0, %three : f32"), [](float x, float) { return x / 3.0f; });
  compare<float, float>(body("%y = math.fma %x0, %x1, %x0 : f32"), [](float x, float y) { return std::fma(x, y, x); });
}

INSTANTIATE_TEST_SUITE_P(Targets, Exact, testing::ValuesIn(targets()),
                         [](const auto &info) { return nameOf(info.param); });

} // namespace
} // namespace flexsn::test
