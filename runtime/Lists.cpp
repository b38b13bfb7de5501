#include "runtime/Lists.h"

#include "compiler/Compile.h"
#include "compiler/frontend/Functions.h"
#include "compiler/frontend/Lints.h"
#include "compiler/frontend/Surrogates.h"
#include "runtime/DriverFacts.h"
#include "runtime/Error.h"
#include "runtime/NvrtcLoader.h"
#include "runtime/ThreadPool.h"

#include "ShippedModels.h" // made from examples/models/*.fsn by the build

#include <algorithm>
#include <array>
#include <mutex>

namespace flexsn {

/// The name in words with which a shipped model's text begins: "# Leaky integrate-and-fire, one Euler step of ...".
static std::string headline(std::string_view text) {
  size_t begin = text.find_first_not_of("# "), end = text.find_first_of("(,:;.\r\n", begin);
  std::string_view words = begin < end ? text.substr(begin, end - begin) : "";
  return std::string(words.substr(0, words.find_last_not_of(' ') + 1));
}

static std::vector<ListEntry> models() {
  std::vector<ListEntry> entries;
  for (const EmbeddedText &file : shippedModels)
    entries.push_back(
        {std::string(file.name.substr(0, file.name.rfind('.'))), "", headline(file.text), std::string(file.text)});
  std::sort(entries.begin(), entries.end(), [](const ListEntry &a, const ListEntry &b) { return a.name < b.name; });
  return entries;
}

/// A number as the language writes it: a float always has a point or an exponent.
static std::string literal(double value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

static std::vector<ListEntry> surrogateEntries() {
  std::vector<ListEntry> entries;
  for (const SurrogateInfo &surrogate : surrogates()) {
    std::vector<std::string> arguments;
    for (const SurrogateParameter &parameter : surrogate.parameters)
      arguments.push_back(fmt::format("{}={}", parameter.name, literal(parameter.defaultValue)));
    entries.push_back({std::string(surrogate.name), fmt::format("{}({})", surrogate.name, fmt::join(arguments, ", ")),
                       surrogate.gradientWords(), std::string(surrogate.source)});
  }
  return entries;
}

static std::vector<ListEntry> functionEntries() {
  static constexpr std::string_view arguments[] = {"", "x", "x, y", "x, low, high"}; // clip alone has three
  std::vector<ListEntry> entries;
  for (const FunctionInfo &function : functions())
    entries.push_back({std::string(function.name), fmt::format("{}({})", function.name, arguments[function.arity]),
                       std::string(function.summary), ""});
  for (const CallFormInfo &form : callForms())
    entries.push_back({std::string(form.name), std::string(form.signature), std::string(form.summary), ""});
  return entries;
}

static std::vector<ListEntry> lints() {
  std::vector<ListEntry> entries;
  for (const LintInfo &lint : lintInfos())
    entries.push_back({std::string(lint.name), fmt::format("-W{}", lint.name), std::string(lint.summary), ""});
  return entries;
}

static std::vector<ListEntry> stageEntries() {
  std::vector<ListEntry> entries;
  for (const StageInfo &stage : stages())
    entries.push_back({std::string(stage.name), "", std::string(stage.help), ""});
  return entries;
}

/// The features that are on, of LLVM's "+avx2,-avx512f,...".
static std::string featuresThatAreOn(std::string_view features) {
  std::string on;
  while (!features.empty()) {
    std::string_view feature = features.substr(0, features.find(','));
    features.remove_prefix(std::min(features.size(), feature.size() + 1));
    if (feature.starts_with("+"))
      on += (on.empty() ? "" : " ") + std::string(feature.substr(1));
  }
  return on;
}

/// The number of threads, or what keeps it from being one: `doctor` is there to show that.
static std::string threadsFact() {
  try {
    return fmt::format("{}", ThreadPool::threads());
  } catch (const Failure &failure) {
    return failure.message;
  }
}

/// What compiles CUDA C++, or what was tried.
static ListEntry nvrtcFact() {
  std::vector<std::string> tried, archs;
  const Nvrtc *nvrtc = NvrtcLoader::ofProcess().find(tried);
  if (!nvrtc)
    return {"nvrtc", "none", fmt::format("tried: {}", fmt::join(tried, "; ")), ""};
  for (int arch : nvrtc->archs())
    archs.push_back(fmt::format("sm_{}", arch));
  return {"nvrtc", nvrtc->release(), fmt::format("{}, for {}", nvrtc->path(), fmt::join(archs, " ")), ""};
}

/// The driver with its devices, or why there is none.
static ListEntry driverFact() {
  DriverFacts driver = driverFacts();
  std::vector<std::string> words;
  for (const CudaDevice &device : driver.devices)
    words.push_back(fmt::format("{}, sm_{}, {} GiB", device.name, device.arch, device.memory >> 30));
  if (!driver.problem.empty())
    words.push_back(driver.problem);
  return {"driver", driver.version.empty() ? "none" : "CUDA " + driver.version,
          fmt::format("{}", fmt::join(words, "; ")), ""};
}

static std::vector<ListEntry> facts() {
  Target host = hostTarget();
  return {
      {"version", FLEXSN_VERSION, "this library", ""},
      {"build", std::string(buildId()), "what compiled programs are kept under", ""},
      {"llvm", std::string(llvmVersion()), "the code generator inside", ""},
      {"cpu", host.cpu, "this machine, as LLVM calls it", ""},
      {"features", featuresThatAreOn(host.features), "the CPU features that kernels are compiled for", ""},
      {"threads", threadsFact(), "what a large call may use; FLEXSN_NUM_THREADS sets it", ""},
      nvrtcFact(),
      driverFact(),
  };
}

/// The maker of each list, indexed by flexsn_list_kind.
static constexpr std::vector<ListEntry> (*makers[])() = {models, surrogateEntries, functionEntries,
                                                         lints,  stageEntries,     facts};

const std::vector<ListEntry> *listOf(int32_t kind) {
  struct Kept {
    std::once_flag once;
    std::vector<ListEntry> entries;
  };
  static auto *lists = new std::array<Kept, std::size(makers)>; // never destroyed: entries live for ever
  if (kind < 0 || static_cast<size_t>(kind) >= lists->size())
    return nullptr;
  Kept &kept = (*lists)[static_cast<size_t>(kind)];
  std::call_once(kept.once, [&] { kept.entries = makers[kind](); });
  return &kept.entries;
}

} // namespace flexsn
