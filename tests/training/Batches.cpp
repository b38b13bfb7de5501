#include "tests/training/Batches.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

namespace flexsn::test {

std::vector<std::shared_ptr<const Model>> modelsOf(std::string text) {
  auto source = std::make_shared<const Source>("training.fsn", std::move(text));
  Diagnostics diagnostics(*source);
  std::vector<std::shared_ptr<const Model>> models = check(source, parse(*source, diagnostics), {}, diagnostics);
  if (diagnostics.hasErrors())
    models.clear();
  return models;
}

std::vector<std::shared_ptr<const Model>> zoo() {
  std::ifstream file(FLEXSN_ZOO, std::ios::binary);
  return modelsOf(std::string(std::istreambuf_iterator<char>(file), {}));
}

Request wholeRequest(const Model &model, Storage data, bool given) {
  Request request;
  request.data = data;
  for (const Output &output : model.outputs)
    request.outputs.push_back(output.name);
  for (const Input &input : model.inputs)
    if (input.value->type == Type::Float)
      request.gradInputs.push_back(input.value->name);
  for (const Param &param : model.params)
    if (param.value->type == Type::Float)
      request.gradParams.push_back(param.operandName());
  for (const State &state : model.states) {
    const std::string &name = state.value->name;
    if (given)
      request.initialStates.push_back(name);
    if (state.value->type != Type::Float)
      continue;
    request.gradFinals.push_back(name);
    if (given)
      request.gradInitials.push_back(name);
  }
  return request;
}

/// Whether neurons have values of their own.
static bool isPerNeuron(const Param &param) {
  return std::any_of(param.dims.begin(), param.dims.end(), [](Dim dim) { return dim != Dim::Step; });
}

/// The parameters of `call` become those of `first`, but for what each neuron has by itself.
static void share(const Model &model, const reference::NeuronCall &first, reference::NeuronCall &call) {
  for (const Param &param : model.params) {
    const std::string name = param.operandName();
    if (isPerNeuron(param))
      continue;
    if (auto number = first.settings.find(name); number != first.settings.end())
      call.settings[name] = number->second;
    if (auto steps = first.stepSettings.find(name); steps != first.stepSettings.end())
      call.stepSettings[name] = steps->second;
  }
}

TrainingBatch drawBatch(const Model &model, const reference::CallShape &shape, size_t neurons, uint64_t seed) {
  TrainingBatch batch;
  reference::Random random(seed);
  for (size_t n = 0; n < neurons; ++n) {
    auto [call, upstream] = reference::drawCall(model, shape, random);
    if (n > 0)
      share(model, batch.calls.front(), call);
    batch.calls.push_back(std::move(call));
    batch.upstream.push_back(std::move(upstream));
  }
  return batch;
}

void round(TrainingBatch &batch) {
  auto eachOf = [](auto &numbers) {
    for (auto &[name, number] : numbers)
      number = static_cast<float>(number);
  };
  auto eachIn = [](auto &sequences) {
    for (auto &[name, numbers] : sequences)
      for (double &number : numbers)
        number = static_cast<float>(number);
  };
  for (size_t n = 0; n < batch.neurons(); ++n) {
    eachOf(batch.calls[n].settings);
    eachOf(batch.calls[n].initialStates);
    eachIn(batch.calls[n].inputs);
    eachIn(batch.calls[n].stepSettings);
    eachOf(batch.upstream[n].finalStates);
    eachIn(batch.upstream[n].outputs);
  }
}

double numberOf(uint64_t slot, Storage storage) {
  Cells cells(storage, 1);
  std::memcpy(cells.data(), &slot, storageBytes(storage));
  return cells.get(0);
}

reference::Gradients gradientsOf(const Model &model, const TrainingResults &results, const TrainingBatch &batch,
                                 size_t n, Storage compute) {
  reference::Gradients found;
  for (const auto &[name, cells] : results.gradInputs)
    for (size_t t = 0; t < batch.steps(); ++t)
      found.inputs[name].push_back(cells.get(t * batch.neurons() + n));
  for (const auto &[name, cells] : results.gradInitials)
    found.initialStates[name] = cells.get(n);
  for (const Param &param : model.params) {
    const std::string name = param.operandName();
    auto shaped = results.gradShaped.find(name);
    bool isMine = n == 0 || isPerNeuron(param);
    if (auto slot = results.gradParams.find(name); slot != results.gradParams.end() && isMine)
      found.params[name] = numberOf(slot->second, compute);
    if (shaped == results.gradShaped.end() || !isMine)
      continue;
    size_t width = isPerNeuron(param) ? batch.neurons() : 1;
    if (param.dims.front() != Dim::Step)
      found.params[name] = shaped->second.get(n);
    else
      for (size_t t = 0; t < batch.steps(); ++t)
        found.stepParams[name].push_back(shaped->second.get(t * width + n));
  }
  return found;
}

std::vector<reference::Gradients> gathered(const Model &model, std::vector<reference::Gradients> ofNeurons) {
  for (const Param &param : model.params) {
    const std::string name = param.operandName();
    reference::Gradients &first = ofNeurons.front();
    for (size_t n = 1; n < ofNeurons.size() && !isPerNeuron(param); ++n) {
      if (auto number = ofNeurons[n].params.extract(name))
        first.params.at(name) += number.mapped();
      if (auto steps = ofNeurons[n].stepParams.extract(name))
        for (size_t t = 0; t < steps.mapped().size(); ++t)
          first.stepParams.at(name)[t] += steps.mapped()[t];
    }
  }
  return ofNeurons;
}

template <class Real> std::vector<reference::Gradients> wanted(const Model &model, const TrainingBatch &batch) {
  std::vector<reference::Gradients> all;
  for (size_t n = 0; n < batch.neurons(); ++n)
    all.push_back(reference::gradients<Real>(model, batch.calls[n], batch.upstream[n]));
  return gathered(model, std::move(all));
}

template std::vector<reference::Gradients> wanted<float>(const Model &, const TrainingBatch &);
template std::vector<reference::Gradients> wanted<double>(const Model &, const TrainingBatch &);

} // namespace flexsn::test
