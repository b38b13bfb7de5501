// Types of data other than float32 and float64: 16-bit floats with float32 inside, and whole numbers as int8.
#include "tests/abi/Support.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace flexsn::test {
namespace {

/// Numbers that both 16-bit types hold exactly, in each of them.
template <class T> T sixteen(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if constexpr (std::is_same_v<T, bfloat16>)
    return {static_cast<uint16_t>(bits >> 16)};
  uint32_t exponent = bits >> 23 & 255;
  uint32_t magnitude = exponent == 0 ? 0 : (exponent - 112) << 10 | (bits >> 13 & 1023);
  return {static_cast<uint16_t>((bits >> 16 & 0x8000) | magnitude)};
}

template <class T> std::vector<T> sixteen(const std::vector<float> &values) {
  std::vector<T> result;
  for (float value : values)
    result.push_back(sixteen<T>(value));
  return result;
}

template <class T> std::vector<uint16_t> bitsOf(const std::vector<T> &values) {
  std::vector<uint16_t> bits;
  for (T value : values)
    bits.push_back(value.bits);
  return bits;
}

template <class T> void runsWithFloat32Inside(DType dtype) {
  Options options;
  options.dtype = dtype;
  Neuron neuron = Model::parse(lif).compile(Device::cpu(), options);
  const std::vector<float> current = currents(4 * 33); // multiples of 1/8 up to 2.75
  std::vector<T> x = sixteen<T>(current), s(x.size());
  std::vector<float> v(33, 0.1F); // no 16-bit number
  Call call;
  call.inputs = {view(x, {4, 33})};
  call.params = {{"tau", 3.0}};
  call.initial_states = {{"v", view(v, {33})}};
  call.outputs = {view(s, {4, 33})};
  call.final_states = {{"v", view(v, {33})}};
  neuron.inference(call);
  Expected want = expected(current, 4, 33, 3, 0.1F);
  EXPECT_EQ(bitsOf(s), bitsOf(sixteen<T>(want.s)));
  EXPECT_EQ(v, want.v);
}

TEST(Types, Float16) { runsWithFloat32Inside<float16>(DType::f16); }
TEST(Types, BFloat16) { runsWithFloat32Inside<bfloat16>(DType::bf16); }

// What is chosen from constants is stored as any other value: rounded, an overflow infinite.
TEST(Types, ChosenConstantsAreRounded) {
  Options options;
  options.dtype = DType::f16;
  Model model = Model::parse("neuron A:\n  input x\n  a = where(x > 0.5, 100000.0, 0.3)\n"
                             "  b = where(x > 0.5, -1e-6, 65519.0)\n  output a, b\n");
  std::vector<float16> x = sixteen<float16>(std::vector<float>{1, 0, 1}), a(3), b(3);
  Call call;
  call.inputs = {view(x, {1, 3})};
  call.outputs = {view(a, {1, 3}), view(b, {1, 3})};
  model.compile(Device::cpu(), options).inference(call);
  EXPECT_EQ(bitsOf(a), (std::vector<uint16_t>{0x7c00, 0x34cd, 0x7c00}));
  EXPECT_EQ(bitsOf(b), (std::vector<uint16_t>{0x8011, 0x7bff, 0x8011}));
}

TEST(Types, OthersAreRefusedByName) {
  Options options;
  options.dtype = DType::f16;
  Neuron neuron = Model::parse(lif).compile(Device::cpu(), options);
  std::vector<float> floats(6);
  std::vector<float16> halves(6), state(3);
  std::vector<bfloat16> brains(6);
  Call call;
  call.inputs = {view(brains, {2, 3})};
  call.outputs = {view(halves, {2, 3})};
  Error error = errorOf([&] { neuron.inference(call); });
  EXPECT_EQ(error.code(), Code::type);
  EXPECT_EQ(error.message(), "LIF: input 'x' is bfloat16, but float16 is what the neuron was compiled for; convert the "
                             "data, or compile for its dtype");
  call.inputs = {view(floats, {2, 3})};
  EXPECT_EQ(messageOf([&] { neuron.inference(call); }),
            "LIF: input 'x' is float32, but float16 is what the neuron was compiled for; convert the data, or compile "
            "for its dtype");
  std::vector<float16> out(6);
  call.inputs = {view(halves, {2, 3})};
  call.outputs = {view(out, {2, 3})};
  call.final_states = {{"v", view(state, {3})}};
  EXPECT_EQ(messageOf([&] { neuron.inference(call); }),
            "LIF: final state 'v' is float16, but float32 is what the neuron was compiled for; convert the data, or "
            "compile for its dtype");
}

constexpr const char *whole = R"(neuron W:
  input x
  state n: int = 0
  n = floor(n + x)
  q = quant(x, -500, 500)
  f = x * 0.5
  b = x > 0
  output n, q, f, b
)";

TEST(Types, WholeNumbersAsInt8) {
  Model model = Model::parse(whole);
  Options options;
  options.out_dtype = OutDType::int8;
  Neuron neuron = model.compile(Device::cpu(), options);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> x = {100, -100, 3, nan, 100, -100, -7, 1}, f(8);
  std::vector<int8_t> n(8), q(8);
  std::vector<uint8_t> b(8);
  std::vector<int32_t> last(4);
  Call call;
  call.inputs = {view(x, {2, 4})};
  call.outputs = {view(n, {2, 4}), view(q, {2, 4}), view(f, {2, 4}), view(b, {2, 4})};
  call.final_states = {{"n", view(last, {4})}};
  neuron.inference(call);
  EXPECT_EQ(n, (std::vector<int8_t>{100, -100, 3, 0, 127, -128, -4, 1}));
  EXPECT_EQ(q, (std::vector<int8_t>{100, -100, 3, 0, 100, -100, -7, 1}));
  EXPECT_EQ(last, (std::vector<int32_t>{200, -200, -4, 1})); // states are as they were
  EXPECT_EQ(f[0], 50);
  EXPECT_EQ(b, (std::vector<uint8_t>{1, 0, 1, 0, 1, 0, 0, 1}));
  call.outputs[0] = view(x.data(), {2, 4});
  EXPECT_EQ(messageOf([&] { neuron.inference(call); }), "W: output 'n' is float32, but int8 is needed");
  // Without the option they come in the data's type.
  std::vector<float> plain(8), plainQuant(8);
  call.outputs = {view(plain, {2, 4}), view(plainQuant, {2, 4}), view(f, {2, 4}), view(b, {2, 4})};
  model.compile().inference(call);
  EXPECT_EQ(plain[4], 200);
  EXPECT_TRUE(std::isnan(plainQuant[3]));
}

} // namespace
} // namespace flexsn::test
