// flexsn-gpu check|train|time|time-training|count|matrix: for a machine with a GPU (but for matrix); tests/gpu/run
// calls it. It needs no CUDA to be built.
#include "runtime/Error.h"
#include "runtime/NvrtcLoader.h"
#include "tests/gpu/Gpu.h"
#include "tests/nvrtc/Matrix.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

namespace flexsn::test {
namespace {

constexpr const char *usage =
    R"(usage: flexsn-gpu check|train|time|time-training|count|matrix [--root FOLDER] [--every K] [--first I]
                                                              [--model NAME] [--json FILE]
  check   compares the bits of every K-th program with the CPU's; exit code 1 if some differ
  train   compares the gradients of every K-th training step with the CPU's
  time    prints the time of models beside copies
  time-training
          the same of the two kernels of training steps
  count   launches some kernels once each, for a profiler
  matrix  compiles every K-th program for sm_75, 80, 90, 100 and 120 and looks at the code; needs no GPU
  --root  a checkout, whose models are taken; else the current folder
  --first the one of the first K programs to begin with, 0 to K - 1: K runs are all programs
  --model of the models of matrix, those of that name
  --json  writes what was found there
)";

struct Words {
  std::string_view action;
  GpuOptions options;
  std::string json;
};

/// False for words that make no sense.
bool read(int count, char **words, Words &into) {
  if (count < 2)
    return false;
  into.action = words[1];
  for (int i = 2; i + 1 < count; i += 2) {
    std::string_view option = words[i], value = words[i + 1];
    if (option == "--root")
      into.options.root = value;
    else if (option == "--json")
      into.json = value;
    else if (option == "--model")
      into.options.model = value;
    else if (option == "--every")
      std::from_chars(value.data(), value.data() + value.size(), into.options.every);
    else if (option == "--first")
      std::from_chars(value.data(), value.data() + value.size(), into.options.first);
    else
      return false;
  }
  bool known = into.action == "check" || into.action == "train" || into.action == "time-training" ||
               into.action == "time" || into.action == "count" || into.action == "matrix";
  return known && count % 2 == 0 && into.options.first < into.options.every;
}

int compileAll(const GpuOptions &options) {
  std::vector<std::shared_ptr<const Model>> models = allModels(options.root), more = conformanceModels(options.root);
  models.insert(models.end(), more.begin(), more.end());
  std::erase_if(models, [&](const auto &model) { return !options.model.empty() && model->name != options.model; });
  MatrixOptions wanted;
  wanted.every = options.every;
  wanted.first = options.first;
  MatrixReport report = compileMatrix(models, NvrtcLoader::ofProcess().get(), wanted);
  for (const std::string &failure : report.failures)
    fmt::print("{}\n", failure);
  fmt::print(
      "{} programs of {} models, {} more of the same code, {} cubins, {} failures; {} of constructs that are not "
      "compiled yet\n",
      report.programs, models.size(), report.repeated, report.cubins, report.failures.size(), report.refused);
  return report.failures.empty() && report.cubins > 0 ? 0 : 1;
}

int run(const Words &words) {
  if (words.action == "matrix")
    return compileAll(words.options);
  Device device;
  const Nvrtc &nvrtc = NvrtcLoader::ofProcess().get();
  fmt::print("{}, sm_{}, driver for CUDA {}, NVRTC {}\n", device.name(), device.arch(), device.driverVersion(),
             nvrtc.release());
  Json found;
  bool good = true;
  if (words.action == "check")
    good = checkAll(device, words.options, found);
  else if (words.action == "train")
    good = checkTraining(device, words.options, found);
  else if (words.action == "time")
    timeAll(device, words.options, found);
  else if (words.action == "time-training")
    timeTraining(device, words.options, found);
  else
    launchCounted(device, words.options);
  if (!words.json.empty()) {
    Json report = {{"device", device.name()},
                   {"driver", device.driverVersion()},
                   {"nvrtc", nvrtc.release()},
                   {std::string(words.action), found}};
    std::ofstream(words.json) << report.dump(1) << "\n";
  }
  return good ? 0 : 1;
}

} // namespace
} // namespace flexsn::test

int main(int count, char **words) {
  using namespace flexsn::test;
  std::setvbuf(stdout, nullptr, _IOLBF, 0); // what was said stays, however the run ends
  Words wanted;
  if (!read(count, words, wanted)) {
    std::fputs(usage, stderr);
    return 2;
  }
  try {
    return run(wanted);
  } catch (const flexsn::Failure &failure) {
    fmt::print(stderr, "flexsn-gpu: {}\n", failure.message);
  } catch (const std::exception &error) {
    fmt::print(stderr, "flexsn-gpu: {}\n", error.what());
  }
  return 3;
}
