// Compiled kernels against central differences of the relaxed model (tests/reference/Relaxed.h), which shares nothing
// with them and asks no rule of differentiation. FLEXSN_TRAINING_TEST=all runs all selections of gradients (minutes).
#include "tests/reference/Coverage.h"
#include "tests/reference/Relaxed.h"
#include "tests/training/Batches.h"
#include "tests/training/Selections.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

namespace flexsn::test {
namespace {

using ModelPtr = std::shared_ptr<const Model>;

/// Differences are exact to about 1e-10 of the largest gradient, wanted or not, and to less where the slope bends
/// sharply.
constexpr double tolerance = 1e-7;

/// Those of the collection that the oracle evaluates, and those that are shipped, in the order of their names.
std::vector<ModelPtr> findModels() {
  std::vector<ModelPtr> found;
  for (const ModelPtr &model : zoo())
    if (!reference::notCovered(*model))
      found.push_back(model);
  std::map<std::string, ModelPtr> shipped;
  for (const auto &entry : std::filesystem::directory_iterator(FLEXSN_MODELS)) {
    std::ifstream file(entry.path(), std::ios::binary);
    for (const ModelPtr &model : modelsOf(std::string(std::istreambuf_iterator<char>(file), {})))
      shipped[model->name] = model;
  }
  for (const auto &[name, model] : shipped)
    found.push_back(model);
  return found;
}

const std::vector<ModelPtr> &models() {
  static const std::vector<ModelPtr> found = findModels();
  return found;
}

/// `sum` and `more`, which has the same names unless `sum` is empty.
void add(reference::Gradients &sum, const reference::Gradients &more) {
  auto addNumbers = [](reference::Numbers &to, const reference::Numbers &numbers) {
    for (const auto &[name, number] : numbers)
      to[name] += number;
  };
  addNumbers(sum.initialStates, more.initialStates);
  addNumbers(sum.params, more.params);
  auto addSequences = [](reference::Sequences &to, const reference::Sequences &sequences) {
    for (const auto &[name, numbers] : sequences) {
      to[name].resize(numbers.size());
      for (size_t t = 0; t < numbers.size(); ++t)
        to[name][t] += numbers[t];
    }
  };
  addSequences(sum.inputs, more.inputs);
  addSequences(sum.stepParams, more.stepParams);
}

/// The slopes of a batch's losses, found once for all selections: a loss is a sum over what flows back, so they are
/// sums of the slopes for the outputs and for each final state alone.
class Slopes {
public:
  Slopes(const Model &model, const TrainingBatch &batch) : model(model), batch(batch), parts(batch.neurons()) {}

  /// What the kernels are to give for neuron n. Parameters are of all neurons, and come with the first one.
  reference::Gradients of(size_t n, const Request &request) {
    std::vector<reference::Gradients> each;
    for (size_t neuron = 0; neuron < batch.neurons(); ++neuron)
      each.push_back(ofNeuron(neuron, request));
    const reference::Gradients mine = gathered(model, std::move(each))[n];
    reference::Gradients chosen;
    for (const std::string &name : request.gradInputs)
      chosen.inputs[name] = mine.inputs.at(name);
    for (const std::string &name : request.gradInitials)
      chosen.initialStates[name] = mine.initialStates.at(name);
    for (const std::string &name : request.gradParams) {
      if (auto number = mine.params.find(name); number != mine.params.end())
        chosen.params.insert(*number);
      if (auto steps = mine.stepParams.find(name); steps != mine.stepParams.end())
        chosen.stepParams.insert(*steps);
    }
    return chosen;
  }

  /// Of the largest slope of neuron n.
  double size(size_t n, const Request &request) { return reference::sizeOf(ofNeuron(n, request)); }

private:
  reference::Gradients ofNeuron(size_t n, const Request &request) {
    reference::Gradients sum = part(n, "");
    for (const std::string &name : request.gradFinals)
      add(sum, part(n, name));
    return sum;
  }

