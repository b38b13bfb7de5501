#include "tests/cuda/Variants.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace flexsn::test {

static std::string read(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::shared_ptr<const Model>> modelsOf(const std::string &name, const std::string &text) {
  auto source = std::make_shared<const Source>(name, text);
  Diagnostics diagnostics(*source);
  syntax::File parsed = parse(*source, diagnostics);
  std::vector<std::shared_ptr<const Model>> models = check(source, parsed, {}, diagnostics);
  if (diagnostics.hasErrors() || models.empty())
    throw std::runtime_error(name + " has no models, or an error");
  return models;
}

std::vector<std::shared_ptr<const Model>> allModels(const std::string &root) {
  std::vector<std::filesystem::path> files = {root + "/tests/data/zoo.fsn", root + "/tests/cuda/models.fsn"};
  for (const auto &entry : std::filesystem::directory_iterator(root + "/examples/models"))
    if (entry.path().extension() == ".fsn")
      files.push_back(entry.path());
  std::sort(files.begin() + 2, files.end());
  std::vector<std::shared_ptr<const Model>> models;
  for (const auto &file : files)
    for (auto &model : modelsOf(file.filename().string(), read(file)))
      models.push_back(std::move(model));
  return models;
}

std::vector<std::shared_ptr<const Model>> conformanceModels(const std::string &root) {
  std::vector<std::shared_ptr<const Model>> models;
  std::set<std::string> seen;
  auto index = nlohmann::json::parse(read(root + "/tests/conformance/data/index.json"));
  for (const auto &each : index.at("cases"))
    if (seen.insert(each.at("model")).second)
      models.push_back(modelsOf(each.at("id"), each.at("model")).front());
  return models;
}

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

std::string codeOf(const std::string &text) {
  std::string code;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.find("//") == std::string::npos)
      code += line + '\n';
  return code;
}

} // namespace flexsn::test
