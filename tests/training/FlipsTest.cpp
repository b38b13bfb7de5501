// A recomputed step has the bits of the first one: no spike of the backward kernel differs from the forward kernel's,
// over 10^8 element-steps in each math mode whose potential is within a few ulp of the threshold, where any other
// rounding would show. The gradient of a factor of a detached value is that value as it was recomputed.
#include <flexsn/flexsn.hpp>

#include "tests/reference/Random.h"
#include "tests/training/Recurrences.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace flexsn {
namespace {

using test::Recurrence;

/// Arrays of one call of both kernels: more steps than three chunks, a ragged number of neurons.
class TrainingCalls {
public:
  static constexpr int64_t steps = 49, count = 8179;

  /// The backward kernel is of the mode `again`.
  TrainingCalls(const Recurrence &recurrence, Math math, Math again)
      : recurrence(recurrence), driver(compile(/*driven=*/true, math)), first(compile(/*driven=*/false, math)),
        second(compile(/*driven=*/false, again)) {}

  uint64_t flips = 0, moves = 0, near = 0, all = 0, spikes = 0;

  void once() {
    for (float &value : jitter)
      value = test::jitterOf(recurrence) * (static_cast<float>(random.below(17)) / 8 - 1);
    Call drive;
    drive.inputs = {of(jitter)};
    drive.outputs = {of(x)};
    Call call;
    if (!recurrence.taus.empty())
      drive.params = call.params = {{"tau", recurrence.taus[all / x.size() % recurrence.taus.size()]}};
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
  /// Driven, it finds the inputs that the other one reads.
  Neuron compile(bool driven, Math math) const {
    Options options;
    options.math = math;
    if (driven)
      options.outputs = {"x"};
    return Model::parse(textOf(recurrence, driven, /*seen=*/!driven)).compile(Device::cpu(), options);
  }

  static Tensor of(std::vector<float> &values) { return view(values, {steps, count}); }

  static bool differ(float a, float b) { return std::bit_cast<uint32_t>(a) != std::bit_cast<uint32_t>(b); }

  void compare() {
    const float reach = recurrence.reach * recurrence.threshold * 0x1p-23F;
    for (size_t i = 0; i < x.size(); ++i) {
      flips += differ(s[i], sAgain[i]);
      moves += differ(h[i], hAgain[i]);
      near += std::fabs(h[i] - recurrence.threshold) <= reach;
      spikes += s[i] != 0;
    }
    all += x.size();
  }

  const Recurrence &recurrence;
  Neuron driver, first, second;
  reference::Random random{1};
  std::vector<float> jitter = std::vector<float>(steps * count), x = jitter, s = x, h = x, sAgain = x, hAgain = x,
                     ones = std::vector<float>(steps * count, 1), scratch[3] = {x, x, x};
  std::vector<std::byte> residual;
};

class SpikeFlipsIn : public testing::TestWithParam<Math> {};

TEST_P(SpikeFlipsIn, DoNotHappenNearTheThreshold) {
  constexpr uint64_t wanted = 100'000'000;
  uint64_t compared = 0;
  for (const Recurrence &recurrence : test::recurrences()) {
    TrainingCalls run(recurrence, GetParam(), GetParam());
    while (run.near < wanted / test::recurrences().size()) {
      run.once();
      ASSERT_GT(10 * run.near, 9 * run.all) << recurrence.name << ": potentials are not near the threshold";
    }
    EXPECT_GT(run.residualBytes(), 0u) << recurrence.name << ": no state was saved, so no chunk began at one";
    EXPECT_EQ(run.flips, 0u) << recurrence.name;
    EXPECT_EQ(run.moves, 0u) << recurrence.name << ": potentials that differ";
    EXPECT_GT(10 * run.spikes, run.all) << recurrence.name << ": too few spikes";
    EXPECT_LT(10 * run.spikes, 9 * run.all) << recurrence.name << ": too many spikes";
    compared += run.near;
    fmt::print("{}: {} of {} element-steps near the threshold, {} spikes, {} flips\n", recurrence.name, run.near,
               run.all, run.spikes, run.flips);
  }
  EXPECT_GE(compared, wanted);
}

/// What the other tests would see if a kernel rounded otherwise.
TEST(SpikeFlips, AreSeenWhereTheKernelsAreOfTwoModes) {
  TrainingCalls run(test::recurrences()[2], Math::strict, Math::fast);
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
