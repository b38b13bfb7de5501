// A recomputed step of emitted CUDA C++ has the bits of the first one too: the test of tests/training/FlipsTest.cpp
// with fewer element-steps, run on a CPU.
#include "tests/cuda/CpuRun.h"
#include "tests/cuda/CudaRun.h"
#include "tests/cuda/Training.h"
#include "tests/reference/Random.h"
#include "tests/training/Recurrences.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>

namespace flexsn::test {
namespace {

/// The elements of an operand of a linear call.
void forEach(PlacedOperand &placed, const Arrangement &call, const std::function<void(float &)> &visit) {
  for (int64_t t = 0; t < call.steps; ++t)
    for (int64_t n = 0; n < call.neurons(); ++n)
      visit(*reinterpret_cast<float *>(placed.data() + t * placed.timeStride + n * placed.strides[maxDims - 1]));
}

std::vector<float> numbersOf(PlacedOperand &placed, const Arrangement &call) {
  std::vector<float> numbers;
  forEach(placed, call, [&](float &number) { numbers.push_back(number); });
  return numbers;
}

/// Numbers that differ in a bit.
size_t differing(const std::vector<float> &a, const std::vector<float> &b) {
  size_t count = a.size() == b.size() ? 0 : a.size();
  for (size_t i = 0; i < a.size() && i < b.size(); ++i)
    count += std::memcmp(&a[i], &b[i], sizeof(float)) != 0;
  return count;
}

/// Gradients of all inputs, in every mode and by both access paths.
std::vector<Training> trainingsOf(const Recurrence &recurrence) {
  auto source = std::make_shared<const Source>("flips.fsn", textOf(recurrence, /*driven=*/true, /*seen=*/true));
  Diagnostics diagnostics(*source);
  auto model = check(source, parse(*source, diagnostics), {}, diagnostics).at(0);
  std::vector<Training> trainings;
  for (MathMode math : {MathMode::Standard, MathMode::Strict, MathMode::Fast})
    for (AccessPath access : {AccessPath::Vector, AccessPath::Scalar}) {
      trainings.push_back(trainingOf(model, {Storage::F32, Layout::Linear, access, math, /*states=*/false, 7}));
      EXPECT_EQ(prepare(trainings.back()), "");
    }
  return trainings;
}

/// Element-steps near the threshold, none of which flipped.
size_t runNearThreshold(const Recurrence &recurrence, const Training &training, const CompiledTexts &texts,
                        size_t index) {
  Arrangement call;
  call.steps = 49;
  call.extents[maxDims - 1] = 1024;
  TrainingOperands operands = drawOperands(training, call, 1);
  reference::Random random(1);
  for (auto &[place, placed] : operands)
    forEach(placed, call, [&, role = place.first](float &number) {
      number = role == Role::Input ? jitterOf(recurrence) * (static_cast<float>(random.below(17)) / 8 - 1) : 1;
    });
  std::vector<std::byte> checkpoints(checkpointBytes(training.forward.cuda, call));
  EXPECT_GT(checkpoints.size(), 0u);
  for (const Both *both : {&training.forward, &training.backward}) {
    CudaRun run(both->cuda, texts, index++, CpuRun(*both).params);
    run.run(orderedOperands(both->cuda, checkpoints.data(), call, operands,
                            [](PlacedOperand &placed) { return cudaOperand(placed, /*byAddress=*/false); }),
            call, /*backwards=*/false, /*byAddress=*/false);
  }
  const std::vector<float> h = numbersOf(operands.at({Role::Output, "h"}), call);
  const std::vector<float> s = numbersOf(operands.at({Role::Output, "s"}), call);
  EXPECT_EQ(differing(s, numbersOf(operands.at({Role::GradInput, "gain"}), call)), 0u) << training.label;
  EXPECT_EQ(differing(h, numbersOf(operands.at({Role::GradInput, "scale"}), call)), 0u) << training.label;
  size_t near = 0, spikes = 0;
  for (size_t i = 0; i < h.size(); ++i) {
    near += std::fabs(h[i] - recurrence.threshold) <= recurrence.reach * recurrence.threshold * 0x1p-23F;
    spikes += s[i] != 0;
  }
  EXPECT_GT(10 * near, 9 * h.size()) << training.label;
  EXPECT_TRUE(10 * spikes > h.size() && 10 * spikes < 9 * h.size()) << training.label << ": " << spikes << " spikes";
  return near;
}

TEST(EmittedCuda, NoSpikeFlipsBetweenForwardAndRecompute) {
  size_t near = 0;
  for (const Recurrence &recurrence : recurrences()) {
    const std::vector<Training> trainings = trainingsOf(recurrence);
    std::vector<CudaProgram> programs;
    for (const Training &training : trainings)
      for (const Both *both : {&training.forward, &training.backward})
        programs.push_back(both->cuda);
    std::string error;
    auto texts = CompiledTexts::compile(programs, FLEXSN_CUDA_FOLDER, fmt::format("flips_{}", recurrence.name), error);
    ASSERT_TRUE(texts) << error;
    for (size_t i = 0; i < trainings.size(); ++i)
      near += runNearThreshold(recurrence, trainings[i], *texts, 2 * i);
  }
  fmt::print("{} element-steps near the threshold\n", near);
  EXPECT_GT(near, 1'000'000u);
}

} // namespace
} // namespace flexsn::test
