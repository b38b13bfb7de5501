// Numbers that are none: NaN, infinities, subnormals, zeros of both signs and the largest, in inputs and in what flows
// back. Gradients are NaN where the oracle's are, and nowhere else.
#include "tests/reference/Coverage.h"
#include "tests/training/Batches.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>

namespace flexsn::test {
namespace {

using Limits = std::numeric_limits<double>;

/// Every third number of inputs becomes an odd one; `flowing`: of what flows back too.
void spoil(TrainingBatch &batch, bool flowing) {
  constexpr double odd[] = {Limits::quiet_NaN(),  Limits::infinity(),    -Limits::infinity(), 0.0, -0.0,
                            Limits::denorm_min(), -Limits::denorm_min(), Limits::max()};
  size_t count = 0;
  auto each = [&](auto &sequences) {
    for (auto &[name, numbers] : sequences)
      for (double &number : numbers)
        if (++count % 3 == 0)
          number = odd[count / 3 % std::size(odd)];
  };
  for (size_t n = 0; n < batch.neurons(); ++n) {
    each(batch.calls[n].inputs);
    if (flowing)
      each(batch.upstream[n].outputs);
  }
}

/// Ints and bools have no such numbers.
bool hasFloatsAlone(const Model &model) {
  return std::all_of(model.inputs.begin(), model.inputs.end(),
                     [](const Input &input) { return input.value->type == Type::Float; });
}

/// How many gradients of inputs are NaN in one alone. Beside the largest numbers infinities are nobody's promise: that
/// depends on which product comes first.
size_t differing(const reference::Gradients &got, const reference::Gradients &want) {
  size_t count = 0;
  for (const auto &[name, numbers] : want.inputs)
    for (size_t t = 0; t < numbers.size(); ++t)
      count += std::isnan(numbers[t]) != std::isnan(got.inputs.at(name)[t]);
  return count;
}

TEST(TrainingNonFinite, GradientsAreNaNWhereTheOraclesAre) {
  size_t models = 0, finite = 0, infinite = 0; // neurons
  for (const auto &model : zoo()) {
    if (reference::notCovered(*model) || !hasFloatsAlone(*model))
      continue;
    ++models;
    TrainingStep training(model, wholeRequest(*model, Storage::F64, /*given=*/true));
    for (size_t steps : {1, 5, 40})
      for (bool flowing : {false, true}) {
        TrainingBatch batch = drawBatch(*model, {steps, 1, true}, 7, steps);
        spoil(batch, flowing);
        TrainingResults results = training.run(batch);
        std::vector<reference::Gradients> want = wanted<double>(*model, batch);
        for (size_t n = 0; n < batch.neurons(); ++n) {
          EXPECT_EQ(differing(gradientsOf(*model, results, batch, n, Storage::F64), want[n]), 0U)
              << model->name << ", T=" << steps << ", neuron " << n << (flowing ? ", flowing back too" : "");
          ++(reference::isFinite(want[n]) ? finite : infinite);
        }
      }
  }
  fmt::print("{} neurons without and {} with gradients that are not finite\n", finite, infinite);
  EXPECT_GE(models, 20U);
  EXPECT_GT(infinite, 100U);
}

} // namespace
} // namespace flexsn::test
