// Parameters with dims: which shapes they have, what is refused word for word, and when they are read.
#include "tests/abi/Support.h"

#include <cmath>

namespace flexsn::test {
namespace {

constexpr const char *shaped = R"(neuron Shaped:
  input x
  param w[channel] = 2 in [0, 10], b[neuron] = 0, g[step] = 1, m[step, channel] = 1, k[channel] = 0.5 as sigmoid
  y = (x * w + b) * g * m * k * 2
  output y
)";

/// A call on x (4, 2, 3, 5) of ones.
class ShapedCall : public testing::Test {
protected:
  ShapedCall() : x(120, 1), y(120, -1), numbers(1000, 1) {
    call.inputs = {view(x, {4, 2, 3, 5})};
    call.outputs = {view(y, {4, 2, 3, 5})};
  }
  void set(const std::string &name, Shape shape) { call.params = {{name, view(numbers.data(), std::move(shape))}}; }
  std::string message() {
    Error error = errorOf([&] { neuron.inference(call); });
    EXPECT_EQ(error.code(), Code::value);
    EXPECT_EQ(y, std::vector<float>(120, -1));
    return error.message();
  }
  float at(size_t t, size_t b, size_t c, size_t i) const { return y[((t * 2 + b) * 3 + c) * 5 + i]; }