  /// For the final state of a name, or for the outputs.
  const reference::Gradients &part(size_t n, const std::string &final) {
    auto [at, isNew] = parts[n].try_emplace(final);
    if (isNew) {
      const reference::Upstream &whole = batch.upstream[n];
      reference::Upstream upstream;
      if (final.empty())
        upstream.outputs = whole.outputs;
      else
        upstream.finalStates[final] = whole.finalStates.at(final);
      at->second = reference::centralDifferences(model, batch.calls[n], upstream).gradients;
    }
    return at->second;
  }

  const Model &model;
  const TrainingBatch &batch;
  std::vector<std::map<std::string, reference::Gradients>> parts;
};

/// Slopes in small parameters for a change of their own size: a difference moves them by a part of it, so that what it
/// has of rounding grows as they are smaller.
reference::Gradients inUnits(reference::Gradients gradients, const reference::NeuronCall &call) {
  auto scale = [](double &number, double setting) {
    if (double size = std::fabs(setting); size != 0) // a 0 is moved as a 1
      number *= std::fmin(1, size);
  };
  for (auto &[name, number] : gradients.params)
    scale(number, call.settings.at(name));
  for (auto &[name, numbers] : gradients.stepParams)
    for (size_t t = 0; t < numbers.size(); ++t)
      scale(numbers[t], call.stepSettings.at(name)[t]);
  return gradients;
}

class TrainingDifferences : public testing::TestWithParam<size_t> {
protected:
  /// Numbers of steps around the chunks, which are of up to 16 steps.
  static constexpr size_t lengths[] = {1, 2, 5, 17, 40};

  /// Returns how many selections were compared.
  size_t compare(bool given, bool all) {
    const Model &model = *models()[GetParam()];
    std::vector<TrainingBatch> batches;
    std::vector<Slopes> slopes;
    for (size_t steps : lengths)
      batches.push_back(drawBatch(model, {steps, 1, given}, 2, steps));
    for (const TrainingBatch &batch : batches)
      slopes.emplace_back(model, batch);
    Selections selections(model, Storage::F64, given);
    const std::vector<uint32_t> sets = all ? selections.all() : selections.sample(2);
    for (uint32_t set : sets) {
      const Request request = selections.request(set);
      TrainingStep training(models()[GetParam()], request);
      for (size_t i = 0; i < batches.size(); ++i) {
        TrainingResults results = training.run(batches[i]);
        for (size_t n = 0; n < batches[i].neurons(); ++n)
          EXPECT_EQ(reference::difference(
                        inUnits(gradientsOf(model, results, batches[i], n, Storage::F64), batches[i].calls[n]),
                        inUnits(slopes[i].of(n, request), batches[i].calls[n]), tolerance, slopes[i].size(n, request)),
                    "")
              << fmt::format("{}, selection {:#x}, neuron {}, T={}{}", model.name, set, n, lengths[i],
                             given ? ", states given" : "");
      }
    }
    return sets.size();
  }
};

TEST_P(TrainingDifferences, AreTheGradients) {
  const char *wish = std::getenv("FLEXSN_TRAINING_TEST");
  const bool all = wish && std::string_view(wish) == "all";
  const size_t declared = compare(/*given=*/false, all), given = compare(/*given=*/true, all);
  fmt::print("{}: {} selections with declared states, {} with given ones\n", models()[GetParam()]->name, declared,
             given);
  EXPECT_GE(declared, 1u);
  EXPECT_GE(given, 1u);
}

TEST(TrainingModels, AreAllOfThem) { EXPECT_GE(models().size(), 26u + 13); }

INSTANTIATE_TEST_SUITE_P(Models, TrainingDifferences, testing::Range<size_t>(0, models().size()), [](const auto &info) {
  return fmt::format("No{}_{}", info.param, models()[info.param]->name);
});

} // namespace
} // namespace flexsn::test
