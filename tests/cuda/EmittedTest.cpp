// Emitted CUDA C++, compiled for the CPU and run there, gives the bits of the CPU's kernels: for every model that
// compiles, in a sample of types, layouts and access paths. FLEXSN_CUDA_TEST=all runs all of them (some minutes).
#include "tests/cuda/Variants.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace flexsn::test {
namespace {

/// Compiles the programs of a batch together and runs each.
std::vector<std::string> runBatch(const std::vector<Both> &batch, const std::string &name) {
  std::vector<CudaProgram> programs;
  for (const Both &both : batch)
    programs.push_back(both.cuda);
  std::string error;
  auto texts = CompiledTexts::compile(programs, FLEXSN_CUDA_FOLDER, name, error);
  if (!texts)
    return {error};
  std::vector<std::string> failures;
  for (size_t i = 0; i < batch.size(); ++i)
    for (const Arrangement &arrangement : arrangements(batch[i]))
      if (std::string words = runBoth(batch[i], *texts, i, arrangement, static_cast<unsigned>(i)); !words.empty()) {
        failures.push_back(fmt::format("{}: {}", batch[i].label, words));
        break;
      }
  return failures;
}

/// The programs of one test run.
class Sample {
public:
  explicit Sample(bool all) : all(all) {}

  /// Every `stride`th variant of the model, others than its neighbours'.
  void add(const std::shared_ptr<const Model> &model, size_t stride) {
    size_t first = number++;
    for (size_t i = 0; i < variants.size(); ++i)
      if (all || i % stride == first % stride)
        add(bothOf(model, variants[i]));
  }

  /// The same for a model whose code no model before had.
  void addIfNew(const std::shared_ptr<const Model> &model, size_t stride) {
    Both both = bothOf(model, variants.front());
    if (!prepare(both).empty() || codes.insert(codeOf(both.cuda.text)).second)
      add(model, stride);
  }

  std::vector<Both> programs;
  size_t refused = 0;

private:
  void add(Both both) {
    if (both.request.outputs.empty() && both.request.finalStates.empty())
      return; // a model without states has no final-state kernel
    std::string words = prepare(both);
    if (words.empty())
      programs.push_back(std::move(both));
    else if (words.find("not compiled yet") != std::string::npos)
      ++refused;
    else
      ADD_FAILURE() << both.label << ": " << words;
  }

  const bool all;
  const std::vector<Variant> variants = allVariants();
  size_t number = 0;
  std::set<std::string> codes;
};

TEST(EmittedCuda, EqualsTheCpuBitForBit) {
  const char *wish = std::getenv("FLEXSN_CUDA_TEST");
  bool all = wish && std::string_view(wish) == "all";
  Sample sample(all);
  for (const auto &model : allModels(FLEXSN_SOURCE_DIR))
    sample.add(model, 9);
  for (const auto &model : conformanceModels(FLEXSN_SOURCE_DIR))
    sample.addIfNew(model, 31);
  std::vector<Both> &programs = sample.programs;
  constexpr size_t batchSize = 24;
  size_t compared = 0;
  for (size_t begin = 0; begin < programs.size(); begin += batchSize) {
    std::vector<Both> batch(programs.begin() + static_cast<ptrdiff_t>(begin),
                            programs.begin() + static_cast<ptrdiff_t>(std::min(begin + batchSize, programs.size())));
    for (const std::string &failure : runBatch(batch, fmt::format("batch{}", begin / batchSize)))
      ADD_FAILURE() << failure;
    compared += batch.size();
  }
  fmt::print("{} programs compared, {} of constructs that are not compiled yet\n", compared, sample.refused);
  EXPECT_GE(compared, all ? 1000u : 150u);
}

} // namespace
} // namespace flexsn::test
