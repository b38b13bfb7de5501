// The gradients of the GPU against those of the CPU.
#include "runtime/CudaJob.h"
#include "runtime/Error.h"
#include "runtime/SideBySide.h"
#include "tests/cuda/CudaRun.h"
#include "tests/cuda/Training.h"
#include "tests/gpu/Gpu.h"
#include "tests/gpu/GpuProgram.h"

#include <fmt/format.h>

namespace flexsn::test {
namespace {

/// A training step for both, ready to run.
struct Pair {
  Training training;
  CudaCode forward, backward;
  std::string failure = {}; ///< what the compiler or NVRTC said; empty if both were made
};

void compile(Pair &pair, int arch) {
  pair.failure = prepare(pair.training);
  if (!pair.failure.empty())
    return;
  auto made = [&](const Both &both) {
    return compileCuda(cudaJob(*both.model, both.request, both.access, arch), NvrtcLoader::ofProcess(),
                       Cache::ofProcess());
  };
  try {
    pair.forward = made(pair.training.forward);
    pair.backward = made(pair.training.backward);
  } catch (const Failure &failure) {
    pair.failure = failure.message;
  }
}

/// One step on the device.
class DeviceStep {
public:
  DeviceStep(const Device &device, const Pair &pair, const TrainingRun &cpu)
      : device(device), model(*pair.training.backward.model), forwardProgram(pair.forward.program),
        backwardProgram(pair.backward.program), forward(pair.forward, cpu.forwardParams()),
        backward(pair.backward, cpu.backwardParams()) {}

  std::vector<uint64_t> run(TrainingOperands &operands, const Arrangement &arrangement, bool byAddress) const {
    std::map<const PlacedOperand *, Buffer> buffers;
    for (auto &[place, placed] : operands)
      buffers.emplace(&placed, std::as_bytes(std::span(placed.memory)));
    auto bind = [&](PlacedOperand &placed) {
      CudaOperand operand = cudaOperand(placed, byAddress);
      if (operand.data)
        operand.data = static_cast<std::byte *>(buffers.at(&placed).data()) + placed.origin;
      return operand;
    };
    Buffer checkpoints(checkpointBytes(forwardProgram, arrangement) + 1);
    auto bound = [&](const CudaProgram &program) {
      return orderedOperands(program, checkpoints.data(), arrangement, operands, bind);
    };
    CudaCall call{arrangement.neurons(), arrangement.steps};
    call.space.setExtents(arrangement.extents);
    call.paramSpace.setExtents(arrangement.paramExtents());
    forward.launch(call, bound(forwardProgram), byAddress);
    std::vector<CudaOperand> places = bound(backwardProgram);
    auto shared = sharedOperands(model, backwardProgram.operands, places, arrangement);
    std::vector<uint64_t> gradients = backward.launchBackward(call, std::move(places), byAddress, shared);
    device.synchronize();
    for (auto &[place, placed] : operands)
      buffers.at(&placed).read(std::as_writable_bytes(std::span(placed.memory)));
    return gradients;
  }

private:
  const Device &device;
  const Model &model;
  const CudaProgram &forwardProgram, &backwardProgram;
  GpuProgram forward, backward;
};

std::string run(const Device &device, const Pair &pair, unsigned seed) {
  for (const CudaCode *code : {&pair.forward, &pair.backward})
    for (const CubinKernel &kernel : code->kernels)
      if (kernel.spilledBytes() != 0)
        return fmt::format("{} spills {} bytes", kernel.symbol, kernel.spilledBytes());
  TrainingRun cpu(pair.training);
  DeviceStep step(device, pair, cpu);
  for (const Arrangement &arrangement : trainingArrangements(pair.training))
    if (std::string words = cpu.compare([&](TrainingOperands &operands, const Arrangement &at,
                                            bool byAddress) { return step.run(operands, at, byAddress); },
                                        arrangement, seed);
        !words.empty())
      return words;
  return {};
}

/// float64 functions are the platform's, which a GPU's are not equal to.
std::vector<Pair> pairsOf(const GpuOptions &options) {
  std::vector<Pair> pairs;
  size_t number = 0;
  for (const auto &model : allModels(options.root))
    for (const TrainingVariant &variant : trainingVariants()) {
      Training training = trainingOf(model, variant);
      if (variant.data != Storage::F64 && training.wantsGradients() && number++ % options.every == options.first)
        pairs.push_back({std::move(training), {}, {}});
    }
  return pairs;
}

} // namespace

bool checkTraining(const Device &device, const GpuOptions &options, Json &report) {
  std::vector<Pair> pairs = pairsOf(options);
  sideBySide(pairs.size(), [&](size_t i) { compile(pairs[i], device.arch()); });
  size_t compared = 0, refused = 0, failed = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    std::string words = pairs[i].failure;
    if (words.find("not compiled yet") != std::string::npos) {
      ++refused;
      continue;
    }
    if (words.empty())
      words = run(device, pairs[i], static_cast<unsigned>(i));
    ++compared;
    if (words.empty())
      continue;
    ++failed;
    fmt::print("{}: {}\n", pairs[i].training.label, words);
  }
  fmt::print("{} training steps compared bit for bit, {} differ; {} of constructs that are not compiled yet\n",
             compared, failed, refused);
  report = {{"compared", compared}, {"differ", failed}, {"not_compiled_yet", refused}};
  return failed == 0 && compared > 0;
}

} // namespace flexsn::test
