// The bits of the GPU against those of the CPU.
#include "runtime/CudaJob.h"
#include "runtime/Error.h"
#include "runtime/SideBySide.h"
#include "tests/cuda/CpuRun.h"
#include "tests/cuda/Variants.h"
#include "tests/gpu/Gpu.h"
#include "tests/gpu/GpuProgram.h"

#include <fmt/format.h>

#include <algorithm>

namespace flexsn::test {
namespace {

/// A program for both, ready to run.
struct Pair {
  Both both;
  CudaCode code;
  std::string failure; ///< what the compiler or NVRTC said; empty if both were made
};

/// float64 functions are the platform's, which a GPU's are not equal to.
bool hasEqualBits(const Variant &variant) { return variant.data != Storage::F64; }

void compile(Pair &pair, int arch) {
  pair.failure = prepare(pair.both);
  if (!pair.failure.empty())
    return;
  try {
    const Both &both = pair.both;
    pair.code = compileCuda(cudaJob(*both.model, both.request, both.access, arch), NvrtcLoader::ofProcess(),
                            Cache::ofProcess());
  } catch (const Failure &failure) {
    pair.failure = failure.message;
  }
}

/// Copies of operands on the device, bound as a kernel wants them.
class OnDevice {
public:
  OnDevice(std::vector<PlacedOperand> &operands, bool scalarsByValue) : operands(operands) {
    for (PlacedOperand &placed : operands) {
      buffers.emplace_back(std::as_bytes(std::span(placed.memory)));
      CudaOperand operand{static_cast<std::byte *>(buffers.back().data()) + placed.origin, placed.timeStride};
      std::copy_n(placed.strides, maxDims, operand.strides);
      if (placed.isScalar && placed.operand.role == Role::Initial && scalarsByValue) {
        operand = {nullptr, 0};
        std::memcpy(&operand.timeStride, placed.data(), storageBytes(placed.operand.storage));
      }
      bound.push_back(operand);
    }
  }
  void readBack() const {
    for (size_t i = 0; i < operands.size(); ++i)
      buffers[i].read(std::as_writable_bytes(std::span(operands[i].memory)));
  }
  std::vector<CudaOperand> bound;

private:
  std::vector<PlacedOperand> &operands;
  std::vector<Buffer> buffers;
};

/// Empty, or what differs.
std::string compare(const Device &device, const Pair &pair, const GpuProgram &gpu, const CpuRun &cpu,
                    const Arrangement &arrangement, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<PlacedOperand> expected;
  for (const KernelOperand &operand : pair.both.cpu.operands)
    expected.push_back(placed(operand, isOfStepAlone(*pair.both.model, operand), arrangement, expected.size(), random));
  const std::vector<PlacedOperand> fresh = expected;
  cpu.run(expected, arrangement);
  for (bool byAddress : {false, true}) {
    std::vector<PlacedOperand> found = fresh;
    OnDevice operands(found, !byAddress);
    CudaCall call{arrangement.neurons(), arrangement.steps};
    call.space.setExtents(arrangement.extents);
    call.paramSpace.setExtents(arrangement.paramExtents());
    gpu.launch(call, operands.bound, byAddress);
    device.synchronize();
    operands.readBack();
    for (size_t i = 0; i < found.size(); ++i)
      if (std::string words = difference(expected[i], found[i], arrangement);
          !words.empty() && (found[i].operand.role == Role::Output || found[i].operand.role == Role::Final))
        return fmt::format("{} with T = {}, N = {}", words, arrangement.steps, arrangement.neurons());
  }
  return {};
}

/// The driver's facts and the cubin's; the uniforms; then all sizes.
std::string run(const Device &device, const Pair &pair, unsigned seed) {
  CpuRun cpu(pair.both);
  GpuProgram gpu(pair.code, cpu.params);
  const std::string &symbol = pair.code.program.kernelSymbol;
  Module::Facts said = gpu.module().facts(symbol);
  const CubinKernel &read = *findKernel(pair.code.kernels, symbol);
  if (said.registers != static_cast<int>(read.registers) || said.localBytes != static_cast<int>(read.localBytes))
    return fmt::format("the driver says {} registers and {} bytes of local memory, the cubin {} and {}", said.registers,
                       said.localBytes, read.registers, read.localBytes);
  if (read.spilledBytes() != 0)
    return fmt::format("{} bytes are spilled", read.spilledBytes());
  for (size_t i = 0; i < cpu.invariants.size(); ++i)
    if (cpu.invariants[i] != gpu.uniformValues()[i])
      return fmt::format("uniform {} is {:#x} on the CPU, {:#x} on the GPU", i, cpu.invariants[i],
                         gpu.uniformValues()[i]);
  for (const Arrangement &arrangement : arrangements(pair.both))
    if (std::string words = compare(device, pair, gpu, cpu, arrangement, seed); !words.empty())
      return words;
  return {};
}

std::vector<Pair> pairsOf(const GpuOptions &options) {
  std::vector<Pair> pairs;
  size_t number = 0;
  for (const auto &model : allModels(options.root))
    for (const Variant &variant : allVariants()) {
      Both both = bothOf(model, variant);
      bool nothing = both.request.outputs.empty() && both.request.finalStates.empty();
      if (hasEqualBits(variant) && !nothing && number++ % options.every == options.first)
        pairs.push_back({std::move(both), {}, ""});
    }
  return pairs;
}

} // namespace

bool checkAll(const Device &device, const GpuOptions &options, Json &report) {
  std::vector<Pair> pairs = pairsOf(options);
  sideBySide(pairs.size(), [&](size_t i) { compile(pairs[i], device.arch()); });
  size_t compared = 0, refused = 0, failed = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const Pair &pair = pairs[i];
    std::string words = pair.failure;
    if (words.find("not compiled yet") != std::string::npos) {
      ++refused;
      continue;
    }
    if (words.empty())
      words = run(device, pair, static_cast<unsigned>(i));
    ++compared;
    if (!words.empty()) {
      ++failed;
      fmt::print("{}: {}\n", pair.both.label, words);
    }
  }
  fmt::print("{} programs compared bit for bit, {} differ; {} of constructs that are not compiled yet\n", compared,
             failed, refused);
  report["compared"] = compared;
  report["differ"] = failed;
  report["not_compiled_yet"] = refused;
  return failed == 0 && compared > 0;
}

} // namespace flexsn::test
