// Calls that run: what they compute, and every way to say the same.
#include "tests/abi/Support.h"

#include <cfenv>
#include <limits>

namespace flexsn::test {
namespace {

constexpr size_t T = 7, N = 33;

/// Operands of a LIF call of T steps and N neurons.
struct LifCall {
  LifCall() : x(currents(T * N)), s(T * N, -1), v(N, -1) {
    call.inputs = {view(x, {T, N})};
    call.outputs = {view(s, {T, N})};
    call.final_states = {{"v", view(v, {N})}};
  }
  void expect(const Expected &wanted) const {
    EXPECT_EQ(s, wanted.s);
    EXPECT_EQ(v, wanted.v);
  }
  std::vector<float> x, s, v;
  Call call;
};

TEST(Call, RunsFromTheDeclaredState) {
  LifCall operands;
  Model::parse(lif).compile().inference(operands.call);
  operands.expect(expected(operands.x, T, N));
}

TEST(Call, ParametersAreRunTimeValues) {
  Neuron neuron = Model::parse(lif).compile();
  LifCall operands;
  neuron.prepare(Kernel::inference, {}, {"v"});
  uint64_t before = statistics().compilations;
  for (float tau : {1.0f, 3.0f, 17.5f}) {
    operands.call.params = {{"tau", tau}};
    neuron.inference(operands.call);
    operands.expect(expected(operands.x, T, N, tau));
  }
  EXPECT_EQ(statistics().compilations, before);
}

TEST(Call, StatesFromMemoryFromANumberAndFromATensorWithoutDimensions) {
  Neuron neuron = Model::parse(lif).compile();
  std::vector<float> start(N, 0.625f);
  LifCall memory, number, scalar;
  memory.call.initial_states = {{"v", view(start, {N})}};
  number.call.initial_states = {{"v", 0.625}};
  scalar.call.initial_states = {{"v", view(start.data(), {})}};
  for (LifCall *operands : {&memory, &number, &scalar}) {
    neuron.inference(operands->call);
    operands->expect(expected(operands->x, T, N, 2, 0.625f));
  }
}

TEST(Call, SixStepsAtOnceAreSixCallsWhoseStateStaysInPlace) {
  Neuron neuron = Model::parse(lif).compile();
  std::vector<float> x = currents(T * N), s(T * N), v(N, 0);
  for (size_t t = 0; t < T; ++t) {
    Call step;
    step.inputs = {view(x.data() + t * N, {1, N})};
    step.outputs = {view(s.data() + t * N, {1, N})};
    step.initial_states = step.final_states = {{"v", view(v, {N})}};
    neuron.inference(step);
  }
  EXPECT_EQ(s, expected(x, T, N).s);
  EXPECT_EQ(v, expected(x, T, N).v);
}

TEST(Call, FinalStatesAloneWriteNoSequence) {
  LifCall operands;
  operands.call.outputs.clear();
  Neuron neuron = Model::parse(lif).compile();
  neuron.final_state(operands.call);
  EXPECT_EQ(operands.v, expected(operands.x, T, N).v);
  EXPECT_EQ(operands.s, std::vector<float>(T * N, -1));

  Options nothing;
  nothing.outputs.emplace();
  LifCall again;
  again.call.outputs.clear();
  Model::parse(lif).compile(Device::cpu(), nothing).inference(again.call);
  EXPECT_EQ(again.v, operands.v);
}

TEST(Call, AnyNameOfTheModelCanBeAskedFor) {
  Options options;
  options.outputs = {"h", "s"};
  LifCall operands;
  std::vector<float> h(T * N);
  operands.call.outputs = {view(h, {T, N}), view(operands.s, {T, N})};
  Model::parse(lif).compile(Device::cpu(), options).inference(operands.call);
  operands.expect(expected(operands.x, T, N));
  for (size_t i = 0; i < h.size(); ++i)
    EXPECT_EQ(h[i] >= 1, operands.s[i] == 1) << i;
}

TEST(Call, DoublesAreComputedInDouble) {
  Options options;
  options.dtype = DType::f64;
  std::vector<double> x = {0.1, 0.1}, s(2), v(1);
  Call call;
  call.inputs = {view(x, {2})};
  call.outputs = {view(s, {2})};
  call.final_states = {{"v", view(v.data(), {})}};
  call.params = {{"tau", 3.0}};
  Model::parse(lif).compile(Device::cpu(), options).inference(call);
  double h = 0.1 / 3.0;
  EXPECT_EQ(v[0], h + (0.1 - h) / 3.0);
}

TEST(Call, IntsAndBoolsHaveTheirOwnMemory) {
  Model model = Model::parse(R"(neuron Count:
  input x, on: bool, n: int
  state c: int = 0, seen: bool = false
  c = c + n if on else c
  seen = seen or on
  y = x * c
  output c, seen, y
)");
  float x[4] = {1, 1, 1, 2}, c[4], y[4];
  uint8_t on[4] = {1, 0, 255, 0}, seen[4];
  int32_t n[4] = {5, 7, -2, 7}, count = 40;
  uint8_t last = 9;
  Call call;
  call.inputs = {view(x, {4}), view(on, {4}), view(n, {4})};
  call.outputs = {view(c, {4}), view(seen, {4}), view(y, {4})};
  call.initial_states = {{"c", view(&count, {})}};
  call.final_states = {{"seen", view(&last, {})}};
  model.compile().inference(call);
  EXPECT_EQ(std::vector<float>(c, c + 4), (std::vector<float>{45, 45, 43, 43})); // delivered as the data's type
  EXPECT_EQ(std::vector<uint8_t>(seen, seen + 4), (std::vector<uint8_t>{1, 1, 1, 1}));
  EXPECT_EQ(std::vector<float>(y, y + 4), (std::vector<float>{45, 45, 43, 86}));
  EXPECT_EQ(last, 1);
}

TEST(Call, AModelWithoutInputsTakesItsShapeFromWhatItWrites) {
  Neuron clock = Model::parse("neuron Clock:\n  state v = 0\n  v = v + 1\n  output v\n").compile();
  std::vector<float> out(3 * 2), last(2);
  Call call;
  call.outputs = {view(out, {3, 2})};
  clock.inference(call);
  EXPECT_EQ(out, (std::vector<float>{1, 1, 2, 2, 3, 3}));
  Call finals;
  finals.final_states = {{"v", view(last, {2})}};
  finals.steps = 100;
  clock.final_state(finals);
  EXPECT_EQ(last, (std::vector<float>{100, 100}));
}

TEST(Call, TimeMayLieAnywhere) {
  // Steps interleaved in one buffer with the output's, and steps backwards in memory.
  std::vector<float> both(2 * T * N), x = currents(T * N), v(N);
  for (size_t t = 0; t < T; ++t)
    std::copy_n(x.begin() + static_cast<ptrdiff_t>(t * N), N, both.begin() + static_cast<ptrdiff_t>(2 * t * N));
  Call call;
  call.inputs = {view(both.data(), {T, N}, {2 * N, 1})};
  call.outputs = {view(both.data() + N, {T, N}, {2 * N, 1})};
  Neuron neuron = Model::parse(lif).compile();
  neuron.inference(call);
  std::vector<float> wanted = expected(x, T, N).s;
  for (size_t i = 0; i < T * N; ++i)
    EXPECT_EQ(both[(2 * (i / N) + 1) * N + i % N], wanted[i]) << i;

  std::vector<float> s(T * N);
  call.inputs = {view(x, {T, N})};
  call.outputs = {view(s.data() + (T - 1) * N, {T, N}, {-static_cast<int64_t>(N), 1})};
  neuron.inference(call);
  for (size_t i = 0; i < T * N; ++i)
    EXPECT_EQ(s[(T - 1 - i / N) * N + i % N], wanted[i]) << i;
}

TEST(Call, OneStepRepeatedIsAnInputOfStrideZero) {
  std::vector<float> x(N, 1.75f), repeated(T * N, 1.75f), s(T * N);
  Call call;
  call.inputs = {view(x.data(), {T, N}, {0, 1})};
  call.outputs = {view(s, {T, N})};
  Model::parse(lif).compile().inference(call);
  EXPECT_EQ(s, expected(repeated, T, N).s);
}

TEST(Call, EveryDenseOrderIsReadInPlace) {
  // [T, 3, 11] with the middle dimension innermost: the same memory order for all operands.
  LifCall operands;
  std::vector<int64_t> strides = {N, 1, 3}, step = {1, 3};
  operands.call.inputs = {view(operands.x.data(), {T, 3, 11}, strides)};
  operands.call.outputs = {view(operands.s.data(), {T, 3, 11}, strides)};
  operands.call.final_states = {{"v", view(operands.v.data(), {3, 11}, step)}};
  Model::parse(lif).compile().inference(operands.call);
  operands.expect(expected(operands.x, T, N));
}

TEST(Call, WithoutNeuronsNothingHappens) {
  std::vector<float> none;
  Call call;
  call.inputs = {view(none, {T, 0})};
  call.outputs = {view(none, {T, 0})};
  call.final_states = {{"v", view(none, {0})}};
  Neuron neuron = Model::parse(lif).compile();
  neuron.inference(call);
  EXPECT_TRUE(neuron.bind(call).run().ok());
}

TEST(Call, ReadsConstMemory) {
  const std::vector<float> x = currents(T * N);
  std::vector<float> s(T * N);
  Call call;
  call.inputs = {view(x, {T, N})};
  call.outputs = {view(s, {T, N})};
  Model::parse(lif).compile().inference(call);
  EXPECT_EQ(s, expected(x, T, N).s);
  call.outputs = {view(x, {T, N})};
  EXPECT_EQ(messageOf([&] { Model::parse(lif).compile().inference(call); }),
            "output 0 is a view of const memory, and the call would write to it");
}

TEST(Call, TheCallersRoundingModeNeitherMattersNorChanges) {
  LifCall nearest, upward;
  for (float &x : upward.x)
    x *= 1.1f;
  nearest.x = upward.x;
  Neuron neuron = Model::parse(lif).compile();
  nearest.call.params = upward.call.params = {{"tau", 3}};
  neuron.inference(nearest.call);
  ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
  neuron.inference(upward.call);
  int mode = std::fegetround();
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(mode, FE_UPWARD);
  EXPECT_EQ(upward.s, nearest.s);
  EXPECT_EQ(upward.v, nearest.v);
}

TEST(Bound, RunsOnWhatTheMemoryHoldsThen) {
  LifCall operands;
  operands.call.initial_states = {{"v", view(operands.v, {N})}};
  std::fill(operands.v.begin(), operands.v.end(), 0.0f);
  Bound bound = Model::parse(lif).compile().bind(operands.call);
  EXPECT_EQ(operands.s, std::vector<float>(T * N, -1)); // binding runs nothing
  ASSERT_TRUE(bound.run());
  operands.expect(expected(operands.x, T, N));
  std::fill(operands.v.begin(), operands.v.end(), 0.5f);
  for (float &x : operands.x)
    x += 0.25f;
  ASSERT_TRUE(bound.run());
  operands.expect(expected(operands.x, T, N, 2, 0.5f));
}

} // namespace
} // namespace flexsn::test
