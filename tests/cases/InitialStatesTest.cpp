// jeshraghian/snntorch#350 (again #349, #358, #320, #234): with both states passed in by hand the second overwrote the
// first, and implicit and explicit initial states differed.
#include "tests/cases/Support.h"

namespace flexsn::cases {
namespace {

const std::vector<float> x = {0.5f, 0, 0.25f, 1};

struct Outcome {
  std::vector<float> s, i, v;
};

/// Runs `n` copies; every value of the case is exact, so every copy must have just these.
Outcome run(int64_t n, const std::function<void(Call &)> &give) {
  Neuron pair = Model::parse(pairText, "pair.fsn").compile();
  std::vector<float> input = repeated(x, n);
  Guarded<float> s(x.size() * n), i(n), v(n);
  Call call;
  call.inputs = {view(input, {x.size(), n})};
  call.outputs = {s.view({x.size(), n})};
  call.final_states = {{"i", i.view({n})}, {"v", v.view({n})}};
  give(call);
  pair.inference(call);
  EXPECT_TRUE(s.intact() && i.intact() && v.intact());
  return {s.values(), i.values(), v.values()};
}

void expect(const Outcome &outcome, int64_t n, const std::vector<float> &s, float i, float v) {
  EXPECT_EQ(outcome.s, repeated(s, n));
  EXPECT_EQ(outcome.i, repeated({i}, n));
  EXPECT_EQ(outcome.v, repeated({v}, n));
}

TEST(InitialStates, BothGivenInEitherOrder) {
  for (int64_t n : copies) {
    std::vector<float> i(n, 0.5f), v(n, -0.25f);
    auto first = [&](Call &call) { call.initial_states = {{"i", view(i, {n})}, {"v", view(v, {n})}}; };
    auto second = [&](Call &call) { call.initial_states = {{"v", view(v, {n})}, {"i", view(i, {n})}}; };
    expect(run(n, first), n, {0, 0, 1, 1}, 1.21875f, 0.2451171875f);
    expect(run(n, second), n, {0, 0, 1, 1}, 1.21875f, 0.2451171875f);
  }
}

TEST(InitialStates, NoneGivenEqualsTheDeclaredValuesAsTensorsAndAsNumbers) {
  for (int64_t n : copies) {
    std::vector<float> zero(n, 0);
    Outcome none = run(n, [](Call &) {});
    expect(none, n, {0, 0, 0, 1}, 1.1875f, 0.8203125f);
    Outcome tensors = run(n, [&](Call &c) { c.initial_states = {{"i", view(zero, {n})}, {"v", view(zero, {n})}}; });
    Outcome numbers = run(n, [](Call &c) { c.initial_states = {{"i", 0}, {"v", 0}}; });
    for (const Outcome &other : {tensors, numbers})
      EXPECT_TRUE(sameBits(other.s, none.s) && sameBits(other.i, none.i) && sameBits(other.v, none.v));
  }
}

TEST(InitialStates, OneGivenLeavesTheOtherAtItsDeclaredValue) {
  for (int64_t n : copies) {
    std::vector<float> half(n, 0.5f), zero(n, 0);
    Outcome one = run(n, [&](Call &c) { c.initial_states = {{"i", view(half, {n})}}; });
    Outcome both = run(n, [&](Call &c) { c.initial_states = {{"i", view(half, {n})}, {"v", view(zero, {n})}}; });
    EXPECT_TRUE(sameBits(one.s, both.s) && sameBits(one.i, both.i) && sameBits(one.v, both.v));
    Outcome swapped = run(n, [&](Call &c) { c.initial_states = {{"v", view(half, {n})}}; });
    EXPECT_FALSE(sameBits(one.v, swapped.v)) << "i and v are two states";
  }
}

TEST(InitialStates, TheFinalStateMayBeTheInitialStatesMemory) {
  for (int64_t n : copies) {
    Guarded<float> i(n, 0.5f), v(n, -0.25f);
    Outcome outcome = run(n, [&](Call &c) {
      c.initial_states = {{"i", i.view({n})}, {"v", v.view({n})}};
      c.final_states = c.initial_states;
    });
    EXPECT_EQ(outcome.s, repeated({0, 0, 1, 1}, n));
    EXPECT_EQ(i.values(), repeated({1.21875f}, n));
    EXPECT_EQ(v.values(), repeated({0.2451171875f}, n));
    EXPECT_TRUE(i.intact() && v.intact());
  }
}

TEST(InitialStates, TheFinalStateKernelEndsInTheSameBits) {
  Neuron pair = Model::parse(pairText, "pair.fsn").compile();
  for (int64_t n : copies)
    for (bool given : {false, true}) {
      std::vector<float> input = repeated(x, n), start(n, -0.25f);
      auto give = [&](Call &call) {
        if (given)
          call.initial_states = {{"i", 0.5}, {"v", view(start, {n})}};
      };
      Outcome whole = run(n, give);
      Guarded<float> i(n), v(n);
      Call call;
      call.inputs = {view(input, {x.size(), n})};
      call.final_states = {{"i", i.view({n})}, {"v", v.view({n})}};
      give(call);
      pair.final_state(call);
      EXPECT_TRUE(sameBits(i.values(), whole.i) && sameBits(v.values(), whole.v));
      EXPECT_TRUE(i.intact() && v.intact());
    }
}

TEST(InitialStates, AnUnknownNameIsAnErrorThatListsTheStates) {
  std::string message = messageOf([] { run(1, [](Call &call) { call.initial_states = {{"w", 0}}; }); });
  EXPECT_EQ(message, "Pair has no state 'w'; its states are i, v");
}

} // namespace
} // namespace flexsn::cases
