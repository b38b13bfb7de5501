// A layer that is fed transposed, sliced, misaligned or broadcast tensors, and must not notice, on the way back either.
#include "tests/cases/Support.h"

#include <cmath>
#include <limits>

namespace flexsn::cases {
namespace {

constexpr const char *soft = R"(neuron Soft:
  input x; output s; state v = 0
  h = v + x; s = spike(h - 1, atan(alpha=2.0)); v = h - s
)";

/// x[t, b, c] = (6t + 3b + c) / 8
float current(int64_t t, int64_t b, int64_t c) { return static_cast<float>(6 * t + 3 * b + c) / 8; }

const std::vector<float> spikes = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
const std::vector<float> lastStates = {0.75, 0, 0.25, 0.5, 0.75, 1};

class Layouts : public testing::Test {
protected:
  /// Runs on x with these strides from element `offset` of a larger array on.
  void run(const std::vector<int64_t> &strides, int64_t offset, const std::vector<int64_t> &outStrides) {
    std::vector<float> x(64, NAN), s(64, NAN), v(6, NAN);
    for (int64_t t = 0; t < 2; ++t)
      for (int64_t b = 0; b < 2; ++b)
        for (int64_t c = 0; c < 3; ++c)
          x[static_cast<size_t>(offset + t * strides[0] + b * strides[1] + c * strides[2])] = current(t, b, c);
    Call call;
    call.inputs = {view(x.data() + offset, {2, 2, 3}, strides)};
    call.outputs = {view(s.data(), {2, 2, 3}, outStrides)};
    call.final_states = {{"v", view(v, {2, 3})}};
    neuron.inference(call);
    for (int64_t i = 0; i < 12; ++i)
      EXPECT_EQ(s[static_cast<size_t>(i / 6 * outStrides[0] + i / 3 % 2 * outStrides[1] + i % 3 * outStrides[2])],
                spikes[static_cast<size_t>(i)]);
    EXPECT_EQ(v, lastStates);
  }

