// A recomputed step has the bits of the first one: no spike of the backward kernel differs from the forward kernel's,
// over 10^8 element-steps in each math mode whose potential is within a few ulp of the threshold, where any other
// rounding would show. The gradient of a factor of a detached value is that value as it was recomputed.
#include <flexsn/flexsn.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace flexsn {
namespace {

struct Recurrence {
  const char *name;
  const char *declarations; ///< states and parameters
  const char *drive;        ///< the input that leads to the threshold, but for roundings
  const char *step;         ///< from x: the potential h, then the spike s
  float threshold;
  float jitter; ///< added to x, in ulp of the threshold and either way
  float reach;  ///< how far from the threshold, in its ulp, a potential counts as near: the roundings of the step
  int share;    ///< of a hundred element-steps
  std::vector<double> taus = {};
};

const Recurrence neurons[] = {
    // By 2 a division is a product, by 2.3 a refined one.
    {"LIF",
     "state v = v_reset\n  param tau = 2.0, v_th = 1.0, v_reset = 0.0",
     "(v_th - v)*tau + (v - v_reset)",
     "h = v + (x - (v - v_reset))/tau\n  s = spike(h - v_th)\n  v = h*(1 - s) + v_reset*s",
     1,
     8,
     16,
     40,
     {2, 2.3}},
    {"PLIF", "state v = 0\n  param k = 0.43 as sigmoid, v_th = 1.0", "(v_th - v)/k + v",
     "h = v + (x - v)*k\n  s = spike(h - v_th)\n  v = h - v_th*s", 1, 8, 16, 30},
    {"EIF",
     "state v = 0\n  param tau = 2.0, delta_t = 0.7, rheobase = 0.8, v_th = 1.0, v_reset = -0.1",
     "(v_th - v)*tau + v - delta_t*exp((v - rheobase)/delta_t)",
     "h = v + (x - v + delta_t*exp((v - rheobase)/delta_t))/tau\n  s = spike(h - v_th)\n  v = h*(1 - s) + v_reset*s",
     1,
     8,
     16,
     15,
     {2, 1.7}},
    {"Izhikevich", "state v = -65, u = -13\n  param a = 0.02, b = 0.2, c = -65, d = 8",
     "30 - (v + (0.04*v**2 + 5*v + 140 - u))",
     "h = v + (0.04*v**2 + 5*v + 140 - u + x)\n  s = spike(h - 30)\n  u = u + a*(b*v - u) + s*d\n  v = h*(1 - s) + c*s",
     30, 8, 64, 15},
};

/// Arrays of one call of both kernels: more steps than three chunks, a ragged number of neurons.
class TrainingCalls {
public:
  static constexpr int64_t steps = 49, count = 8179;

  /// The backward kernel is of the mode `again`.
  TrainingCalls(const Recurrence &neuron, Math math, Math again)
      : neuron(neuron),
        driver(compile("jitter", fmt::format("x = {} + jitter\n  ", neuron.drive), neuron.step, math, {"x"})),
        first(compileTraining(math)), second(compileTraining(again)) {}

  uint64_t flips = 0, moves = 0, near = 0, all = 0, spikes = 0;

  void once() {
    const float ulp = neuron.threshold * 0x1p-23F;
    for (float &value : jitter)
      value = neuron.jitter * ulp * (static_cast<float>(random() % 17) / 8 - 1);
    Call drive;
    drive.inputs = {of(jitter)};
    drive.outputs = {of(x)};
    Call call;
    if (!neuron.taus.empty())
      drive.params = call.params = {{"tau", neuron.taus[all / x.size() % neuron.taus.size()]}};
    driver.inference(drive);
    call.inputs = {of(x), of(jitter), of(jitter)}; // no gradient depends on what is multiplied
    call.outputs = {of(s), of(h), of(scratch[0]), of(scratch[1])};
    call.output_gradients = {of(ones), of(ones), of(ones), of(ones)};
    call.gradients = {{"x", of(scratch[2])}, {"gain", of(sAgain)}, {"scale", of(hAgain)}};
    residual.resize(first.residual_bytes(call));
    call.residual = residual.data();
    call.residual_bytes = residual.size();
    first.forward(call);
    std::ranges::fill(sAgain, NAN);
    std::ranges::fill(hAgain, NAN);
    second.backward(call);
    compare();
  }

