// Training steps longer than people write: the gradients, and the time that it takes to plan for them.
#include "tests/compiler/TrainingRequests.h"
#include "tests/compiler/TrainingRun.h"
#include "tests/reference/Calls.h"

#include <ctime>

namespace flexsn::testing {
namespace {

/// `statements` products and sums, each of the last value and old ones, so that gradients read all of them.
std::string products(unsigned statements) {
  std::string text = "neuron M:\n  input x\n  state v = 0.5\n  param k = 0.5\n  a0 = x * k\n  a1 = v\n";
  for (unsigned i = 2; i < statements; ++i)
    text += fmt::format("  a{} = a{} * a{} + 0.5 * a{}\n", i, i - 1, i * 2654435761U % i, i * 40503U % i);
  return text + fmt::format("  v = tanh(a{} * 0.01)\n  output v\n", statements - 1);
}

/// Each state follows from the one behind it, so that what is known of one is known of the others after many steps.
std::string queue(unsigned states) {
  std::string text = "neuron M:\n  input x\n  output y\n  y = v0 * v0\n";
  for (unsigned i = 0; i < states; ++i)
    text += fmt::format("  state v{} = 0\n", i);
  for (unsigned i = 0; i + 1 < states; ++i)
    text += fmt::format("  v{} = v{} * 0.5\n", i, i + 1);
  return text + fmt::format("  v{} = x * x\n", states - 1);
}

/// Of a processor, to make both kernels and leave the backward one: what else runs on the machine does not count.
double seconds(const std::string &text, std::string &backward) {
  auto model = checked(text);
  Request request = training(*model, Storage::F64, everyWanted);
  std::string problem;
  std::clock_t begin = std::clock();
  backward = kernelText(*model, request, KernelKind::Backward, problem);
  EXPECT_EQ(problem, "");
  return double(std::clock() - begin) / CLOCKS_PER_SEC;
}

TEST(LongTraining, StepsOfThousandsOfOperationsHaveTheOraclesGradients) {
  auto model = checked(products(1000));
  Request request = training(*model, Storage::F64, everyWanted);
  std::string problem, forward = kernelText(*model, request, KernelKind::Forward, problem),
                       backward = kernelText(*model, request, KernelKind::Backward, problem);
  ASSERT_EQ(problem, "");
  TrainingRun<double> run(forward, backward);
  reference::Random random(3);
  auto [call, upstream] = reference::drawCall(*model, {3, 0.5, true}, random);
  reference::Gradients want = reference::gradients<double>(*model, call, upstream);
  EXPECT_EQ(reference::difference(run.run(call, upstream), want, 1e-9), "");
}

/// The bounds have much room for slow machines; quadratic ways would take minutes.
TEST(LongTraining, KernelsAreMadeInBoundedTime) {
  std::string text;
  EXPECT_LT(seconds(products(10'000), text), 60);
  EXPECT_NE(text.find("values of a step kept"), std::string::npos);
  EXPECT_LT(seconds(queue(3000), text), 60);
  EXPECT_NE(text.find("1 value of a step kept"), std::string::npos);
}

} // namespace
} // namespace flexsn::testing
