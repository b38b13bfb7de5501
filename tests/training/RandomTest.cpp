// Random models through both kernels of a training step: gradients are the oracle's, also where they are not finite:
// what is infinite or NaN in one is so in the other, number by number.
#include "tests/random/Generator.h"
#include "tests/training/Batches.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace flexsn::test {
namespace {

/// What the language binds to a few ulp.
const random::Features features = {.functions = {"exp", "tanh", "sigmoid", "sin", "atan", "erf", "softplus"},
                                   .pow = false};

/// A kernel adds up the gradients of an invariant over all neurons before they meet an infinite slope of the prologue,
/// the oracle behind it: whether infinities of both signs are left is nobody's promise, that they are not finite is.
void forgiveInfinities(reference::Numbers &got, const reference::Numbers &want) {
  for (auto &[name, number] : got)
    if (!std::isfinite(number) && !std::isfinite(want.at(name)))
      number = want.at(name);
}

TEST(TrainingRandom, GradientsAreTheOracles) {
  size_t finite = 0, infinite = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const std::string text = print(random::generate(seed, features));
    auto models = modelsOf(text);
    ASSERT_EQ(models.size(), 1u) << text;
    const bool given = seed % 2 == 0;
    Request request = wholeRequest(*models[0], Storage::F64, given);
    if (request.gradInputs.empty() && request.gradParams.empty() && request.gradInitials.empty())
      continue; // all of ints and bools
    TrainingStep training(models[0], request);
    for (size_t steps : {1, 20}) { // more than a chunk
      TrainingBatch batch = drawBatch(*models[0], {steps, 1, given}, 3, seed);
      TrainingResults results = training.run(batch);
      std::vector<reference::Gradients> want = wanted<double>(*models[0], batch);
      for (size_t n = 0; n < batch.neurons(); ++n) {
        reference::Gradients got = gradientsOf(*models[0], results, batch, n, Storage::F64);
        forgiveInfinities(got.params, want[n].params);
        ++(reference::isFinite(want[n]) ? finite : infinite);
        EXPECT_EQ(reference::difference(got, want[n], 1e-7), "")
            << "seed " << seed << ", neuron " << n << ", T=" << steps << "\n"
            << text;
      }
    }
  }
  fmt::print("{} neurons compared, and {} that have gradients which are not finite\n", finite, infinite);
  EXPECT_GT(finite, 900u);
  EXPECT_GT(infinite, 100u);
}

} // namespace
} // namespace flexsn::test
