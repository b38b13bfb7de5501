// Random models through both kernels of a training step: gradients are the oracle's, also where they are not finite:
// what is infinite or NaN in one is so in the other, number by number.
#include "tests/random/Generator.h"
#include "tests/random/Shrink.h"
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

struct Comparison {
  size_t finite = 0, infinite = 0; ///< neurons
  std::string failure;             ///< the first difference
};

/// Trains one model in steps of one and of more than a chunk; a text that does not check is no failure.
Comparison compare(const std::string &text, uint64_t seed) {
  Comparison result;
  auto models = modelsOf(text);
  const bool given = seed % 2 == 0;
  if (models.size() != 1)
    return result;
  Request request = wholeRequest(*models[0], Storage::F64, given);
  if (request.gradInputs.empty() && request.gradParams.empty() && request.gradInitials.empty())
    return result; // all of ints and bools
  TrainingStep training(models[0], request);
  for (size_t steps : {1, 20}) {
    TrainingBatch batch = drawBatch(*models[0], {steps, 1, given}, 3, seed);
    TrainingResults results = training.run(batch);
    std::vector<reference::Gradients> want = wanted<double>(*models[0], batch);
    for (size_t n = 0; n < batch.neurons(); ++n) {
      reference::Gradients got = gradientsOf(*models[0], results, batch, n, Storage::F64);
      forgiveInfinities(got.params, want[n].params);
      ++(reference::isFinite(want[n]) ? result.finite : result.infinite);
      if (std::string words = reference::difference(got, want[n], 1e-7); result.failure.empty() && !words.empty())
        result.failure = fmt::format("neuron {}, T={}: {}", n, steps, words);
    }
  }
  return result;
}

TEST(TrainingRandom, GradientsAreTheOracles) {
  size_t finite = 0, infinite = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    random::Text text = random::generate(seed, features);
    ASSERT_EQ(modelsOf(print(text)).size(), 1u) << print(text);
    Comparison found = compare(print(text), seed);
    finite += found.finite, infinite += found.infinite;
    if (found.failure.empty())
      continue;
    auto fails = [&](const std::string &candidate) { return !compare(candidate, seed).failure.empty(); };
    std::string small = print(shrink(std::move(text), fails));
    ADD_FAILURE() << "seed " << seed << ": " << found.failure << "\nsmallest text that still fails:\n"
                  << small << compare(small, seed).failure;
  }
  fmt::print("{} neurons compared, and {} that have gradients which are not finite\n", finite, infinite);
  EXPECT_GT(finite, 900u);
  EXPECT_GT(infinite, 100u);
}

} // namespace
} // namespace flexsn::test
