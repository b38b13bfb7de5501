// Gradients of parameters with dims through the interface: shapes, what is refused word for word, the same bits for any
// number of threads and any layout of the memory.
#include "tests/abi/Support.h"

#include <cmath>
#include <cstring>

namespace flexsn::test {
namespace {

constexpr const char *text = R"(neuron Shaped:
  input x
  state v = c
  param w[channel] = 2 learnable, b[neuron] = 0.5, g[step] = 1, m[step, channel] = 1, k[channel] = 0.5 as sigmoid
  param c = 0.25, i[channel]: int = 1, f[channel] = 1 frozen
  v = v*k + (x*w + b)*g*m + c*i*f
  s = spike(v - 1)
  output s
)";

/// A training step on (T, B, C, I), large enough to be shared among threads where it says so.
class ShapedGradients : public testing::Test {
protected:
  static constexpr int64_t steps = 3, channels = 3;

  void make(int64_t batch, int64_t inner) {
    shape = {steps, batch, channels, inner};
    auto count = static_cast<size_t>(steps * batch * channels * inner);
    x.resize(count), gs.resize(count), s.resize(count), gx.resize(count);
    for (size_t i = 0; i < count; ++i) {
      x[i] = std::sin(static_cast<float>(i));
      gs[i] = std::cos(static_cast<float>(3 * i));
    }
    gb.assign(static_cast<size_t>(channels * inner), -1);
    call = {};
    call.inputs = {view(x, shape)};
    call.outputs = {view(s, shape)};
    call.output_gradients = {view(gs, shape)};
    call.gradients = {{"x", view(gx, shape)},         {"w", view(gw, {channels})}, {"b", view(gb, {channels, inner})},
                      {"g", view(gg, {steps})},       {"c", view(gc, {})},         {"m", view(gm, {steps, channels})},
                      {"raw_k", view(gk, {channels})}};
  }
  void train() {
    std::vector<std::byte> residual(neuron.residual_bytes(call));
    call.residual = residual.data();
    call.residual_bytes = residual.size();
    neuron.forward(call);
    neuron.backward(call);
  }
  std::vector<std::vector<float>> gradients() const { return {gx, gw, gb, gg, gc, gm, gk}; }
  std::string refusal() {
    Error error = errorOf([&] { train(); });
    EXPECT_EQ(error.code(), Code::value);
    return error.message();
  }

