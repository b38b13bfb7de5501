// Training steps of every model of the collection that the language covers so far: gradients are the oracle's.
#include "tests/reference/Coverage.h"
#include "tests/training/Batches.h"

#include <gtest/gtest.h>

namespace flexsn::test {
namespace {

template <class Real> size_t compareAll(double tolerance) {
  constexpr Storage data = sizeof(Real) == 8 ? Storage::F64 : Storage::F32;
  size_t compared = 0;
  for (const auto &model : zoo())
    for (bool given : {false, true}) {
      if (reference::notCovered(*model))
        continue;
      TrainingStep training(model, wholeRequest(*model, data, given));
      for (size_t steps : {1, 2, 5, 17, 40}) {
        TrainingBatch batch = drawBatch(*model, {steps, 1, given}, 3, steps);
        if (sizeof(Real) == 4)
          round(batch);
        TrainingResults results = training.run(batch);
        std::vector<reference::Gradients> want = wanted<Real>(*model, batch);
        for (size_t n = 0; n < batch.neurons(); ++n)
          EXPECT_EQ(reference::difference(gradientsOf(*model, results, batch, n, data), want[n], tolerance), "")
              << model->name << ", neuron " << n << ", T=" << steps << (given ? ", states given" : "");
      }
      ++compared;
    }
  return compared;
}

TEST(TrainingZoo, GradientsAreTheOraclesInDoubles) { EXPECT_GE(compareAll<double>(1e-9), 2u * 26); }
TEST(TrainingZoo, GradientsAreTheOraclesInFloats) { EXPECT_GE(compareAll<float>(1e-3), 2u * 26); }

} // namespace
} // namespace flexsn::test
