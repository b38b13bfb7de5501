#include "tools/flexsnc/ModelFile.h"

#include "tools/flexsnc/DataType.h"
#include "tools/flexsnc/File.h"
#include "tools/flexsnc/Settings.h"
#include "tools/flexsnc/Text.h"
#include "tools/flexsnc/Value.h"

#include <fmt/format.h>

#include <algorithm>

namespace flexsn::cli {

static constexpr size_t textLimit = size_t(64) << 20;

static std::vector<std::string> namesOf(flexsn::List list) {
  std::vector<std::string> names;
  for (const flexsn::Entry &entry : flexsn::list(list))
    names.push_back(entry.name);
  return names;
}

flexsn::Lints lintsOf(const Arguments &arguments) {
  std::vector<std::string> known = namesOf(flexsn::List::lints);
  for (const char *option : {"-Wno-", "-Werror="})
    for (const std::string &name : arguments.all(option))
      if (std::find(known.begin(), known.end(), name) == known.end())
        failUsage(fmt::format("'{}{}': no warning has that name{}", option, printable(name), didYouMean(name, known)),
                  "'flexsnc list lints' shows them all");
  return {arguments.all("-Wno-"), arguments.all("-Werror="), arguments.has("-Werror")};
}

/// The text of a file. Who forgot the @ of a shipped model is told.
static std::string readModelText(const std::string &path) {
  try {
    return readTextFile(path, textLimit);
  } catch (Failure &failure) {
    std::vector<std::string> shipped = namesOf(flexsn::List::models);
    if (std::find(shipped.begin(), shipped.end(), path) != shipped.end())
      failure.hint = fmt::format("the shipped model is called @{}", path);
    throw;
  }
}

flexsn::File parseFile(const std::string &path, const flexsn::Lints &lints) {
  if (path.starts_with('@')) {
    std::vector<std::string> known;
    for (const flexsn::Entry &entry : flexsn::list(flexsn::List::models)) {
      known.push_back("@" + entry.name);
      if (known.back() == path)
        return flexsn::File::parse(entry.detail, path, lints);
    }
    failWrong(fmt::format("no model '{}' is shipped{}", printable(path), didYouMean(path, known)),
              "'flexsnc list models' shows them all");
  }
  std::string text = readModelText(path);
  if (text.starts_with("\x93NUMPY"))
    failWrong(fmt::format("'{}' is an array (.npy), not a model", printable(path)),
              "'flexsnc run MODEL --input [NAME=]FILE.npy' feeds it to a model");
  if (text.starts_with("PK\3\4"))
    failWrong(fmt::format("'{}' is a saved model (.npz); this version reads model texts (.fsn)", printable(path)));
  return flexsn::File::parse(text, path == "-" ? "<stdin>" : path, lints);
}

/// An array among the models is an input whose option was forgotten.
[[noreturn]] static void failTwoFiles(const std::vector<std::string> &files) {
  auto array = std::find_if(files.begin(), files.end(), [](const std::string &file) { return file.ends_with(".npy"); });
  failUsage(
      fmt::format("one FILE at a time; '{}' is one too many", printable(array == files.end() ? files[1] : *array)),
      array == files.end() ? "" : fmt::format("an array is given to run by --input {}", printable(*array)));
}

LoadedModel loadModel(const Arguments &arguments, Console &console) {
  if (arguments.positionals.empty())
    failUsage("no model is given", "name a FILE, or a shipped model such as @LIF");
  if (arguments.positionals.size() > 1)
    failTwoFiles(arguments.positionals);
  const std::string &path = arguments.positionals[0];
  flexsn::File file = parseFile(path, lintsOf(arguments));
  if (!arguments.has("--json"))
    printFindings(file.diagnostics(), console);
  std::vector<std::string> names = file.names();
  std::optional<std::string> wanted = arguments.get("--model");
  if (names.empty())
    failWrong(fmt::format("'{}' has no model", printable(path)));
  if (!wanted && names.size() > 1)
    failUsage(fmt::format("'{}' has {}: {}", printable(path), counted(names.size(), "model"), enumerate(names)),
              "choose one with --model NAME");
  if (!wanted)
    return {file.model(size_t(0)), file.diagnostics()};
  auto found = std::find(names.begin(), names.end(), *wanted);
  if (found == names.end())
    failUsage(fmt::format("'{}' has no model '{}'{}", printable(path), printable(*wanted), didYouMean(*wanted, names)),
              fmt::format("its models are {}", enumerate(names)));
  return {file.model(static_cast<size_t>(found - names.begin())), file.diagnostics()};
}

/// The name and default surrogate of `call` are the library's to judge; a misspelt name gets its nearest one here.
static std::string surrogateOf(const std::string &call) {
  std::string name(trimmed(std::string_view(call).substr(0, call.find('('))));
  std::vector<std::string> known = namesOf(flexsn::List::surrogates);
  std::optional<std::string> near = nearestName(name, known);
  if (near && *near != name && std::find(known.begin(), known.end(), name) == known.end())
    failUsage(fmt::format("no surrogate is called '{}'{}", printable(name), didYouMean(name, known)),
              "'flexsnc list surrogates' shows them all");
  return call;
}

/// The dims of NAME=DIMS: `step, channel` are two.
static flexsn::Dim dimsOf(const std::string &name, const std::string &text) {
  static const std::vector<std::pair<std::string, flexsn::Dim>> known = {
      {"step", flexsn::Dim::step}, {"channel", flexsn::Dim::channel}, {"neuron", flexsn::Dim::neuron}};
  auto dims = static_cast<flexsn::Dim>(0);
  for (const std::string &word : splitList(text)) {
    auto dim = std::find_if(known.begin(), known.end(), [&](const auto &entry) { return entry.first == word; });
    if (dim == known.end())
      failUsage(fmt::format("'--dims {}': no dim is called '{}'{}", printable(name), printable(word),
                            didYouMean(word, {"step", "channel", "neuron"})),
                "the dims are step, channel and neuron");
    dims = dims | dim->second;
  }
  return dims;
}

flexsn::Options compileOptions(const Arguments &arguments) {
  flexsn::Options options;
  std::string device = arguments.get("--device").value_or("cpu");
  if (device == "cuda" || device.starts_with("cuda:"))
    failUsage(fmt::format("'--device {}' is not in this version: it comes with the CUDA backend", printable(device)));
  if (device.starts_with("cpu:") && device != "cpu:0" && parseInteger(device.substr(4)))
    failUsage(fmt::format("'--device {}': there is one CPU, which is cpu or cpu:0", printable(device)));
  if (device != "cpu" && device != "cpu:0" && device != "auto")
    failUsage(fmt::format("'--device' is cpu or auto, not '{}'", printable(device)));
  options.dtype = dataTypeNamed(arguments.get("--dtype").value_or("f32")).dtype;
  if (arguments.get("--out-dtype") == "int8")
    options.out_dtype = flexsn::OutDType::int8;
  std::string math = arguments.get("--math").value_or("standard");
  options.math = math == "fast" ? flexsn::Math::fast : math == "strict" ? flexsn::Math::strict : flexsn::Math::standard;
  options.detach_reset = arguments.has("--detach-reset");
  if (std::optional<std::string> call = arguments.get("--surrogate"))
    options.surrogate = surrogateOf(*call);
  for (const std::string &text : arguments.all("--const")) {
    auto [name, value] = splitAssignment("--const", text);
    std::optional<Value> number = parseValue(value, fmt::format("--const {}", printable(name)));
    if (!number || number->truth)
      failUsage(fmt::format("'--const {}': '{}' is no number", printable(name), printable(value)),
                number ? "for a bool write 1 or 0" : "");
    if (!options.constants.emplace(name, number->number).second)
      failUsage(fmt::format("'--const {}' is given twice", printable(name)));
  }
  for (const std::string &text : arguments.all("--dims")) {
    auto [name, dims] = splitAssignment("--dims", text);
    if (!options.dims.emplace(name, dimsOf(name, dims)).second)
      failUsage(fmt::format("'--dims {}' is given twice", printable(name)));
  }
  return options;
}

bool isGpu(const std::string &arch) { return arch.starts_with("sm_"); }

std::vector<std::string> archList(const Arguments &arguments) {
  std::vector<std::string> archs;
  for (const std::string &name : splitList(arguments.get("--arch").value_or("native"))) {
    std::string arch = name == "native" ? "" : name;
    if (name.empty())
      failUsage("'--arch': a name is missing beside a comma");
    if (std::find(archs.begin(), archs.end(), arch) != archs.end())
      failUsage(fmt::format("'--arch': '{}' is given twice", printable(name)));
    archs.push_back(std::move(arch));
  }
  if (archs.empty())
    failUsage("'--arch' names no architecture");
  return archs;
}

std::string archOf(const Arguments &arguments) {
  std::vector<std::string> archs = archList(arguments);
  if (archs.size() > 1)
    failUsage("'--arch' takes one architecture here");
  return archs.front();
}

std::string kernelName(flexsn::Kernel kernel) {
  static constexpr const char *names[] = {"inference", "final_state", "forward",
                                          "backward"}; // as flexsn_kernel has them
  return names[static_cast<size_t>(kernel)];
}

bool isTraining(flexsn::Kernel kernel) {
  return kernel == flexsn::Kernel::forward || kernel == flexsn::Kernel::backward;
}

std::vector<flexsn::Kernel> kernelsOf(const Arguments &arguments) {
  std::vector<std::string> known;
  for (flexsn::Kernel kernel :
       {flexsn::Kernel::inference, flexsn::Kernel::final_state, flexsn::Kernel::forward, flexsn::Kernel::backward})
    known.push_back(kernelName(kernel));
  std::vector<flexsn::Kernel> kernels;
  for (const std::string &name : splitList(arguments.get("--kernels").value_or("inference"))) {
    auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end())
      failUsage(fmt::format("'--kernels': no kernel is called '{}'{}", printable(name), didYouMean(name, known)),
                fmt::format("{} are there", enumerate(known)));
    auto kernel = static_cast<flexsn::Kernel>(at - known.begin());
    if (std::find(kernels.begin(), kernels.end(), kernel) != kernels.end())
      failUsage(fmt::format("'--kernels': '{}' is given twice", name));
    kernels.push_back(kernel);
  }
  if (kernels.empty())
    failUsage("'--kernels' names no kernel");
  return kernels;
}