  Neuron neuron = Model::parse(text).compile();
  Shape shape = {1};
  std::vector<float> x, gs, s, gx, gb, gw = std::vector<float>(channels), gg = std::vector<float>(steps), gc = {0},
                                       gm = std::vector<float>(steps * channels), gk = gw;
  Call call;
};

TEST_F(ShapedGradients, NoNumberOfThreadsChangesABit) {
  const int32_t before = num_threads();
  for (auto [batch, inner] : std::initializer_list<std::pair<int64_t, int64_t>>{{7, 4099}, {20011, 1}, {300, 49}}) {
    make(batch, inner);
    set_num_threads(1);
    train();
    std::vector<std::vector<float>> one = gradients();
    for (int32_t count : {2, 5}) {
      set_num_threads(count);
      for (std::vector<float> *each : {&gx, &gw, &gb, &gg, &gc, &gm, &gk})
        std::fill(each->begin(), each->end(), -1.0F);
      train();
      EXPECT_EQ(gradients(), one) << batch << " x " << inner << " by " << count;
    }
  }
  set_num_threads(before);
}

TEST_F(ShapedGradients, ElementsAreSharedByTheirDims) {
  make(2, 5);
  train();
  // w by hand: what flows into x * w is what flows into x, divided by w.
  for (int64_t c = 0; c < channels; ++c) {
    double sum = 0;
    for (int64_t t = 0; t < steps; ++t)
      for (int64_t b = 0; b < 2; ++b)
        for (int64_t i = 0; i < 5; ++i) {
          auto at = static_cast<size_t>(((t * 2 + b) * channels + c) * 5 + i);
          sum += static_cast<double>(gx[at]) / 2 * x[at];
        }
    EXPECT_NEAR(gw[static_cast<size_t>(c)], sum, 1e-5);
  }
  // What b has of a step is what flows into x * w.
  double ofB = 0, ofX = 0, ofG = 0, ofM = 0;
  for (float each : gb)
    ofB += each;
  for (float each : gx)
    ofX += each / 2;
  for (float each : gg)
    ofG += each;
  for (float each : gm)
    ofM += each;
  EXPECT_NEAR(ofB, ofX, 1e-4);
  EXPECT_NEAR(ofG, ofM, 1e-4); // both are 1 everywhere
}

TEST_F(ShapedGradients, TheyLieAnywhere) {
  make(4, 6);
  train();
  std::vector<std::vector<float>> dense = gradients();
  std::vector<float> far(200, -7);
  call.gradients[1] = {"w", Tensor(far.data() + 20, {kDLFloat, 32, 1}, {channels}, {-7})};
  call.gradients[2] = {"b", Tensor(far.data() + 100, {kDLFloat, 32, 1}, {channels, 6}, {1, 4})}; // the other way
  train();
  for (int64_t c = 0; c < channels; ++c) {
    EXPECT_EQ(far[static_cast<size_t>(20 - 7 * c)], dense[1][static_cast<size_t>(c)]);
    for (int64_t i = 0; i < 6; ++i)
      EXPECT_EQ(far[static_cast<size_t>(100 + c + 4 * i)], dense[2][static_cast<size_t>(c * 6 + i)]);
  }
  EXPECT_EQ(std::count(far.begin(), far.end(), -7.0F), 200 - channels - channels * 6);
}

TEST_F(ShapedGradients, NoNeuronsHaveNone) {
  make(0, 5);
  std::fill(gw.begin(), gw.end(), 3.0F);
  std::fill(gg.begin(), gg.end(), 3.0F);
  train();
  for (const std::vector<float> &gradient : gradients())
    EXPECT_EQ(gradient, std::vector<float>(gradient.size(), 0.0F));
}

TEST_F(ShapedGradients, OtherShapesAreRefused) {
  make(2, 5);
  call.gradients[1] = {"w", view(gw.data(), {})};
  EXPECT_EQ(refusal(),
            "Shaped: gradient of parameter 'w' has shape (), but its dims [channel] have shape (3,) for 'x' of "
            "shape (3, 2, 3, 5)");
  make(2, 5);
  call.gradients[5] = {"m", view(gm, {channels * steps})};
  EXPECT_EQ(refusal(),
            "Shaped: gradient of parameter 'm' has shape (9,), but its dims [step, channel] have shape (3, 3) "
            "for 'x' of shape (3, 2, 3, 5)");
  make(2, 5);
  call.gradients = {{"i", view(gw, {channels})}};
  EXPECT_EQ(refusal(), "Shaped: parameter 'i' is an int, which has no gradient");
  call.gradients = {{"f", view(gw, {channels})}};
  EXPECT_EQ(refusal(), "Shaped: parameter 'f' is frozen: it has no gradient");
}

TEST_F(ShapedGradients, MemoryIsTheirsAlone) {
  make(2, 5);
  call.gradients[1] = {"w", Tensor(gw.data(), {kDLFloat, 32, 1}, {channels}, {0})};
  EXPECT_EQ(refusal(), "Shaped: gradient of parameter 'w' has elements that overlap (strides (0,))");
  make(2, 5);
  call.gradients[1] = {"w", view(gx.data() + 5, {channels})};
  EXPECT_EQ(refusal(), "Shaped: gradient of parameter 'w' overlaps gradient of input 'x'; it needs memory of its own");
  make(2, 5);
  call.gradients[4] = {"c", view(gw.data() + 1, {})};
  EXPECT_EQ(refusal(),
            "Shaped: gradient of parameter 'c' overlaps gradient of parameter 'w'; it needs memory of its own");
}

} // namespace
} // namespace flexsn::test