  Neuron neuron = Model::parse(soft).compile();
};

TEST_F(Layouts, EveryLayoutOfInputAndOutput) {
  const std::vector<std::vector<int64_t>> all = {{6, 3, 1}, {6, 1, 2}, {1, 6, 2}, {12, 6, 2}};
  for (const std::vector<int64_t> &in : all)
    for (const std::vector<int64_t> &out : all)
      for (int64_t offset : {0, 1})
        run(in, offset, out);
}

/// How a tensor of shape (2, 2, 3) lies in memory.
struct Lying {
  std::vector<int64_t> strides;
  int64_t offset;
  Tensor in(std::vector<float> &memory) const { return view(memory.data() + offset, {2, 2, 3}, strides); }
  float at(const std::vector<float> &memory, int64_t t, int64_t b, int64_t c) const {
    return memory[static_cast<size_t>(offset + t * strides[0] + b * strides[1] + c * strides[2])];
  }
};

/// Gradients of x, where the sum of s is the loss, in the order of (t, b, c).
std::vector<float> gradients(const Neuron &neuron, const Lying &x, const Lying &gs, const Lying &gx) {
  std::vector<float> inputs(64, NAN), ones(64, NAN), found(64, NAN), s(12);
  for (int64_t t = 0; t < 2; ++t)
    for (int64_t b = 0; b < 2; ++b)
      for (int64_t c = 0; c < 3; ++c) {
        inputs[static_cast<size_t>(x.offset + t * x.strides[0] + b * x.strides[1] + c * x.strides[2])] =
            current(t, x.strides[1] == 0 ? 0 : b, c);
        ones[static_cast<size_t>(gs.offset + t * gs.strides[0] + b * gs.strides[1] + c * gs.strides[2])] = 1;
      }
  Call call;
  call.inputs = {x.in(inputs)};
  call.outputs = {view(s, {2, 2, 3})};
  call.output_gradients = {gs.in(ones)};
  call.gradients = {{"x", gx.in(found)}};
  train(neuron, call);
  std::vector<float> dense;
  for (int64_t i = 0; i < 12; ++i)
    dense.push_back(gx.at(found, i / 6, i / 3 % 2, i % 3));
  return dense;
}

const std::vector<float> slopes = {0.6535855775f, 1, 0.6767181094f, 0.4349614090f, 0.3970141917f, 0.4722481474f,
                                   0.6184864582f, 1, 0.6184864582f, 0.2884004391f, 0.1526332484f, 0.0919996684f};

/// Dense, transposed, time innermost, every second column, and each of them misaligned; what flows back also broadcast.
TEST_F(Layouts, GradientsInEveryLayout) {
  const Lying dense{{6, 3, 1}, 0};
  const std::vector<float> wanted = gradients(neuron, dense, dense, dense);
  for (size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(wanted[i], slopes[i], 1e-5 * slopes[i]) << i;
  std::vector<Lying> all;
  for (int64_t offset : {0, 1})
    for (const std::vector<int64_t> &strides : {std::vector<int64_t>{6, 3, 1}, {6, 1, 2}, {1, 6, 2}, {12, 6, 2}})
      all.push_back({strides, offset});
  std::vector<Lying> flowing = all;
  for (const std::vector<int64_t> &strides : {std::vector<int64_t>{0, 0, 0}, {3, 0, 1}, {0, 3, 1}})
    flowing.push_back({strides, 0});
  for (const Lying &x : all)
    for (const Lying &gs : flowing)
      for (const Lying &gx : all)
        EXPECT_TRUE(sameBits(gradients(neuron, x, gs, gx), wanted));
}

/// A row that is read twice has a gradient for each time; adding them up is the caller's.
TEST_F(Layouts, GradientsOfABroadcastInput) {
  const Lying dense{{6, 3, 1}, 0};
  const std::vector<float> of = gradients(neuron, dense, dense, dense);
  for (const Lying &gs : {dense, Lying{{0, 0, 0}, 0}}) {
    const std::vector<float> found = gradients(neuron, {{3, 0, 1}, 0}, gs, dense);
    for (size_t t = 0; t < 2; ++t)
      for (size_t b = 0; b < 2; ++b)
        for (size_t c = 0; c < 3; ++c)
          EXPECT_EQ(found[t * 6 + b * 3 + c], of[t * 6 + c]) << t << b << c;
  }
}

/// One step, one row, one column: strides of their dimensions mean nothing.
TEST_F(Layouts, GradientsOfSizesOfOne) {
  std::vector<float> x = {1.5F}, s = {NAN}, gs = {1}, gx = {NAN};
  Call call;
  call.inputs = {view(x.data(), {1, 1, 1}, {77, -5, 0})};
  call.outputs = {view(s.data(), {1, 1, 1}, {0, 1000, 3})};
  call.output_gradients = {view(gs.data(), {1, 1, 1}, {0, 0, 9})};
  call.gradients = {{"x", view(gx.data(), {1, 1, 1}, {-1, 5, 0})}};
  train(neuron, call);
  EXPECT_NEAR(gx[0], 1 / (1 + std::pow(M_PI / 2, 2)), 1e-6);
}

TEST_F(Layouts, Broadcast) {
  std::vector<float> x = {current(0, 0, 0), current(0, 0, 1), current(0, 0, 2),
                          current(1, 0, 0), current(1, 0, 1), current(1, 0, 2)};
  std::vector<float> s(12, NAN);
  Call call;
  call.inputs = {view(x.data(), {2, 2, 3}, {3, 0, 1})};
  call.outputs = {view(s, {2, 2, 3})};
  neuron.inference(call);
  EXPECT_EQ(s, (std::vector<float>{0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1}));
}

/// Strides of dimensions with one element mean nothing.
TEST_F(Layouts, SizesOfOne) {
  std::vector<float> x = {1.5F}, s = {NAN};
  Call call;
  call.inputs = {view(x.data(), {1, 1, 1}, {77, -5, 0})};
  call.outputs = {view(s.data(), {1, 1, 1}, {0, 1000, 3})};
  neuron.inference(call);
  EXPECT_EQ(s[0], 1);
}

/// No call takes such strides, and no view falls over them.
TEST_F(Layouts, ViewsOfStridesThatNoMemoryHas) {
  constexpr int64_t least = std::numeric_limits<int64_t>::min();
  std::vector<float> x(4), s(4);
  EXPECT_EQ(view_like(view(x.data(), {2, 2}, {1, least}), s.data()).strides(), (std::vector<int64_t>{1, 2}));
  Call call;
  call.inputs = {view(x.data(), {2, 2, 2}, {least, least, 1}).step(3)};
  call.outputs = {view(s.data(), {2, 2})};
  EXPECT_THROW(neuron.inference(call), Error);
}

/// What a caller allocates in the input's order is walked without looking up places: no second program.
TEST_F(Layouts, ViewLikeFollowsTheInput) {
  std::vector<float> x(12), s(12), v(6);
  Tensor input = view(x.data(), {2, 2, 3}, {6, 1, 2});
  EXPECT_EQ(view_like(input, s.data()).strides(), (std::vector<int64_t>{6, 1, 2}));
  EXPECT_EQ(view_like(input.step(1), v.data()).strides(), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(view_like(view(x.data(), {2, 2, 3}, {1, 100, -10}), s.data()).strides(), (std::vector<int64_t>{1, 6, 2}));
  EXPECT_EQ(view_like(view(x.data(), {2, 2, 3}, {3, 0, 1}), s.data()).strides(), (std::vector<int64_t>{6, 3, 1}));
  Tensor second = input.step(1);
  EXPECT_EQ(second.shape(), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(second.dlpack().byte_offset, 24U);
  std::string text = soft;
  Neuron own = Model::parse(text.replace(text.find("Soft"), 4, "Own")).compile(); // nobody else's programs count
  own.prepare(Kernel::inference, {}, {"v"});
  uint64_t before = statistics().compilations;
  Call call;
  call.inputs = {input};
  call.outputs = {view_like(input, s.data())};
  call.final_states = {{"v", view_like(input.step(0), v.data())}};
  own.inference(call);
  EXPECT_EQ(statistics().compilations, before);
  call.final_states = {{"v", view(v, {2, 3})}};
  own.inference(call);
  EXPECT_EQ(statistics().compilations, before + 1); // the strided program
}

} // namespace
} // namespace flexsn::cases
