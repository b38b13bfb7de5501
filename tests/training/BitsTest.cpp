// No bit of a training step depends on how its work is cut, nor on what else is wanted.
#include "runtime/Residuals.h"
#include "runtime/ThreadPool.h"
#include "tests/training/Batches.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace flexsn::test {
namespace {

/// A learnable decay and a threshold (sums), two states, one of which starts at a parameter; a reset that multiplies.
std::shared_ptr<const Model> adaptive(const std::string &more = "") {
  auto models = modelsOf("neuron Adaptive:\n  input x, on: bool; output s\n  state v = v0, w = 0\n"
                         "  param k = 0.5 as sigmoid, v_th = 1.0, v0 = 0.25\n" +
                         more +
                         "  h = v + (x - v) * k - 0.125 * w if on else v\n"
                         "  s = spike(h - v_th, atan(2.0))\n  v = h * (1 - s)\n  w = 0.75 * w + s\n");
  EXPECT_EQ(models.size(), 1u);
  return models.at(0);
}

class TrainingBits : public testing::Test {
protected:
  ~TrainingBits() override { ThreadPool::setThreads(threads); }

  /// Of 9 steps of more neurons than one thread takes alone.
  TrainingResults run(const Request &request, unsigned withThreads = 1) {
    ThreadPool::setThreads(withThreads);
    return TrainingStep(model, request).run(batch);
  }

