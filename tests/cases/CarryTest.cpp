// synsense/sinabs-exodus#3 (and its repair, pull request #5): two calls with the state kept between them, one backward
// at the end; the gradient that should flow back through the state was dropped.
#include "tests/cases/Support.h"

#include <cmath>
#include <numeric>

namespace flexsn::cases {
namespace {

constexpr const char *text = R"(neuron Carry:
  input x; output s; state v = 0
  param a = 0.75, v_th = 1
  h = a*v + x
  s = spike(h - v_th, atan(alpha=2.0))
  v = h - v_th*s
)";

const std::vector<float> inputs = {0.5f, 0.5f, 0.75f, 0.25f, 0.5f, 1};
const std::vector<float> whole = {1.245602823f, 2.000563805f, 2.979399364f, 3.923516259f, 4.907831500f, 5.617896436f};

/// What a sequence of calls with these numbers of steps gives, for n copies of the neuron.
class Calls {
public:
  Calls(const std::vector<int64_t> &lengths, int64_t n)
      : n(n), x(repeated(inputs, n)), loss(repeated({1, 2, 3, 4, 5, 6}, n)), s(6 * n, NAN), gx(6 * n, NAN) {
    for (int64_t length : lengths) {
      starts.push_back(std::accumulate(this->lengths.begin(), this->lengths.end(), int64_t(0)));
      this->lengths.push_back(length);
    }
    for (size_t i = 0; i <= lengths.size(); ++i) {
      states.emplace_back(n, i == 0 ? 0.25f : NAN);
      gradients.emplace_back(n, i == lengths.size() ? 0.5f : NAN);
    }
  }

  /// Forward through all calls, then backward from the last to the first; `detached` hands no gradient on. The outputs
  /// of the calls in front of number `firstUsed` are not used in the loss.
  void run(bool detached = false, size_t firstUsed = 0) {
    std::vector<Call> calls;
    std::vector<std::vector<std::byte>> residuals;
    for (size_t i = 0; i < lengths.size(); ++i) {
      Call call;
      auto at = [&](auto &sequence) { return view(sequence.data() + starts[i] * n, {lengths[i], n}); };
      call.inputs = {at(x)};
      call.outputs = {at(s)};
      call.initial_states = {{"v", states[i].view({n})}};
      call.final_states = {{"v", states[i + 1].view({n})}};
      call.output_gradients = {i < firstUsed ? view(&nothing, {lengths[i], n}, {0, 0}) : at(loss)};
      if (!detached || i + 1 == lengths.size())
        call.final_gradients = {{"v", gradients[i + 1].view({n})}};
      call.gradients = {{"x", at(gx)}, {"v", gradients[i].view({n})}};
      residuals.emplace_back(neuron.residual_bytes(call));
      call.residual = residuals.back().data();
      call.residual_bytes = residuals.back().size();
      neuron.forward(call);
      calls.push_back(call);
    }
    for (size_t i = calls.size(); i-- > 0;)
      neuron.backward(calls[i]);
    EXPECT_TRUE(s.intact() && gx.intact());
    for (size_t i = 0; i < states.size(); ++i)
      EXPECT_TRUE(states[i].intact() && gradients[i].intact()) << i;
  }

  void expectInputGradients(const std::vector<float> &want, double tolerance) {
    for (size_t t = 0; t < want.size(); ++t)
      for (int64_t i = 0; i < n; ++i)
        ASSERT_NEAR(gx[t * n + i], want[t], tolerance * want[t]) << "step " << t << ", neuron " << i;
  }

  /// Gradients of the first neuron's inputs.
  std::vector<float> ofFirst() {
    std::vector<float> steps;
    for (size_t t = 0; t < 6; ++t)
      steps.push_back(gx[t * n]);
    return steps;
  }

  Neuron neuron = Model::parse(text).compile();
  int64_t n;
  std::vector<int64_t> lengths, starts;
  std::vector<float> x, loss;
  float nothing = 0;
  Guarded<float> s, gx;
  std::vector<Guarded<float>> states, gradients; ///< in front of each call, and behind the last
};

TEST(Carry, OneCallOfSixSteps) {
  for (int64_t n : copies) {
    Calls calls({6}, n);
    calls.run();
    EXPECT_EQ(calls.s.values(), repeated({0, 1, 0, 0, 1, 1}, n));
    EXPECT_EQ(calls.states[1].values(), repeated({0.08697509765625f}, n));
    calls.expectInputGradients(whole, 1e-5);
    EXPECT_NEAR(calls.gradients[0][0], 0.9342021169, 1e-5);
  }
}

TEST(Carry, SeveralCallsGiveTheGradientsOfOne) {
  for (int64_t n : copies)
    for (const std::vector<int64_t> &lengths : {std::vector<int64_t>{3, 3}, {1, 5}, {1, 1, 1, 1, 1, 1}}) {
      Calls one({6}, n), several(lengths, n);
      one.run();
      several.run();
      EXPECT_TRUE(sameBits(several.s.values(), one.s.values()));
      several.expectInputGradients(one.ofFirst(), 1e-6);
      EXPECT_NEAR(several.gradients[0][0], one.gradients[0][0], 1e-6);
      if (lengths.size() == 2 && lengths[0] == 3) {
        EXPECT_EQ(several.states[1][0], 0.76171875f);
        EXPECT_NEAR(several.gradients[1][0], 2.942637194, 3e-6);
      }
    }
}

TEST(Carry, AStateThatIsDetachedBetweenTheCallsHandsNothingOn) {
  Calls calls({3, 3}, 33);
  calls.run(/*detached=*/true);
  calls.expectInputGradients({1.244901528f, 1.998658595f, 1.922613591f, 3.923516259f, 4.907831500f, 5.617896436f},
                             1e-5);
}

/// Then all that the first call has flows through the state; what is not used is one zero for all.
TEST(Carry, AFirstCallWhoseOutputsAreNotUsed) {
  Calls unused({3, 3}, 33), zeros({3, 3}, 33);
  unused.run(false, /*firstUsed=*/1);
  std::fill(zeros.loss.begin(), zeros.loss.begin() + 3 * 33, 0.0f);
  zeros.run();
  EXPECT_TRUE(sameBits(unused.gx.values(), zeros.gx.values()));
  EXPECT_NE(unused.gx[0], 0);
}

} // namespace
} // namespace flexsn::cases
