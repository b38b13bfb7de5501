#include "tests/nvrtc/Matrix.h"

#include "runtime/Cubin.h"
#include "runtime/SideBySide.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace flexsn::test {

namespace {

/// One program, for some architectures.
struct Item {
  Both both;
  std::vector<int> archs;
  size_t cubins = 0;
  bool refused = false;  ///< of a construct that the emitter does not have yet
  bool repeated = false; ///< its code is that of an item before
  std::vector<std::string> failures = {};
};

void fail(Item &item, int arch, std::string_view words) {
  item.failures.push_back(fmt::format("{} for sm_{}: {}", item.both.label, arch, words));
}

std::string emit(Both &both) {
  Diagnostics diagnostics(*both.model->source);
  if (emitCuda(*both.model, both.request, both.access, diagnostics, both.cuda))
    return {};
  std::vector<Diagnostic> found = diagnostics.sorted();
  return found.empty() ? "no words" : found.front().message;
}

/// The log without what NVRTC 12.9 says of every program for an old GPU.
std::string withoutAge(std::string log) {
  constexpr std::string_view age = "nvrtc: warning: Architectures prior to '<compute/sm>_75' are deprecated and may be "
                                   "removed in a future release\n";
  if (size_t at = log.find(age); at != std::string::npos)
    log.erase(at, age.size());
  return log;
}

void compileCubin(Item &item, const Nvrtc &nvrtc, int arch) {
  NvrtcResult result = nvrtc.compile(item.both.cuda.text, "program.cu", arch, CudaForm::Cubin);
  if (std::string log = withoutAge(result.log); !result.call.empty() || !log.empty())
    return fail(item, arch, result.call + "\n" + log);
  ++item.cubins;
  std::optional<std::vector<CubinKernel>> kernels = readCubinOf(result.code, item.both.cuda.kernelSymbol);
  if (!kernels)
    return fail(item, arch, "the cubin has no such kernel");
  for (const CubinKernel &kernel : *kernels)
    if (kernel.spilledBytes() != 0)
      fail(item, arch, fmt::format("{} spills {} bytes", kernel.symbol, kernel.spilledBytes()));
}

/// Kernels have no variables in the GPU's memory; CUDA's own float64 functions have tables there.
void searchVariables(Item &item, int arch, std::string_view ptx) {
  for (size_t at = ptx.find(".global ."); at != std::string_view::npos; at = ptx.find(".global .", at + 1)) {
    std::string_view declaration = ptx.substr(at, ptx.find('\n', at) - at);
    if (declaration.find("__cudart_") == std::string_view::npos)
      fail(item, arch, fmt::format("a variable of the GPU's: {}", declaration));
  }
}

/// Only the prologue, which runs once a launch, may know float64.
void searchPtx(Item &item, const Nvrtc &nvrtc) {
  int arch = item.archs.front();
  NvrtcResult result = nvrtc.compile(item.both.cuda.text, "program.cu", arch, CudaForm::Ptx);
  searchVariables(item, arch, result.code);
  if (item.both.request.data == Storage::F64)
    return;
  std::string_view kernel = entryOf(result.code, item.both.cuda.kernelSymbol);
  if (kernel.empty())
    fail(item, arch, result.call.empty() ? "the PTX has no such kernel" : result.call);
  else if (size_t at = kernel.find(".f64"); at != std::string_view::npos)
    fail(item, arch, fmt::format("float64 in the kernel's PTX: {}", kernel.substr(at > 40 ? at - 40 : 0, 80)));
}

void emit(Item &item) {
  std::string words = emit(item.both);
  item.refused = words.find("not compiled yet") != std::string::npos;
  if (!item.refused && !words.empty())
    fail(item, item.archs.front(), words);
}

/// Of models that differ in what steers gradients alone, the first one is compiled.
void findRepeated(std::vector<Item> &items) {
  std::set<std::pair<std::vector<int>, std::string>> codes;
  for (Item &item : items)
    if (!item.refused && item.failures.empty())
      item.repeated = !codes.emplace(item.archs, codeOf(item.both.cuda.text)).second;
}

void compile(Item &item, const Nvrtc &nvrtc) {
  if (item.refused || item.repeated || !item.failures.empty())
    return;
  for (int arch : item.archs)
    compileCubin(item, nvrtc, arch);
  searchPtx(item, nvrtc);
}

} // namespace

std::string_view entryOf(std::string_view ptx, std::string_view symbol) {
  size_t begin = ptx.find(fmt::format(".entry {}(", symbol));
  if (begin == std::string_view::npos)
    return {};
  size_t end = ptx.find(".entry ", begin + 1);
  return ptx.substr(begin, end == std::string_view::npos ? end : end - begin);
}

/// Every program of a model: of each variant, and of each of a training step the two.
static std::vector<Both> programsOf(const std::shared_ptr<const Model> &model) {
  std::vector<Both> programs;
  for (const Variant &variant : allVariants())
    if (Both both = bothOf(model, variant); !both.request.outputs.empty() || !both.request.finalStates.empty())
      programs.push_back(std::move(both));
  for (const TrainingVariant &variant : trainingVariants()) {
    Training training = trainingOf(model, variant);
    if (!training.wantsGradients())
      continue;
    programs.push_back(std::move(training.forward));
    programs.push_back(std::move(training.backward));
  }
  return programs;
}

MatrixReport compileMatrix(const std::vector<std::shared_ptr<const Model>> &models, const Nvrtc &nvrtc,
                           const MatrixOptions &options) {
  std::vector<Item> items;
  size_t number = 0;
  for (const auto &model : models)
    for (Both &both : programsOf(model)) {
      if (number++ % options.every != options.first)
        continue;
      size_t place = items.size() % options.archs.size();
      items.push_back({std::move(both), options.allArchs ? options.archs : std::vector<int>{options.archs[place]}});
    }
  sideBySide(items.size(), [&](size_t i) { emit(items[i]); });
  findRepeated(items);
  sideBySide(items.size(), [&](size_t i) { compile(items[i], nvrtc); });
  MatrixReport report;
  for (const Item &item : items) {
    ++(item.refused ? report.refused : item.repeated ? report.repeated : report.programs);
    report.cubins += item.cubins;
    report.failures.insert(report.failures.end(), item.failures.begin(), item.failures.end());
  }
  return report;
}

} // namespace flexsn::test
