// Training steps: emitted CUDA C++, run on the CPU, gives the gradients of the CPU's kernels bit for bit, in every
// mode: both are made of the same operations. FLEXSN_CUDA_TEST=all runs all models in all variants (many minutes).
#include "tests/cuda/Training.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace flexsn::test {
namespace {

/// Compiles both programs of each training step of a batch together and runs them.
std::vector<std::string> runBatch(const std::vector<Training> &batch, const std::string &name) {
  std::vector<CudaProgram> programs;
  for (const Training &training : batch) {
    programs.push_back(training.forward.cuda);
    programs.push_back(training.backward.cuda);
  }
  std::string error;
  auto texts = CompiledTexts::compile(programs, FLEXSN_CUDA_FOLDER, name, error);
  if (!texts)
    return {error};
  std::vector<std::string> failures;
  for (size_t i = 0; i < batch.size(); ++i)
    for (const Arrangement &arrangement : trainingArrangements(batch[i]))
      if (std::string words = runTraining(batch[i], *texts, 2 * i, arrangement, static_cast<unsigned>(i));
          !words.empty()) {
        failures.push_back(fmt::format("{}: {}", batch[i].label, words));
        break;
      }
  return failures;
}

/// Every `stride`th variant of a model, others than its neighbours'.
std::vector<Training> sample(const std::vector<std::shared_ptr<const Model>> &models, size_t stride) {
  std::vector<Training> trainings;
  const std::vector<TrainingVariant> variants = trainingVariants();
  for (size_t number = 0; number < models.size(); ++number)
    for (size_t i = 7 * number % stride; i < variants.size(); i += stride) {
      Training training = trainingOf(models[number], variants[i]);
      if (!training.wantsGradients())
        continue;
      std::string words = prepare(training);
      if (words.empty())
        trainings.push_back(std::move(training));
      else if (words.find("not compiled yet") == std::string::npos)
        ADD_FAILURE() << training.label << ": " << words;
    }
  return trainings;
}

bool wantsAll() {
  const char *wish = std::getenv("FLEXSN_CUDA_TEST");
  return wish && std::string_view(wish) == "all";
}

void runAll(const std::vector<Training> &trainings, const std::string &name) {
  constexpr size_t batchSize = 12;
  for (size_t begin = 0; begin < trainings.size(); begin += batchSize) {
    auto from = trainings.begin() + static_cast<ptrdiff_t>(begin);
    auto to = trainings.begin() + static_cast<ptrdiff_t>(std::min(begin + batchSize, trainings.size()));
    for (const std::string &failure : runBatch({from, to}, fmt::format("{}{}", name, begin / batchSize)))
      ADD_FAILURE() << failure;
  }
  fmt::print("{} training steps compared\n", trainings.size());
}

TEST(EmittedCuda, GradientsEqualTheCpuBitForBit) {
  std::vector<Training> trainings = sample(allModels(FLEXSN_SOURCE_DIR), wantsAll() ? 1 : 47);
  runAll(trainings, "training");
  EXPECT_GE(trainings.size(), wantsAll() ? 1000u : 40u);
}

/// Runs of every length, shared by other runs or not, by neuron and by step.
TEST(EmittedCuda, GradientsOfParametersWithDimsEqualTheCpuBitForBit) {
  std::vector<std::shared_ptr<const Model>> models = allModels(FLEXSN_SOURCE_DIR);
  std::erase_if(models, [](const auto &model) {
    return std::ranges::all_of(model->params, [](const Param &param) { return param.dims.empty(); });
  });
  std::vector<Training> trainings = sample(models, wantsAll() ? 1 : 13);
  runAll(trainings, "shaped");
  EXPECT_GE(trainings.size(), 8u);
}

} // namespace
} // namespace flexsn::test