  size_t residualBytes() const { return residual.size(); }

private:
  Neuron compileTraining(Math math) const {
    return compile("x, gain, scale", "",
                   fmt::format("{}\n  sawSpike = detach(s)*gain\n  sawPotential = detach(h)*scale", neuron.step), math,
                   {"s", "h", "sawSpike", "sawPotential"});
  }

  Neuron compile(const char *inputs, const std::string &drive, const std::string &step, Math math,
                 std::vector<std::string> outputs) const {
    Options options;
    options.math = math;
    options.outputs = std::move(outputs);
    return Model::parse(fmt::format("neuron {}:\n  input {}\n  {}\n  {}{}\n  output s\n", neuron.name, inputs,
                                    neuron.declarations, drive, step))
        .compile(Device::cpu(), options);
  }

  static Tensor of(std::vector<float> &values) { return view(values, {steps, count}); }

  static bool differ(float a, float b) { return std::bit_cast<uint32_t>(a) != std::bit_cast<uint32_t>(b); }

  void compare() {
    const float reach = neuron.reach * neuron.threshold * 0x1p-23F;
    for (size_t i = 0; i < x.size(); ++i) {
      flips += differ(s[i], sAgain[i]);
      moves += differ(h[i], hAgain[i]);
      near += std::fabs(h[i] - neuron.threshold) <= reach;
      spikes += s[i] != 0;
    }
    all += x.size();
  }

  uint32_t random() {
    return static_cast<uint32_t>((state = state * 6364136223846793005u + 1442695040888963407u) >> 33);
  }

  const Recurrence &neuron;
  Neuron driver, first, second;
  uint64_t state = 1;
  std::vector<float> jitter = std::vector<float>(steps * count), x = jitter, s = x, h = x, sAgain = x, hAgain = x,
                     ones = std::vector<float>(steps * count, 1), scratch[3] = {x, x, x};
  std::vector<std::byte> residual;
};

class SpikeFlipsIn : public testing::TestWithParam<Math> {};

TEST_P(SpikeFlipsIn, DoNotHappenNearTheThreshold) {
  constexpr uint64_t wanted = 100'000'000;
  uint64_t compared = 0;
  for (const Recurrence &neuron : neurons) {
    TrainingCalls run(neuron, GetParam(), GetParam());
    while (run.near < wanted / 100 * static_cast<uint64_t>(neuron.share)) {
      run.once();
      ASSERT_GT(10 * run.near, 9 * run.all) << neuron.name << ": potentials are not near the threshold";
    }
    EXPECT_GT(run.residualBytes(), 0u) << neuron.name << ": no state was saved, so no chunk began at one";
    EXPECT_EQ(run.flips, 0u) << neuron.name;
    EXPECT_EQ(run.moves, 0u) << neuron.name << ": potentials that differ";
    EXPECT_GT(10 * run.spikes, run.all) << neuron.name << ": too few spikes";
    EXPECT_LT(10 * run.spikes, 9 * run.all) << neuron.name << ": too many spikes";
    compared += run.near;
    fmt::print("{}: {} of {} element-steps near the threshold, {} spikes, {} flips\n", neuron.name, run.near, run.all,
               run.spikes, run.flips);
  }
  EXPECT_GE(compared, wanted);
}

/// What the other tests would see if a kernel rounded otherwise.
TEST(SpikeFlips, AreSeenWhereTheKernelsAreOfTwoModes) {
  TrainingCalls run(neurons[2], Math::strict, Math::fast);
  run.once();
  EXPECT_GT(1000 * run.flips, run.all);
  EXPECT_GT(1000 * run.moves, run.all);
}

INSTANTIATE_TEST_SUITE_P(Modes, SpikeFlipsIn, testing::Values(Math::standard, Math::strict, Math::fast),
                         [](const auto &info) {
                           return info.param == Math::standard ? "standard"
                                  : info.param == Math::strict ? "strict"
                                                               : "fast";
                         });

} // namespace
} // namespace flexsn
