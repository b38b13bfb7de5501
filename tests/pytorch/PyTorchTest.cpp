// Random models through both kernels of a training step: gradients are those that PyTorch's autograd finds in float64.
#include "tests/pytorch/Programs.h"

#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

namespace flexsn::test {
namespace {

/// What was recorded of one batch, by "role name": [T, N], [N] or one number.
using Recorded = std::map<std::string, std::vector<double>>;

struct RecordedModel {
  std::string hash;
  std::vector<Recorded> batches;
};

std::map<uint64_t, RecordedModel> readRecorded() {
  std::ifstream file(FLEXSN_PYTORCH_GRADIENTS);
  std::map<uint64_t, RecordedModel> all;
  RecordedModel *model = nullptr;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string role, name, number;
    words >> role >> name;
    if (role == "model") {
      model = &all[std::stoull(name)];
      words >> model->hash;
    } else if (role == "steps") {
      model->batches.emplace_back();
    } else if (role != "#") {
      std::vector<double> &numbers = model->batches.back()[role + " " + name];
      while (words >> number) // a stream reads no nan
        numbers.push_back(std::strtod(number.c_str(), nullptr));
    }
  }
  return all;
}

/// What the kernels found, in the same form.
Recorded foundBy(const TrainingResults &results, const TrainingBatch &batch) {
  Recorded found;
  for (const auto &[name, cells] : results.gradInputs)
    for (size_t i = 0; i < batch.steps() * batch.neurons(); ++i)
      found["input " + name].push_back(cells.get(i));
  for (const auto &[name, cells] : results.gradInitials)
    for (size_t n = 0; n < batch.neurons(); ++n)
      found["initial " + name].push_back(cells.get(n));
  for (const auto &[name, slot] : results.gradParams)
    found["param " + name] = {numberOf(slot, Storage::F64)};
  return found;
}

struct Counts {
  size_t finite = 0, infinite = 0;
};

/// Every number that is finite there is the same here. Where it is not, ours may be finite: the side of a selection
/// that is not taken, and what `floor` and the like hide, have part in a NaN there.
void expectEqual(const Recorded &found, const Recorded &want, const std::string &where, Counts &counts) {
  double size = 1;
  for (const auto &[key, numbers] : want)
    for (double number : numbers)
      if (std::isfinite(number))
        size = std::fmax(size, std::fabs(number));
  ASSERT_EQ(found.size(), want.size()) << where;
  for (const auto &[key, numbers] : want) {
    ASSERT_TRUE(found.contains(key)) << key << where;
    const std::vector<double> &ours = found.at(key);
    ASSERT_EQ(ours.size(), numbers.size()) << key << where;
    for (size_t i = 0; i < numbers.size(); ++i) {
      ++(std::isfinite(numbers[i]) ? counts.finite : counts.infinite);
      if (std::isfinite(numbers[i])) {
        EXPECT_NEAR(ours[i], numbers[i], 1e-7 * size) << key << ", number " << i << where;
      }
    }
  }
}

TEST(PyTorch, KernelsHaveItsGradients) {
  std::map<uint64_t, RecordedModel> recorded = readRecorded();
  ASSERT_EQ(recorded.size(), pytorchModels);
  Counts counts;
  for (const auto &[seed, want] : recorded) {
    PyTorchProgram program = pytorchProgram(seed);
    ASSERT_EQ(fmt::format("{:016x}", program.hash), want.hash)
        << "model " << seed << " is another one than what was recorded: record it again (tests/pytorch/README.md)";
    Request request = wholeRequest(*program.model, Storage::F64, program.given);
    if (request.gradInputs.empty() && request.gradParams.empty() && request.gradInitials.empty())
      continue; // all of ints and bools
    TrainingStep training(program.model, request);
    for (size_t i = 0; i < program.batches.size(); ++i) {
      const TrainingBatch &batch = program.batches[i];
      expectEqual(foundBy(training.run(batch), batch), want.batches.at(i),
                  fmt::format("\nmodel {}, T={}\n{}", seed, batch.steps(), program.text), counts);
    }
  }
  fmt::print("{} numbers equal to PyTorch's; {} that are not finite there\n", counts.finite, counts.infinite);
  EXPECT_GT(counts.finite, 20'000u);
  EXPECT_LT(counts.infinite, counts.finite / 5);
}

} // namespace
} // namespace flexsn::test
