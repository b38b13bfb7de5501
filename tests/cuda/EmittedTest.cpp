// Emitted CUDA C++, compiled for the CPU and run there, gives the bits of the CPU's kernels: for every model that
// compiles, in a sample of types, layouts and access paths. FLEXSN_CUDA_TEST=all runs all of them (some minutes).
#include "tests/cuda/Both.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace flexsn::test {
namespace {

std::vector<std::shared_ptr<const Model>> modelsOf(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  auto source = std::make_shared<const Source>(path.filename().string(), text);
  Diagnostics diagnostics(*source);
  syntax::File parsed = parse(*source, diagnostics);
  std::vector<std::shared_ptr<const Model>> models = check(source, parsed, {}, diagnostics);
  EXPECT_FALSE(diagnostics.hasErrors()) << path;
  return models;
}

/// The models of the conformance vectors.
std::vector<std::shared_ptr<const Model>> conformanceModels() {
  std::ifstream file(FLEXSN_SOURCE_DIR "/tests/conformance/data/index.json");
  const auto index = nlohmann::json::parse(file);
  std::set<std::string> texts;
  for (const auto &entry : index.at("cases"))
    texts.insert(entry.at("model").get<std::string>());
  std::vector<std::shared_ptr<const Model>> models;
  for (const std::string &text : texts) {
    auto source = std::make_shared<const Source>("conformance", text);
    Diagnostics diagnostics(*source);
    syntax::File parsed = parse(*source, diagnostics);
    for (auto &model : check(source, parsed, {}, diagnostics))
      models.push_back(std::move(model));
  }
  return models;
}

/// The text without its comments: models that differ in a surrogate alone have the same.
std::string codeOf(const std::string &text) {
  std::string code;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.find("//") == std::string::npos)
      code += line + '\n';
  return code;
}

/// The collection, the shipped models, and models of this test's own.
std::vector<std::shared_ptr<const Model>> allModels() {
  std::vector<std::filesystem::path> files = {FLEXSN_SOURCE_DIR "/tests/data/zoo.fsn",
                                              FLEXSN_SOURCE_DIR "/tests/cuda/models.fsn"};
  for (const auto &entry : std::filesystem::directory_iterator(FLEXSN_SOURCE_DIR "/examples/models"))
    if (entry.path().extension() == ".fsn")
      files.push_back(entry.path());
  std::sort(files.begin() + 2, files.end());
  std::vector<std::shared_ptr<const Model>> models;
  for (const auto &file : files)
    for (auto &model : modelsOf(file))
      models.push_back(std::move(model));
  return models;
}

/// What a program is made for, beside its model.
struct Variant {
  KernelKind kernel;
  Storage data;
  Layout layout;
  AccessPath access;
  bool states; ///< initial states are given, final states wanted (a final-state kernel wants them always)
};

std::vector<Variant> allVariants() {
  std::vector<Variant> variants;
  for (Storage data : {Storage::F32, Storage::BF16, Storage::F16, Storage::F64})
    for (Layout layout : {Layout::Linear, Layout::Strided})
      for (AccessPath access : {AccessPath::Vector, AccessPath::Scalar}) {
        variants.push_back({KernelKind::Inference, data, layout, access, access == AccessPath::Vector});
        variants.push_back({KernelKind::FinalState, data, layout, access, layout == Layout::Linear});
      }
  return variants;
}

Both bothOf(const std::shared_ptr<const Model> &model, const Variant &variant) {
  Both both;
  both.model = model;
  both.access = variant.access;
  Request &request = both.request;
  request.kernel = variant.kernel;
  request.data = variant.data;
  request.layout = variant.layout;
  bool final = variant.kernel == KernelKind::FinalState;
  for (const Output &output : model->outputs)
    if (!final) {
      request.outputs.push_back(output.name);
      if (output.type == Type::Int || output.value->whole)
        request.int8Outputs.push_back(output.name);
    }
  for (const State &state : model->states) {
    if (variant.states)
      request.initialStates.push_back(state.value->name);
    if (variant.states || final)
      request.finalStates.push_back(state.value->name);
  }
  both.label = fmt::format("{} {} {} {} {}", model->name, kernelName(request.kernel), storageName(request.data),
                           layoutName(request.layout), accessName(both.access));
  return both;
}

/// Sizes with ragged ends for single accesses, whole vectors for the others.
std::vector<Arrangement> arrangements(const Both &both) {
  bool vector = both.access == AccessPath::Vector;
  std::vector<Arrangement> all;
  for (int64_t steps : {1, 2, 7, 33}) {
    Arrangement each;
    each.steps = steps;
    each.layout = both.request.layout;
    if (each.layout == Layout::Linear) {
      each.extents[maxDims - 1] = (vector ? 8 : 1) * (steps == 7 ? 67 : steps == 33 ? 5 : 1);
    } else {
      each.denseInside = vector;
      each.extents[maxDims - 1] = vector ? 24 : 7;
      each.extents[maxDims - 2] = 3;
      if (steps != 2)
        each.extents[maxDims - 3] = 5;
      if (steps == 7)
        each.extents[1] = 2, each.extents[0] = 2;
    }
    all.push_back(each);
  }
  return all;
}

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
  for (const auto &model : allModels())
    sample.add(model, 9);
  for (const auto &model : conformanceModels())
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
