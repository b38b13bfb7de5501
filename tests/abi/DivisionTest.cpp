// Divisions by a parameter, which kernels find from its reciprocal: to the bit what the processor's division gives.
#include "tests/abi/Support.h"
#include "tests/numerics/Values.h"

#include <cmath>

namespace flexsn::test {
namespace {

/// With both a division by a parameter and one by a constant that is no power of two.
constexpr const char *quotients = R"(neuron Quotients:
  input  a
  param  d = 1.0
  q = a / d
  third = a / 3.0
  output q, third
)";

/// Enough of them for whole vectors and a ragged one.
constexpr size_t perDivisor = 4099;

template <class T> T anyNumber(uint64_t seed, int exponents) {
  uint64_t random = hashed(seed);
  T fraction = 1 + static_cast<T>(random >> 12) * static_cast<T>(0x1p-52);
  int exponent = static_cast<int>(hashed(random) % (2 * exponents + 1)) - exponents;
  return std::ldexp(random & 1 ? -fraction : fraction, exponent);
}

/// Numerators whose quotient by `d` lies as near as can be to the middle of two floats, where every rounding before
/// the last would show; others of every size; and special ones.
template <class T, class Wide> std::vector<T> numerators(T d, uint64_t seed) {
  std::vector<T> all = specialValues<T>();
  while (all.size() < perDivisor) {
    uint64_t i = seed * perDivisor + all.size();
    T quotient = anyNumber<T>(i, all.size() % 3 == 0 ? std::numeric_limits<T>::max_exponent + 20 : 20);
    Wide middle = (Wide(quotient) + Wide(std::nextafter(quotient, T(0)))) / 2;
    T near = static_cast<T>(middle * Wide(d));
    all.push_back(all.size() % 2 ? near : std::nextafter(near, all.size() % 4 ? T(0) : T(INFINITY)));
  }
  all.resize(perDivisor);
  return all;
}

template <class T> std::vector<T> divisors() {
  constexpr int largest = std::numeric_limits<T>::max_exponent - 1;
  std::vector<T> all = specialValues<T>();
  for (T edge : {T(0x1p40), T(0x1p-40), T(0x1p300), T(0x1p-300)}) // where the refinement ends: both types are given all
    for (T d : {edge, std::nextafter(edge, T(0)), std::nextafter(edge, T(INFINITY))})
      all.push_back(d);
  for (int exponent : {-largest - 4, -largest, -3, 0, 5, largest})
    all.push_back(std::ldexp(T(1), exponent));
  all.push_back(2 - std::numeric_limits<T>::epsilon()); // all bits set
  for (uint64_t i = 0; i < 300; ++i)
    all.push_back(anyNumber<T>(i + 1000, i % 4 == 0 ? largest : 6));
  return all;
}

template <class T, class Wide> void divisionsAreExact(DType dtype) {
  Options options;
  options.dtype = dtype;
  Neuron neuron = Model::parse(quotients).compile(Device::cpu(), options);
  std::vector<T> q(perDivisor), third(perDivisor);
  uint64_t seed = 0;
  for (T d : divisors<T>()) {
    std::vector<T> a = numerators<T, Wide>(d, ++seed);
    Call call;
    call.inputs = {view(a, {1, perDivisor})};
    call.outputs = {view(q, {1, perDivisor}), view(third, {1, perDivisor})};
    call.params = {{"d", d}};
    neuron.inference(call);
    for (size_t i = 0; i < perDivisor; ++i) {
      ASSERT_EQ(bitsOf(q[i]), bitsOf(a[i] / d)) << a[i] << " / " << d;
      ASSERT_EQ(bitsOf(third[i]), bitsOf(a[i] / T(3))) << a[i] << " / 3";
    }
  }
}

TEST(Division, ByAParameterIsExactInFloat32) { divisionsAreExact<float, double>(DType::f32); }
TEST(Division, ByAParameterIsExactInFloat64) { divisionsAreExact<double, long double>(DType::f64); }

} // namespace
} // namespace flexsn::test