  Neuron neuron = Model::parse(shaped).compile();
  std::vector<float> x, y, numbers;
  Call call;
};

TEST_F(ShapedCall, OneNumberIsForAll) {
  neuron.inference(call);
  EXPECT_EQ(y, std::vector<float>(120, 2));
  call.params = {{"w", 3}, {"m", 2}};
  neuron.inference(call);
  EXPECT_EQ(y, std::vector<float>(120, 6));
  float four = 4;
  call.params = {{"w", Tensor(&four, {kDLFloat, 32, 1}, {})}};
  neuron.inference(call);
  EXPECT_EQ(y, std::vector<float>(120, 4));
}

TEST_F(ShapedCall, EachHasTheShapeOfItsDims) {
  std::vector<float> w = {1, 2, 3}, b(15), g = {1, 2, 4, 8}, m(12, 1);
  for (size_t i = 0; i < 15; ++i)
    b[i] = static_cast<float>(i);
  m[3 * 3 + 1] = 16;
  call.params = {{"w", view(w, {3})}, {"b", view(b, {3, 5})}, {"g", view(g, {4})}, {"m", view(m, {4, 3})}};
  neuron.inference(call);
  for (size_t t = 0; t < 4; ++t)
    for (size_t s = 0; s < 2; ++s)
      for (size_t c = 0; c < 3; ++c)
        for (size_t i = 0; i < 5; ++i)
          EXPECT_EQ(at(t, s, c, i), (w[c] + b[c * 5 + i]) * g[t] * m[t * 3 + c]) << t << s << c << i;
}

TEST_F(ShapedCall, OtherShapes) {
  set("w", {5});
  EXPECT_EQ(message(), "Shaped: parameter 'w' has shape (5,), but its dims [channel] have shape (3,) for 'x' of shape "
                       "(4, 2, 3, 5)");
  set("w", {1});
  EXPECT_EQ(message(), "Shaped: parameter 'w' has shape (1,), but its dims [channel] have shape (3,) for 'x' of shape "
                       "(4, 2, 3, 5)");
  set("b", {2, 3, 5});
  EXPECT_EQ(message(), "Shaped: parameter 'b' has shape (2, 3, 5), but its dims [neuron] have shape (3, 5) for 'x' of "
                       "shape (4, 2, 3, 5)");
  set("m", {3, 4});
  EXPECT_EQ(message(), "Shaped: parameter 'm' has shape (3, 4), but its dims [step, channel] have shape (4, 3) for 'x' "
                       "of shape (4, 2, 3, 5)");
  set("g", {0});
  EXPECT_EQ(message(), "Shaped: parameter 'g' has shape (0,), but its dims [step] have shape (4,) for 'x' of shape (4, "
                       "2, 3, 5)");
}

TEST_F(ShapedCall, TheChannelIsWhereTheCallSays) {
  call.channel_dim = -1;
  std::vector<float> w = {1, 2, 3, 4, 5};
  call.params = {{"w", view(w, {5})}};
  neuron.inference(call);
  for (size_t i = 0; i < 120; ++i)
    EXPECT_EQ(y[i], w[i % 5]);
  y.assign(120, -1);
  call.channel_dim = 4;
  EXPECT_EQ(message(), "channel_dim is 4, but 'x' of shape (4, 2, 3, 5) has 3 dimensions behind time: from 1 to 3, or "
                       "from the end, -1 to -3");
  call.channel_dim = -4;
  EXPECT_EQ(message().substr(0, 18), "channel_dim is -4,");
}

TEST_F(ShapedCall, OneNeuronHasOneOfEach) {
  std::vector<float> w = {3}, m = {1, 2, 3, 4};
  call.inputs = {view(x.data(), {4})};
  call.outputs = {view(y.data(), {4})};
  call.params = {{"w", view(w, {1})}, {"m", view(m, {4, 1})}};
  neuron.inference(call);
  EXPECT_EQ(std::vector<float>(y.begin(), y.begin() + 4), (std::vector<float>{3, 6, 9, 12}));
  y.assign(120, -1);
  call.channel_dim = 1;
  EXPECT_EQ(message(), "channel_dim is 1, but 'x' of shape (4,) has no dimension behind time");
}

TEST_F(ShapedCall, NoNeurons) {
  call.inputs = {view(x.data(), {4, 0, 3, 5})};
  call.outputs = {view(y.data(), {4, 0, 3, 5})};
  set("w", {3});
  neuron.inference(call);
  call.inputs = {view(x.data(), {4, 2, 0})};
  call.outputs = {view(y.data(), {4, 2, 0})};
  set("w", {0});
  neuron.inference(call);
  EXPECT_EQ(y, std::vector<float>(120, -1));
}

TEST_F(ShapedCall, ValuesAreCheckedAsNumbersAre) {
  std::vector<float> w = {1, 2, 11};
  call.params = {{"w", view(w, {3})}};
  EXPECT_EQ(message(), "Shaped: parameter 'w' at (2,) is 11, but must lie in [0, 10]");
  w = {1, NAN, 3};
  EXPECT_EQ(message(), "Shaped: parameter 'w' at (1,) is nan, but must lie in [0, 10]");
  std::vector<float> k = {0.25f, 1, 0.5f};
  call.params = {{"k", view(k, {3})}};
  EXPECT_EQ(message(), "Shaped: parameter 'k' at (1,) is 1, but sigmoid only gives values in (0, 1)");
}

TEST_F(ShapedCall, TypesNamesAndOverlaps) {
  std::vector<double> doubles(3, 1);
  call.params = {{"w", view(doubles, {3})}};
  Error error = errorOf([&] { neuron.inference(call); });
  EXPECT_EQ(error.code(), Code::type);
  EXPECT_EQ(error.message(),
            "Shaped: parameter 'w' is float64, but float32 is what the neuron was compiled for; convert "
            "the data, or compile for its dtype");
  call.params = {{"k", view(numbers.data(), {3})}, {"raw_k", 1}};
  EXPECT_EQ(message(), "Shaped: parameter 'k' is given twice, as 'k' and as 'raw_k'");
  call.params = {{"b", view(y.data(), {3, 5})}};
  EXPECT_EQ(message(), "Shaped: output 'y' overlaps parameter 'b'; it needs memory of its own");
}

/// What is stored is read in place; what must be transformed first is read once.
TEST_F(ShapedCall, ABoundCallReadsStoredValuesInPlace) {
  std::vector<float> w = {1, 2, 3}, k = {0.5f, 0.5f, 0.5f};
  call.params = {{"w", view(w, {3})}, {"k", view(k, {3})}};
  Bound bound = neuron.bind(call);
  w = {4, 5, 6};
  k = {0.25f, 0.25f, 0.25f};
  ASSERT_TRUE(bound.run().ok());
  EXPECT_EQ(at(1, 1, 0, 2), 4);
  EXPECT_EQ(at(1, 1, 2, 2), 6);
  std::vector<float> raw = {0, 0, 0};
  call.params = {{"raw_k", view(raw, {3})}};
  Bound inPlace = neuron.bind(call);
  raw = {40, 0, 0}; // sigmoid is 1
  ASSERT_TRUE(inPlace.run().ok());
  EXPECT_EQ(at(0, 0, 0, 0), 4);
  EXPECT_EQ(at(0, 0, 1, 0), 2);
}

TEST(ShapedOptions, GiveDimsToAScalar) {
  Model model = Model::parse(lif);
  Options options;
  options.dims = {{"tau", Dim::channel}, {"v_th", Dim::step | Dim::channel}};
  Neuron neuron = model.compile(Device::cpu(), options);
  std::vector<float> x(12, 3), s(12), tau = {2, 4, 8}, v_th = {1, 1, 1, 9, 9, 9, 9, 9, 9, 9, 9, 9};
  Call call;
  call.inputs = {view(x, {4, 3})};
  call.outputs = {view(s, {4, 3})};
  call.params = {{"tau", view(tau, {3})}, {"v_th", view(v_th, {4, 3})}};
  neuron.inference(call);
  EXPECT_EQ(s, (std::vector<float>{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(messageOf([&] { model.compile().inference(call); }),
            "LIF: parameter 'tau' got a tensor of 1 dimensions, but has no dims: it is one number for all; the option "
            "'dims' gives it some");
}

TEST(ShapedOptions, WhatMakesNoSense) {
  Model model = Model::parse(lif);
  auto refused = [&](const std::string &name, Dim dims) {
    Options options;
    options.dims = {{name, dims}};
    return messageOf([&] { model.compile(Device::cpu(), options); });
  };
  EXPECT_EQ(refused("tau", static_cast<Dim>(0)), "options.dims: 0 is no set of dims for 'tau'");
  EXPECT_EQ(refused("tau", static_cast<Dim>(8)), "options.dims: 8 is no set of dims for 'tau'");
  EXPECT_NE(refused("tau", Dim::channel | Dim::neuron).find("error"), std::string::npos);
  EXPECT_NE(refused("v", Dim::channel).find("error"), std::string::npos);
}

/// Dims are part of a program, sizes and values are not.
TEST(ShapedOptions, SizesAndValuesCompileNothing) {
  std::vector<float> x(240, 1), y(240), w(60, 3);
  Neuron neuron = Model::parse(shaped).compile();
  auto run = [&](Shape data, Shape param) {
    Call call;
    call.inputs = {view(x.data(), data)};
    call.outputs = {view(y.data(), data)};
    call.params = {{"w", view(w.data(), param)}};
    neuron.inference(call);
  };
  run({4, 2, 3, 5}, {3});
  uint64_t before = statistics().compilations;
  run({2, 3, 10, 2}, {10});
  run({4, 15}, {15});
  run({5}, {1});
  EXPECT_EQ(statistics().compilations, before);
}

} // namespace
} // namespace flexsn::test
