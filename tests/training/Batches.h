// Random calls of many neurons, and what kernels and the oracle find for them.
#pragma once

#include "tests/reference/Calls.h"
#include "tests/training/TrainingStep.h"

#include <memory>
#include <string>
#include <vector>

namespace flexsn::test {

/// The models of a text; none where it has errors.
std::vector<std::shared_ptr<const Model>> modelsOf(std::string text);
/// Those of the collection.
std::vector<std::shared_ptr<const Model>> zoo();

/// Everything that has a gradient is wanted. `given`: states are given, and their gradients
/// wanted too.
Request wholeRequest(const Model &model, Storage data, bool given);

/// Calls of neurons that share their parameters, but for those with dims of neurons.
TrainingBatch drawBatch(const Model &model, const reference::CallShape &shape, size_t neurons, uint64_t seed);

/// Numbers of float32, so that oracle and kernel read the same.
void round(TrainingBatch &batch);

/// What a slot holds.
double numberOf(uint64_t slot, Storage storage);

/// What the kernels found for neuron n. Parameters without dims of neurons are of all, and come with the first one.
reference::Gradients gradientsOf(const Model &model, const TrainingResults &results, const TrainingBatch &batch,
                                 size_t n, Storage compute);

/// The same of what each neuron has by itself.
std::vector<reference::Gradients> gathered(const Model &model, std::vector<reference::Gradients> ofNeurons);

/// The oracle's, of the same neurons; Real is float or double.
template <class Real> std::vector<reference::Gradients> wanted(const Model &model, const TrainingBatch &batch);

} // namespace flexsn::test
