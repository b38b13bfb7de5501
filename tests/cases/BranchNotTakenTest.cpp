// pytorch/pytorch#68425 (also #187297, #36923, #23395): a selection whose unused side is inf or NaN had a right value
// and a NaN gradient, because 0 * inf is NaN.
#include "tests/cases/Support.h"

#include <cmath>

namespace flexsn::cases {
namespace {

constexpr const char *guard = R"(neuron Guard:
  input x; output y, z, q
  state v = 0
  y = exp(x) if x <= 0 else 1 + x
  z = sqrt(x) if x > 0 else x
  q = x / v if v != 0 else x
  v = v + 1
)";
constexpr const char *where = R"(neuron Guard:
  input x; output y, z, q
  state v = 0
  y = where(x <= 0, exp(x), 1 + x)
  z = where(x > 0, sqrt(x), x)
  q = where(v != 0, x / v, x)
  v = v + 1
)";
/// One value that selections of different conditions read.
constexpr const char *shared = R"(neuron Guard:
  input x; output y, z, q
  state v = 0
  u = log(x)
  y = u if x > 0 else 2 * x
  z = u * u if x > 1 else 3 * x
  q = 4 * x if x <= 2 else u
  v = v + 1
)";

struct Outcome {
  std::vector<float> output, gx, gv, v;
};

/// The loss is the sum of the outputs in `used`; the output returned is the first of them. x is [steps][neurons].
Outcome run(const char *text, const std::vector<std::string> &used, const std::vector<float> &x, int64_t steps,
            Math math, int64_t n) {
  auto neurons = static_cast<int64_t>(x.size()) / steps * n;
  std::vector<float> wide = repeated(x, n), ones(wide.size(), 1);
  std::vector<Guarded<float>> outputs(used.size(), Guarded<float>(wide.size(), NAN));
  Guarded<float> gx(wide.size(), NAN), v0(neurons, 0), v(neurons, NAN), gv(neurons, NAN);
  Call call;
  call.inputs = {view(wide, {steps, neurons})};
  call.initial_states = {{"v", v0.view({neurons})}};
  call.final_states = {{"v", v.view({neurons})}};
  for (Guarded<float> &output : outputs) {
    call.outputs.push_back(output.view({steps, neurons}));
    call.output_gradients.push_back(view(ones, {steps, neurons}));
  }
  call.gradients = {{"x", gx.view({steps, neurons})}, {"v", gv.view({neurons})}};
  Options options;
  options.outputs = used;
  options.math = math;
  train(Model::parse(text).compile(Device::cpu(), options), call);
  EXPECT_TRUE(gx.intact() && gv.intact() && v.intact() && outputs[0].intact());
  return {outputs[0].values(), gx.values(), gv.values(), v.values()};
}

void expectNear(const std::vector<float> &got, const std::vector<float> &want) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], want[i], 1e-6 * std::fabs(want[i])) << i;
}

TEST(BranchNotTaken, AddsNoNaN) {
  for (const char *text : {guard, where})
    for (Math math : {Math::strict, Math::standard, Math::fast})
      for (int64_t n : copies) {
        Outcome y = run(text, {"y"}, {100, 1, 0, -1}, 1, math, n);
        expectNear(y.output, repeated({101, 2, 1, 0.36787944f}, n));
        expectNear(y.gx, repeated({1, 1, 1, 0.36787944f}, n));
        Outcome z = run(text, {"z"}, {-1, -4, 4}, 1, math, n);
        EXPECT_EQ(z.output, repeated({-1, -4, 2}, n));
        EXPECT_EQ(z.gx, repeated({1, 1, 0.25}, n));
        Outcome q = run(text, {"q"}, {3, 5}, 2, math, n);
        EXPECT_EQ(q.output, repeated({3, 5}, n));
        EXPECT_EQ(q.gx, repeated({1, 1}, n));
        EXPECT_EQ(q.gv, repeated({-5}, n));
        EXPECT_EQ(q.v, repeated({2}, n));
      }
}

TEST(BranchNotTaken, NorInAllOfThemTogether) {
  for (const char *text : {guard, where})
    for (Math math : {Math::strict, Math::standard, Math::fast}) {
      Outcome all = run(text, {"y", "z", "q"}, {100, 1, 0, -1, 4}, 1, math, 33);
      expectNear(all.gx, repeated({1 + 0.05f + 1, 1 + 0.5f + 1, 3, 0.36787944f + 2, 1 + 0.25f + 1}, 33));
      EXPECT_EQ(all.gv, std::vector<float>(5 * 33, 0));
      EXPECT_EQ(all.v, std::vector<float>(5 * 33, 1));
    }
}

TEST(BranchNotTaken, NorWhereNoneOfSeveralSelectionsTakesAValue) {
  for (Math math : {Math::strict, Math::standard, Math::fast}) {
    Outcome all = run(shared, {"y", "z", "q"}, {0, -1, 0.5f, 1}, 1, math, 33);
    expectNear(all.gx, repeated({9, 9, 9, 8}, 33));
  }
}

} // namespace
} // namespace flexsn::cases
