// A training step through the interface: what is refused, what is computed, and what lies between both kernels.
#include <flexsn/flexsn.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

using namespace flexsn;

namespace {

constexpr const char *text = R"(
neuron Leaky:
  input x, gate: int
  state v = 0
  param tau = 2.0 learnable as exp, th = 1.0, cold = 0.5 frozen
  h = v + (x - v) / tau + cold*0
  s = spike(h - th, surrogate=atan(alpha=2))
  up = h > 0
  v = h * (1 - s)
  output s, up
)";

/// A call with all that a training step may have, of T steps and N neurons.
class TrainingStep : public testing::Test {
protected:
  static constexpr int64_t steps = 40, neurons = 33;

  TrainingStep() {
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] = std::sin(static_cast<float>(i)) + 0.8F;
      gs[i] = std::cos(static_cast<float>(3 * i));
    }
    Options options;
    options.outputs = {"s"};
    neuron = std::make_unique<Neuron>(Model::parse(text).compile(Device::cpu(), options));
    call.inputs = {view(x, {steps, neurons}), view(gate, {steps, neurons})};
    call.outputs = {view(s, {steps, neurons})};
    call.initial_states = {{"v", view(v, {neurons})}};
    call.output_gradients = {view(gs, {steps, neurons})};
    call.final_gradients = {{"v", view(gv, {neurons})}};
    call.gradients = {{"x", view(gx, {steps, neurons})}, {"v", view(gv0, {neurons})}, {"tau", view(gtau, {})}};
  }

  /// The words of the failure, or nothing.
  std::string refusal(const std::function<void(Call &)> &spoil, Kernel kernel = Kernel::backward) {
    Call spoilt = call;
    std::vector<std::byte> memory(4096 * 64);
    spoilt.residual = memory.data();
    spoilt.residual_bytes = memory.size();
    spoil(spoilt);
    try {
      kernel == Kernel::forward ? neuron->forward(spoilt) : neuron->backward(spoilt);
    } catch (const Error &error) {
      return error.message();
    }
    return "";
  }

  std::vector<float> x = std::vector<float>(steps * neurons), gs = x, s = x, gx = x;
  std::vector<int32_t> gate = std::vector<int32_t>(steps * neurons);
  std::vector<float> v = std::vector<float>(neurons, 0.25F), gv = std::vector<float>(neurons, 0.5F), gv0 = v,
                     gtau = {0};
  std::unique_ptr<Neuron> neuron;
  Call call;
};

TEST_F(TrainingStep, GivesTheGradientsOfTheLoop) {
  std::vector<std::byte> residual(neuron->residual_bytes(call));
  EXPECT_GT(residual.size(), 0U); // more steps than between two checkpoints
  call.residual = residual.data();
  call.residual_bytes = residual.size();
  neuron->forward(call);
  neuron->backward(call);
  double dTau = 0;
  for (int64_t n = 0; n < neurons; ++n) {
    std::vector<double> before(steps), level(steps);
    double membrane = 0.25, tau = std::exp(std::log(2.0));
    for (int64_t t = 0; t < steps; ++t) {
      before[t] = membrane;
      level[t] = membrane + (x[t * neurons + n] - membrane) / tau;
      double spike = level[t] >= 1 ? 1 : 0;
      EXPECT_EQ(s[t * neurons + n], spike);
      membrane = level[t] * (1 - spike);
    }
    double flow = 0.5;
    for (int64_t t = steps; t-- > 0;) {
      double spike = level[t] >= 1 ? 1 : 0, u = std::numbers::pi * (level[t] - 1);
      double dSpike = gs[t * neurons + n] - flow * level[t], dLevel = flow * (1 - spike) + dSpike / (1 + u * u);
      EXPECT_NEAR(gx[t * neurons + n], dLevel / tau, 1e-4);
      dTau -= dLevel * (x[t * neurons + n] - before[t]) / tau; // of the logarithm, which is what is stored
      flow = dLevel * (1 - 1 / tau);
    }
    EXPECT_NEAR(gv0[n], flow, 1e-4);
  }
  EXPECT_NEAR(gtau[0], dTau, 1e-4 * std::abs(dTau));
}

TEST_F(TrainingStep, KeepsNothingOfAShortSequence) {
  for (Tensor *tensor : {&call.inputs[0], &call.inputs[1]})
    *tensor = tensor == &call.inputs[0] ? view(x, {4, neurons * 10}) : view(gate, {4, neurons * 10});
  call.initial_states.clear();
  call.final_gradients.clear();
  call.outputs = {view(s, {4, neurons * 10})};
  call.gradients = {{"x", view(gx, {4, neurons * 10})}};
  call.output_gradients = {view(gs, {4, neurons * 10})};
  EXPECT_EQ(neuron->residual_bytes(call), 0U);
  neuron->backward(call); // from the inputs alone
}

