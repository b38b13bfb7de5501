#include "tests/gpu/Bench.h"

#include "runtime/CudaJob.h"
#include "runtime/Parameters.h"
#include "tests/cuda/Variants.h"

#include <algorithm>
#include <random>
#include <stdexcept>

namespace flexsn::test {

static std::shared_ptr<const Model> shipped(const GpuOptions &options, const std::string &name) {
  std::vector<std::shared_ptr<const Model>> models = allModels(options.root);
  // Shipped models come last, and may share a name with the collection.
  auto found = std::find_if(models.rbegin(), models.rend(), [&](const auto &model) { return model->name == name; });
  if (found == models.rend())
    throw std::runtime_error("no model is called " + name);
  return *found;
}

/// Random numbers that make neurons fire; a bfloat16 is the upper half of one.
static std::vector<std::byte> numbers(Storage storage, size_t count) {
  std::mt19937 random(1);
  size_t item = storageBytes(storage);
  std::vector<std::byte> bytes(count * item);
  for (size_t i = 0; i < count; ++i) {
    auto number = static_cast<float>(static_cast<double>(random()) / 0x1p31 * 2 - 1);
    uint32_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    bits >>= storage == Storage::BF16 ? 16 : 0;
    std::memcpy(bytes.data() + i * item, &bits, std::min(item, sizeof bits));
  }
  return bytes;
}

Bench::Bench(const GpuOptions &options, const Device &device, const BenchCase &wanted) {
  std::shared_ptr<const Model> model = shipped(options, wanted.model);
  Request request;
  request.data = wanted.data;
  for (const Output &output : model->outputs)
    request.outputs.push_back(output.name);
  auto compile = [&] {
    code = compileCuda(cudaJob(*model, request, access, device.arch()), NvrtcLoader::ofProcess(), Cache::ofProcess());
  };
  compile();
  if (wanted.neurons % code.program.neurons != 0) {
    access = AccessPath::Scalar;
    compile();
  }
  std::vector<NamedNumber> given;
  if (wanted.tau != 0)
    given.push_back({"tau", wanted.tau});
  std::vector<double> stored = storedParameters(*model, given, wanted.data);
  bind(wanted);
  program = std::make_unique<GpuProgram>(code, parameterSlots(*model, stored, code.program.params));
}

void Bench::bind(const BenchCase &wanted) {
  for (const KernelOperand &operand : code.program.operands) {
    auto item = static_cast<int64_t>(storageBytes(operand.storage));
    auto count = static_cast<size_t>(wanted.steps * wanted.neurons);
    buffers.emplace_back(std::span<const std::byte>(numbers(operand.storage, count)));
    CudaOperand bound{buffers.back().data(), wanted.neurons * item};
    bound.strides[maxDims - 1] = item;
    operands.push_back(bound);
    moved += count * static_cast<size_t>(item);
  }
  call.neurons = wanted.neurons;
  call.steps = wanted.steps;
  int64_t extents[maxDims] = {1, 1, 1, 1, wanted.neurons};
  call.setExtents(extents);
}

} // namespace flexsn::test
