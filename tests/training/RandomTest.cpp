// Random models through both kernels of a training step: gradients are the oracle's.
#include "tests/random/Generator.h"
#include "tests/training/Batches.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace flexsn::test {
namespace {

/// What the language binds to a few ulp.
const random::Features features = {.functions = {"exp", "tanh", "sigmoid", "sin", "atan", "erf", "softplus"},
                                   .pow = false};

bool isFinite(const reference::Gradients &gradients) { return reference::difference(gradients, gradients, 0).empty(); }

TEST(TrainingRandom, GradientsAreTheOracles) {
  size_t compared = 0, infinite = 0, undefined = 0;
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
        if (!isFinite(want[n])) {
          ++infinite;
          continue;
        }
        // Behind a division by 0, say, a kernel multiplies 0 by inf, as PyTorch does; the tape has no way for a 0.
        if (!isFinite(got)) {
          ++undefined;
          continue;
        }
        ++compared;
        EXPECT_EQ(reference::difference(got, want[n], 1e-7), "")
            << "seed " << seed << ", neuron " << n << ", T=" << steps << "\n"
            << text;
      }
    }
  }
  fmt::print("{} neurons compared, {} not finite, {} for the kernel alone\n", compared, infinite, undefined);
  EXPECT_GT(compared, 900u);
  EXPECT_LT(undefined, 100u);
}

} // namespace
} // namespace flexsn::test