void setWanted(const Arguments &arguments, const std::vector<flexsn::Kernel> &kernels, const flexsn::Model &model,
               flexsn::Emit &what) {
  std::optional<std::string> wrt = arguments.get("--wrt");
  if (!wrt)
    return;
  if (!std::all_of(kernels.begin(), kernels.end(), isTraining))
    failUsage("'--wrt' is for training kernels", "--kernels forward,backward");
  what.wanted = splitList(*wrt);
  if (what.wanted.empty())
    failUsage("'--wrt' names nothing");
  std::vector<std::string> states = namesOf(model.states());
  for (const std::string &name : what.wanted)
    if (contains(states, name)) // its gradient is of the array that gives it
      what.initial_states.push_back(name);
}

void keepModelText(const std::vector<std::string> &files, const std::string &path, const std::string &what) {
  for (const std::string &file : files)
    if (file != "-" && !file.starts_with('@') && destination(file) == destination(path))
      failUsage(fmt::format("'{}' is the model's text; {} would replace it", printable(file), what));
}

std::pair<std::string, std::string> splitAssignment(const std::string &option, const std::string &text) {
  size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    failUsage(fmt::format("'{} {}': {} expected", option, printable(text), findOption(option).argument));
  return {std::string(trimmed(std::string_view(text).substr(0, equals))), text.substr(equals + 1)};
}

void printFindings(const std::vector<flexsn::Diagnostic> &findings, Console &console) {
  for (const flexsn::Diagnostic &finding : findings)
    if (finding.severity == flexsn::Severity::error || !console.isQuiet())
      console.finding(console.colorErr() ? finding.colored : finding.rendered);
}

std::string findingCount(size_t errors, size_t warnings) {
  std::string text = errors == 0 ? "no errors" : counted(errors, "error");
  return warnings == 0 ? text : fmt::format("{}, {}", text, counted(warnings, "warning"));
}

} // namespace flexsn::cli
