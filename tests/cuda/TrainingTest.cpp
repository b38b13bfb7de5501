// Training steps: emitted CUDA C++, run on the CPU, gives the gradients of the CPU's kernels bit for bit, in every
// mode: both are made of the same operations. FLEXSN_CUDA_TEST=all runs all models in all variants (many minutes).
#include "tests/cuda/Training.h"
#include "tests/random/Generator.h"

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

/// Adds the training step of a model for a variant, if any of its gradients is wanted and can be compiled.
void add(std::vector<Training> &trainings, const std::shared_ptr<const Model> &model, const TrainingVariant &variant) {
  Training training = trainingOf(model, variant);
  if (!training.wantsGradients())
    return;
  std::string words = prepare(training);
  if (words.empty())
    trainings.push_back(std::move(training));
  else if (words.find("not compiled yet") == std::string::npos)
    ADD_FAILURE() << training.label << ": " << words;
}

/// Every `stride`th variant of a model, others than its neighbours'.
std::vector<Training> sample(const std::vector<std::shared_ptr<const Model>> &models, size_t stride) {
  std::vector<Training> trainings;
  const std::vector<TrainingVariant> variants = trainingVariants();
  for (size_t number = 0; number < models.size(); ++number)
    for (size_t i = 7 * number % stride; i < variants.size(); i += stride)
      add(trainings, models[number], variants[i]);
  return trainings;
}

/// One variant of each of 200 random models, or of every `stride`th of them.
std::vector<Training> randomSample(size_t stride) {
  std::vector<Training> trainings;
  const random::Features features = {
      .functions = {"exp", "log", "tanh", "sigmoid", "sin", "atan", "erf", "softplus", "rsqrt", "sinh"}, .pow = true};
  const std::vector<TrainingVariant> variants = trainingVariants();
  for (uint64_t seed = 1; seed <= 200; seed += stride)
    add(trainings, modelsOf("random.fsn", print(random::generate(seed, features))).front(),
        variants[7 * seed % variants.size()]);
  return trainings;
}

void compareAll(const std::vector<Training> &trainings, const std::string &name) {
  constexpr size_t batchSize = 12;
  for (size_t begin = 0; begin < trainings.size(); begin += batchSize) {
    auto from = trainings.begin() + static_cast<ptrdiff_t>(begin);
    auto to = trainings.begin() + static_cast<ptrdiff_t>(std::min(begin + batchSize, trainings.size()));
    for (const std::string &failure : runBatch({from, to}, fmt::format("{}{}", name, begin / batchSize)))
      ADD_FAILURE() << failure;
  }
  fmt::print("{} training steps compared\n", trainings.size());
}

bool allAreWished() {
  const char *wish = std::getenv("FLEXSN_CUDA_TEST");
  return wish && std::string_view(wish) == "all";
}

TEST(EmittedCuda, GradientsEqualTheCpuBitForBit) {
  std::vector<Training> trainings = sample(allModels(FLEXSN_SOURCE_DIR), allAreWished() ? 1 : 47);
  compareAll(trainings, "training");
  EXPECT_GE(trainings.size(), allAreWished() ? 1000u : 40u);
}

/// Runs of every length, shared by other runs or not, by neuron and by step.
TEST(EmittedCuda, GradientsOfParametersWithDimsEqualTheCpuBitForBit) {
  std::vector<std::shared_ptr<const Model>> models = allModels(FLEXSN_SOURCE_DIR);
  std::erase_if(models, [](const auto &model) {
    return std::ranges::all_of(model->params, [](const Param &param) { return param.dims.empty(); });
  });
  std::vector<Training> trainings = sample(models, allAreWished() ? 1 : 13);
  compareAll(trainings, "shaped");
  EXPECT_GE(trainings.size(), 8u);
}

/// The models of the peers' recorded values, whose gradients the CPU's kernels have: one variant each.
TEST(EmittedCuda, GradientsOfConformanceModelsEqualTheCpuBitForBit) {
  std::vector<std::shared_ptr<const Model>> models = conformanceModels(FLEXSN_SOURCE_DIR), some;
  for (size_t i = 0; i < models.size(); i += allAreWished() ? 1 : 19)
    some.push_back(models[i]);
  std::vector<Training> trainings = sample(some, trainingVariants().size());
  compareAll(trainings, "conformance");
  EXPECT_GE(trainings.size(), some.size() * 3 / 4);
}

TEST(EmittedCuda, GradientsOfRandomModelsEqualTheCpuBitForBit) {
  std::vector<Training> trainings = randomSample(allAreWished() ? 1 : 4);
  compareAll(trainings, "random");
  EXPECT_GE(trainings.size(), allAreWished() ? 180u : 45u);
}

} // namespace
} // namespace flexsn::test