  std::shared_ptr<const Model> model = adaptive();
  Request request = wholeRequest(*model, Storage::F32, /*given=*/false);
  TrainingBatch batch = drawBatch(*model, {9, 1, false}, 9008, 3);

private:
  unsigned threads = ThreadPool::threads();
};

TEST_F(TrainingBits, AreTheSameForAnyNumberOfThreads) {
  TrainingResults one = run(request);
  for (unsigned threads : {2, 3, 7})
    EXPECT_TRUE(run(request, threads) == one) << threads;
}

TEST_F(TrainingBits, AreTheSameOnEveryProcessor) {
  for (const char *processor : {"x86-64", "x86-64-v3"}) {
    Request other = request;
    other.target.cpu = processor;
    EXPECT_TRUE(run(other, 2) == run(request)) << processor;
  }
}

TEST_F(TrainingBits, AreTheSameByStrides) {
  Request strided = request;
  strided.layout = Layout::Strided;
  EXPECT_TRUE(run(strided, 2) == run(request));
}

/// Rows of 9008 floats begin on cache lines, so that results may go past the caches. 37 steps are whole chunks and a
/// part.
TEST_F(TrainingBits, AreTheSamePastTheCaches) {
  Request streaming = request;
  streaming.streaming = true;
  batch = drawBatch(*model, {37, 1, false}, 9008, 3);
  for (const char *more : {"", "  truncate 4\n"}) {
    model = adaptive(more);
    EXPECT_TRUE(run(streaming, 2) == run(request)) << more;
  }
}

/// What a gradient is does not depend on which others are wanted.
TEST_F(TrainingBits, AreTheSameForEverySelection) {
  TrainingResults whole = run(request);
  Request inputs = request, params = request;
  inputs.gradParams.clear();
  params.gradInputs.clear();
  EXPECT_TRUE(run(inputs).gradInputs == whole.gradInputs);
  EXPECT_TRUE(run(params).gradParams == whole.gradParams);
  Request one = params;
  one.gradParams = {"v0"};
  EXPECT_EQ(run(one).gradParams.at("v0"), whole.gradParams.at("v0"));
}

/// 16-bit data are computed in float32: gradients of parameters keep its bits, those of inputs are rounded once.
TEST_F(TrainingBits, OfHalvesAreThoseOfFloats) {
  for (auto [data, unit] : {std::pair(Storage::F16, 0x1p-11), {Storage::BF16, 0x1p-8}}) {
    request.data = data;
    for (size_t n = 0; n < batch.neurons(); ++n)
      for (auto *sequences : {&batch.calls[n].inputs, &batch.upstream[n].outputs})
        for (auto &[name, numbers] : *sequences)
          for (double &number : numbers) { // what float16 and bfloat16 have
            Cells half(Storage::F16, 1), brain(Storage::BF16, 1);
            half.set(0, number);
            brain.set(0, half.get(0));
            number = brain.get(0);
          }
    TrainingResults halves = run(request);
    request.data = Storage::F32;
    TrainingResults floats = run(request);
    EXPECT_EQ(halves.gradParams, floats.gradParams);
    EXPECT_EQ(halves.residuals, floats.residuals);
    for (size_t i = 0; i < batch.steps() * batch.neurons(); ++i) {
      double want = floats.gradInputs.at("x").get(i), got = halves.gradInputs.at("x").get(i);
      ASSERT_NEAR(got, want, std::fabs(want) * unit + 0x1p-25) << i;
    }
  }
}

TEST_F(TrainingBits, StepsBetweenCheckpointsAreSaved) {
  TrainingStep training(model, request);
  int64_t every = training.forward->every;
  ASSERT_GT(every, 0);
  EXPECT_EQ(training.backward->every, every);
  EXPECT_EQ(residualBytes(*training.forward, every, 100), 0u);
  EXPECT_EQ(residualBytes(*training.forward, every + 1, 100), 800u); // v and w
  EXPECT_EQ(residualBytes(*training.forward, 3 * every + 1, 100), 2400u);
  EXPECT_EQ(residualBytes(*training.backward, 3 * every + 1, 100), 2400u);
  EXPECT_EQ(residualBytes(*training.forward, 3 * every + 1, 0), 0u);
  EXPECT_THROW(residualBytes(*training.forward, INT64_MAX, INT64_MAX), Failure);
}

/// No neurons: nothing is touched, and sums are 0.
TEST_F(TrainingBits, OfNoNeuronsAreZero) {
  TrainingStep training(model, request);
  BoundCall call;
  call.steps = 5;
  for (const KernelOperand &operand : training.backward->operands)
    call.operands.push_back({nullptr, 0, static_cast<int64_t>(storageBytes(operand.storage))});
  call.params = parameterSlots(*model, storedParameters(*model, {}, Storage::F32), training.backward->params);
  Invocation invocation(training.backward, call);
  invocation.run();
  EXPECT_EQ(invocation.paramGradients(), std::vector<uint64_t>(3));
  call.operands.pop_back();
  EXPECT_THROW(Invocation(training.backward, call), Failure);
}

/// Where a neuron meets inf or NaN, others do not.
TEST_F(TrainingBits, OfOtherNeuronsAreNotTouchedByNaN) {
  TrainingResults good = run(request);
  constexpr size_t sick = 4100;
  batch.calls[sick].inputs.at("x")[3] = std::numeric_limits<double>::quiet_NaN();
  batch.upstream[sick + 1].outputs.at("s")[8] = std::numeric_limits<double>::infinity();
  TrainingResults bad = run(request);
  const Cells &got = bad.gradInputs.at("x"), &want = good.gradInputs.at("x");
  for (size_t t = 0; t < batch.steps(); ++t)
    for (size_t n = 0; n < batch.neurons(); ++n)
      if (n != sick && n != sick + 1) {
        ASSERT_EQ(got.get(t * batch.neurons() + n), want.get(t * batch.neurons() + n)) << t << ' ' << n;
      }
  for (const auto &[name, slot] : bad.gradParams)
    EXPECT_FALSE(std::isfinite(numberOf(slot, Storage::F32))) << name;
}

TEST(Training, TruncatedGradientsAreTheOracles) {
  for (const char *text : {"  truncate 1\n", "  truncate 4\n", "  truncate 50\n"}) {
    auto model = adaptive(text);
    TrainingStep training(model, wholeRequest(*model, Storage::F64, /*given=*/true));
    for (size_t steps : {1, 4, 5, 40}) {
      TrainingBatch batch = drawBatch(*model, {steps, 1, true}, 3, steps);
      TrainingResults results = training.run(batch);
      std::vector<reference::Gradients> want = wanted<double>(*model, batch);
      for (size_t n = 0; n < batch.neurons(); ++n)
        EXPECT_EQ(reference::difference(gradientsOf(*model, results, batch, n, Storage::F64), want[n], 1e-12), "")
            << text << steps;
    }
  }
}

} // namespace
} // namespace flexsn::test
