#include "tests/pytorch/Programs.h"

#include "tests/pytorch/PrintModel.h"
#include "tests/random/Generator.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <stdexcept>

namespace flexsn::test {
namespace {

/// Without pow, whose last bits decide about spikes: the others are steep nowhere.
const random::Features features = {.functions = {"exp", "tanh", "sigmoid", "sin", "atan", "erf", "softplus"},
                                   .pow = false};

using nlohmann::json;

json hex(double number) { return fmt::format("{:a}", number); }

/// Numbers of all neurons by name; `of` gives those of one.
template <class Of> json numbersOf(const TrainingBatch &batch, Of of) {
  json all = json::object();
  for (size_t n = 0; n < batch.neurons(); ++n)
    for (const auto &[name, number] : of(n))
      all[name].push_back(hex(number));
  return all;
}

/// The same of sequences, [step][neuron].
template <class Of> json sequencesOf(const TrainingBatch &batch, Of of) {
  json all = json::object();
  for (size_t t = 0; t < batch.steps(); ++t)
    for (size_t n = 0; n < batch.neurons(); ++n)
      for (const auto &[name, numbers] : of(n))
        all[name][t].push_back(hex(numbers[t]));
  return all;
}

std::string printCall(const TrainingBatch &batch) {
  json raw = json::object();
  for (const auto &[name, number] : batch.calls.front().settings)
    raw[name] = hex(number);
  return json{{"steps", batch.steps()},
              {"raw", raw},
              {"given", numbersOf(batch, [&](size_t n) { return batch.calls[n].initialStates; })},
              {"inputs", sequencesOf(batch, [&](size_t n) { return batch.calls[n].inputs; })},
              {"grad_outputs", sequencesOf(batch, [&](size_t n) { return batch.upstream[n].outputs; })},
              {"grad_finals", numbersOf(batch, [&](size_t n) { return batch.upstream[n].finalStates; })}}
      .dump();
}

/// The inputs and states that are no floats.
std::string printTypes(const Model &model) {
  json types = json::object();
  auto note = [&](const Value &value) {
    if (value.type != Type::Float)
      types[value.name] = value.type == Type::Int ? "int" : "bool";
  };
  for (const Input &input : model.inputs)
    note(*input.value);
  for (const State &state : model.states)
    note(*state.value);
  return types.dump();
}

/// FNV-1a.
uint64_t hashOf(const std::string &text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char byte : text)
    hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

} // namespace

PyTorchProgram pytorchProgram(uint64_t seed) {
  PyTorchProgram program;
  program.text = print(random::generate(seed, features));
  auto models = modelsOf(program.text);
  if (models.size() != 1)
    throw std::runtime_error("the generator made a text that does not check:\n" + program.text);
  program.model = models[0];
  program.given = seed % 2 == 0;
  program.python = "TYPES " + printTypes(*program.model) + "\n" + printForPyTorch(*program.model);
  for (size_t steps : {1, 20}) {
    program.batches.push_back(drawBatch(*program.model, {steps, 1, program.given}, 3, seed));
    program.python += "CALL " + printCall(program.batches.back()) + "\n";
  }
  program.hash = hashOf(program.python);
  return program;
}

} // namespace flexsn::test
