#include "tests/traffic/Counted.h"

#include "tests/cuda/CudaRun.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <stdexcept>

namespace flexsn::test {

uint64_t Moved::bytes() const {
  uint64_t sum = 0;
  for (const auto &[place, traffic] : operands)
    sum += place.first == Role::Param ? 0 : traffic.read + traffic.written;
  return sum;
}

uint64_t Moved::again() const {
  uint64_t sum = checkpoints.readAgain + checkpoints.writtenAgain;
  for (const auto &[place, traffic] : operands)
    sum += traffic.readAgain + traffic.writtenAgain;
  return sum;
}

/// Watches the memory of a call while `run` runs one of its kernels.
static Moved counted(TrainingOperands &operands, const std::vector<std::byte> &checkpoints,
                     const std::function<void()> &run) {
  auto nameOf = [](const TrainingOperands::key_type &place) {
    return fmt::format("{} {}", roleName(place.first), place.second);
  };
  for (auto &[place, operand] : operands)
    watch(nameOf(place), operand.memory.data(), operand.memory.size());
  watch("checkpoints", checkpoints.data(), checkpoints.size());
  run();
  Moved moved;
  for (auto &[place, operand] : operands)
    moved.operands[place] = trafficOf(nameOf(place));
  moved.checkpoints = trafficOf("checkpoints");
  watchNothing();
  return moved;
}

// ---- The CPU's kernels ----------------------------------------------------------------------------------------------

namespace {

/// The kernel of a program, compiled by clang with its accesses counted.
class CountedKernel {
public:
  CountedKernel(const Both &both, const std::string &folder) {
    Diagnostics diagnostics(*both.model->source);
    std::string text;
    if (!emit(*both.model, both.request, EmitForm::Llvm, "", diagnostics, text))
      throw std::runtime_error(both.label + ": no LLVM IR");
    std::filesystem::create_directories(folder);
    const std::string stem = fmt::format("{}/{}", folder, both.cpu.kernelSymbol);
    // Functions without the attribute are not instrumented.
    std::ofstream(stem + ".ll") << std::regex_replace(text, std::regex("(\ndefine [^\n]*\\)) \\{"),
                                                      "$1 sanitize_address {");
    const std::string command = fmt::format("{0} {1} -w -fPIC -shared -o '{2}.so' '{2}.ll' -lm > '{2}.log' 2>&1",
                                            FLEXSN_CLANG, countingOptions, stem);
    if (std::system(command.c_str()) != 0)
      throw std::runtime_error("failed: " + command);
    handle = dlopen((stem + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      throw std::runtime_error(dlerror());
    kernel = reinterpret_cast<CpuKernel>(dlsym(handle, both.cpu.kernelSymbol.c_str()));
    if (!kernel)
      throw std::runtime_error(dlerror());
  }
  ~CountedKernel() { dlclose(handle); }
  CountedKernel(const CountedKernel &) = delete;
  CountedKernel &operator=(const CountedKernel &) = delete;

  CpuKernel kernel = nullptr;

private:
  void *handle = nullptr;
};

} // namespace

MovedByBoth countCpu(const Training &training, const Arrangement &arrangement, const std::string &folder) {
  TrainingOperands operands = drawOperands(training, arrangement, 1);
  std::vector<std::byte> checkpoints(checkpointBytes(training.forward.cpu, arrangement) + 1);
  auto count = [&](const Both &both) {
    CountedKernel kernel(both, folder);
    CpuRun run(both);
    run.replaceKernel(kernel.kernel);
    Moved moved = counted(operands, checkpoints, [&] {
      run.run(orderedOperands(both.cpu, checkpoints.data(), arrangement, operands), arrangement);
    });
    moved.every = both.cpu.every;
    return moved;
  };
  Moved forward = count(training.forward);
  return {forward, count(training.backward)};
}

// ---- CUDA C++ -------------------------------------------------------------------------------------------------------

MovedByBoth countCuda(const Training &training, const Arrangement &arrangement, const std::string &folder) {
  std::string error;
  auto texts = CompiledTexts::compile({training.forward.cuda, training.backward.cuda}, folder,
                                      training.forward.model->name, error, countingOptions);
  if (!texts)
    throw std::runtime_error(error);
  TrainingOperands operands = drawOperands(training, arrangement, 1);
  std::vector<std::byte> checkpoints(checkpointBytes(training.forward.cuda, arrangement) + 1);
  auto count = [&](const Both &both, size_t index) {
    CudaRun run(both.cuda, *texts, index, CpuRun(both).params);
    std::vector<CudaOperand> bound =
        orderedOperands(both.cuda, checkpoints.data(), arrangement, operands,
                        [](PlacedOperand &placed) { return cudaOperand(placed, /*byAddress=*/false); });
    Moved moved =
        counted(operands, checkpoints, [&] { run.run(bound, arrangement, /*backwards=*/false, /*byAddress=*/false); });
    moved.every = both.cuda.every;
    return moved;
  };
  Moved forward = count(training.forward, 0);
  return {forward, count(training.backward, 1)};
}

} // namespace flexsn::test