TEST_F(TrainingStep, SaysWhatIsWrong) {
  auto of = [&](auto change) { return refusal(change); };
  EXPECT_EQ(of([](Call &) {}), "");
  EXPECT_EQ(of([](Call &call) { call.residual_bytes = 7; }),
            "Leaky: the residual of 40 steps of 33 neurons has 7 bytes, but needs 264");
  EXPECT_EQ(of([](Call &call) { call.residual = nullptr; }),
            "Leaky: the residual of 40 steps of 33 neurons has 0 bytes, but needs 264");
  EXPECT_EQ(of([](Call &call) { call.output_gradients.clear(); }),
            "Leaky: the call has 0 gradients of outputs, but needs 1");
  EXPECT_EQ(of([&](Call &call) { call.output_gradients = {view(gs, {steps * neurons})}; }),
            "Leaky: gradient of output 's' has shape (1320,), but 'x' has shape (40, 33)");
  EXPECT_EQ(of([&](Call &call) { call.gradients[1] = {"v", view(gv0, {1, neurons})}; }),
            "Leaky: gradient of initial state 'v' has shape (1, 33), but one step of 'x' has shape (33,)");
  EXPECT_EQ(of([&](Call &call) { call.gradients[2] = {"tau", view(gtau, {1})}; }),
            "Leaky: gradient of parameter 'tau' has shape (1,), but is one value without dimensions");
  EXPECT_EQ(of([&](Call &call) { call.gradients.push_back({"raw_tau", view(gtau, {})}); }),
            "Leaky: the gradient of 'tau' is wanted twice");
  EXPECT_EQ(of([&](Call &call) { call.gradients.push_back({"gate", view(gx, {steps, neurons})}); }),
            "Leaky: input 'gate' is an int, which has no gradient");
  EXPECT_EQ(of([&](Call &call) { call.gradients.push_back({"cold", view(gtau, {})}); }),
            "Leaky: parameter 'cold' is frozen: it has no gradient");
  EXPECT_EQ(
      of([&](Call &call) { call.gradients.push_back({"ta", view(gtau, {})}); }),
      "Leaky has no input, state or parameter 'ta'; its inputs, states and parameters are x, gate, v, tau, th, cold; "
      "did you mean 'tau'?");
  EXPECT_EQ(of([&](Call &call) { call.initial_states.clear(); }),
            "Leaky: the gradient of initial state 'v' is wanted, but the call does not give that state");
  EXPECT_EQ(of([&](Call &call) { call.gradients[0] = {"x", view(gs, {steps, neurons})}; }),
            "Leaky: gradient of input 'x' overlaps gradient of output 's'; it needs memory of its own");
  EXPECT_EQ(of([&](Call &call) { call.final_gradients[0].name = "u"; }), "Leaky has no state 'u'; its only state is v");
}

TEST_F(TrainingStep, IsOfTrainingKernelsAlone) {
  EXPECT_THROW(neuron->inference(call), Error);
  call.gradients.clear();
  EXPECT_THROW(neuron->forward(call), Error);
  EXPECT_THROW(neuron->prepare(Kernel::backward), Error);
  EXPECT_EQ(refusal([](Call &) {}, Kernel::forward), "call.gradients is NULL");
}

TEST_F(TrainingStep, HasNoGradientOfABool) {
  Options options;
  options.outputs = {"up", "s"};
  neuron = std::make_unique<Neuron>(Model::parse(text).compile(Device::cpu(), options));
  std::vector<char> up(steps * neurons);
  call.outputs = {Tensor(up.data(), DLDataType{kDLBool, 8, 1}, {steps, neurons}), view(s, {steps, neurons})};
  EXPECT_EQ(refusal([&](Call &call) { call.output_gradients = {std::nullopt, view(gs, {steps, neurons})}; }), "");
  EXPECT_EQ(
      refusal([&](Call &call) { call.output_gradients = {view(gs, {steps, neurons}), view(gs, {steps, neurons})}; }),
      "Leaky: output 'up' is a bool, which has no gradient");
}

TEST_F(TrainingStep, OfNoNeuronsDoesNothing) {
  std::vector<float> none;
  call.inputs = {view(none, {steps, 0}), Tensor(gate.data(), DLDataType{kDLInt, 32, 1}, {steps, 0})};
  call.outputs = {view(none, {steps, 0})};
  call.initial_states = {{"v", view(none, {0})}};
  call.output_gradients = {view(none, {steps, 0})};
  call.final_gradients.clear();
  call.gradients = {{"x", view(none, {steps, 0})}, {"tau", view(gtau, {})}};
  gtau[0] = 7;
  EXPECT_EQ(neuron->residual_bytes(call), 0U);
  neuron->forward(call);
  neuron->backward(call);
  EXPECT_EQ(gtau[0], 0);
}

} // namespace
