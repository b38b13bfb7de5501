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

/// Of all inputs, and of what is learned.
static void addGradients(const Model &model, Request &request) {
  for (const Input &input : model.inputs)
    request.gradInputs.push_back(input.value->name);
  for (const Param &param : model.params)
    if (param.learnable)
      request.gradParams.push_back(param.operandName());
}

Bench::Bench(const GpuOptions &options, const Device &device, const BenchCase &wanted) {
  std::shared_ptr<const Model> model = shipped(options, wanted.model);
  Request request;
  request.data = wanted.data;
  request.kernel = wanted.kernel;
  if (wanted.kernel != KernelKind::Inference)
    addGradients(*model, request);
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
  const CudaProgram &text = code.program;
  auto isSaved = [](const KernelOperand &operand) { return operand.role == Role::Checkpoint; };
  for (const KernelOperand &operand : text.operands) {
    auto item = static_cast<int64_t>(storageBytes(operand.storage));
    int64_t steps = isSaved(operand) ? (wanted.steps - 1) / text.every : wanted.steps;
    auto count = static_cast<size_t>(steps * wanted.neurons);
    buffers.emplace_back(std::span<const std::byte>(numbers(operand.storage, count + 1)));
    CudaOperand bound{buffers.back().data(), wanted.neurons * item};
    bound.strides[maxDims - 1] = item;
    operands.push_back(bound);
    moved += count * static_cast<size_t>(item);
  }
  if (text.sums != 0) {
    int64_t block = int64_t{text.neurons} * text.threads, blocks = (wanted.neurons + block - 1) / block;
    buffers.emplace_back(static_cast<size_t>(text.sums) * static_cast<size_t>(blocks) * sizeof(double));
    operands.push_back({buffers.back().data(), blocks * static_cast<int64_t>(sizeof(double))});
  }
  call.neurons = wanted.neurons;
  call.steps = wanted.steps;
  int64_t extents[maxDims] = {1, 1, 1, 1, wanted.neurons};
  call.space.setExtents(extents);
  call.paramSpace.setExtents(extents);
}

} // namespace flexsn::test
