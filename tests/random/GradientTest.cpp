// Random models through the oracle of gradients and through differences of the relaxed model: what a collection of
// neurons does not combine.
#include "tests/random/Generator.h"
#include "tests/reference/Calls.h"
#include "tests/reference/Checked.h"
#include "tests/reference/Relaxed.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace flexsn::random {
namespace {

/// Functions without a seam that the calls often come near to.
const Features features = {.functions = {"exp", "tanh", "sigmoid", "sin", "atan", "erf", "softplus"}, .pow = false};

TEST(RandomModelGradients, AreTheSlopesOfDifferences) {
  size_t compared = 0, atSeams = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    const std::string text = print(generate(seed, features));
    auto [models, errors] = reference::checkText(text);
    ASSERT_EQ(errors, "") << text;
    reference::Random random(seed);
    for (size_t steps : {1, 4}) {
      auto [call, upstream] = reference::drawCall(*models[0], {steps, 1, seed % 2 == 0}, random);
      reference::Gradients tape = reference::gradients<double>(*models[0], call, upstream);
      reference::Differences differences = reference::centralDifferences(*models[0], call, upstream);
      // Spikes are 0 or 1, and a random model has them on the bounds of its clips: differences say nothing there. Nor
      // do they meet an infinite value whose slope is 0 * inf.
      if (differences.bend > 1e-3 || !reference::isFinite(tape)) {
        ++atSeams;
        continue;
      }
      ++compared;
      EXPECT_EQ(reference::difference(tape, differences.gradients, 1e-6 + differences.bend), "")
          << "seed " << seed << ", T=" << steps << "\n"
          << text;
    }
  }
  fmt::print("{} calls compared, {} at a seam or not finite\n", compared, atSeams);
  EXPECT_GT(compared, 400u);
}

} // namespace
} // namespace flexsn::random
