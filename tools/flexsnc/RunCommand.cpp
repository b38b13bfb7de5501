// flexsnc run: a model on arrays.
#include "tools/flexsnc/DataType.h"
#include "tools/flexsnc/File.h"
#include "tools/flexsnc/Gradients.h"
#include "tools/flexsnc/Json.h"
#include "tools/flexsnc/ModelFile.h"
#include "tools/flexsnc/Npy.h"
#include "tools/flexsnc/Plot.h"
#include "tools/flexsnc/RunExecute.h"
#include "tools/flexsnc/Sources.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>

namespace flexsn::cli {

namespace {

/// One result in figures: spikes are counted, other values have a range.
struct Figures {
  PlotData plot;
  PlotKind kind;
  double spikes = 0, rate = 0; ///< for spikes; the rate is per neuron and step
  Census values;               ///< for values
};

Figures figuresOf(const std::string &model, const Sequence &output) {
  const Array &array = output.array;
  Figures figures{{model, output.name, &array, output.counts}, PlotKind::Raster, 0, 0, {}};
  figures.kind = plotKind(figures.plot);
  if (figures.kind == PlotKind::Raster) {
    figures.spikes = total(figures.plot);
    figures.rate = array.size() > 0 ? figures.spikes / static_cast<double>(array.size()) : 0;
  } else {
    figures.values = census(array);
  }
  return figures;
}

const Sequence &outputNamed(const RunResult &result, const std::string &name) {
  return *std::find_if(result.outputs.begin(), result.outputs.end(),
                       [&](const Sequence &output) { return output.name == name; });
}

const Array &arrayNamed(const NamedArrays &arrays, const std::string &name) {
  return std::find_if(arrays.begin(), arrays.end(), [&](const auto &entry) { return entry.first == name; })->second;
}

/// "64 neurons", "8 x 64 neurons"
std::string neuronsText(const std::vector<int64_t> &shape) {
  if (shape.empty() || (shape.size() == 1 && shape[0] == 1))
    return "1 neuron";
  return fmt::format("{} neurons", fmt::join(shape, " x "));
}

/// `document` is the JSON for standard output; there may be an array or a plot in its place.
void writeResults(const std::string &model, const RunRequest &request, const RunResult &result, std::string document,
                  Console &console) {
  std::vector<PendingFile> files;
  auto write = [&](const std::string &path, std::string bytes) {
    if (path != "-")
      files.emplace_back(path, bytes);
    else
      document = std::move(bytes);
  };
  for (const Target &save : request.saves)
    write(save.file, npyBytes(outputNamed(result, save.name).array));
  for (const Target &save : request.finals)
    write(save.file, npyBytes(arrayNamed(result.finals, save.name)));
  for (const Target &save : request.gradients.saves)
    write(save.file, npyBytes(arrayNamed(result.gradients, save.name)));
  for (const Target &plot : request.plots) {
    const Sequence &output = outputNamed(result, plot.name);
    PlotData data{model, plot.name, &output.array, output.counts};
    write(plot.file, plot.file == "-" ? terminalPlot(data, console.columns(), console.colorOut()) : svgPlot(data));
  }
  publish(std::move(files), [&] { console.out(document); });
}

/// "from 0 to 2.75, 3 NaN"
std::string valuesText(const Census &values) {
  bool any = values.range.low <= values.range.high; // NaN if nothing is finite
  return withOddValues(any ? fmt::format("from {:.6g} to {:.6g}", values.range.low, values.range.high) : "", values);
}

/// A spike of NaN is 0, so that what is no number would show nowhere.
void printOddInputs(const RunRequest &request, const RunData &data, Console &console) {
  for (size_t i = 0; i < data.inputs.size(); ++i)
    if (std::string odd = withOddValues("", census(data.inputs[i])); !odd.empty())
      console.note(fmt::format("  input {} {}: {}", request.inputs[i].name, shapeText(data.inputs[i].shape), odd));
}

/// `kind` stands before each name: "final", "gradient of".
void printArrays(std::string_view kind, const NamedArrays &arrays, Console &console) {
  for (const auto &[name, array] : arrays)
    if (array.size() > 0)
      console.note(fmt::format("  {} {} {}: {}", kind, name, shapeText(array.shape), valuesText(census(array))));
}

void printSummary(const std::string &model, const RunData &data, const RunResult &result, Console &console) {
  console.note(fmt::format("{}: {}, {}, {}; {} in {}, ran in {}", model,
                           counted(static_cast<uint64_t>(data.steps), "step"), neuronsText(data.shape),
                           dataTypeOf(data.element).name, result.loaded ? "loaded" : "compiled",
                           durationText(result.compileSeconds), durationText(result.runSeconds)));
  for (const Sequence &output : result.outputs) {
    Figures figures = figuresOf(model, output);
    std::string text = figures.kind == PlotKind::Raster
                           ? fmt::format("{}, {:.3g} per neuron and step",
                                         counted(static_cast<uint64_t>(figures.spikes), "spike"), figures.rate)
                           : valuesText(figures.values);
    console.note(fmt::format("  {} {}: {}", output.name, shapeText(output.array.shape), text));
  }
  printArrays("final", result.finals, console);
  printArrays("gradient of", result.gradients, console);
}

Json filesOf(const std::vector<Target> &targets, const std::string &name) {
  Json list = Json::array();
  for (const Target &target : targets)
    if (target.name == name)
      list.push_back(target.file);
  return list;
}

void addValues(Json &entry, const Census &values) {
  entry["min"] = numberJson(values.range.low);
  entry["max"] = numberJson(values.range.high);
  entry["nan"] = values.nans;
  entry["infinite"] = values.infinite;
}

Json arraysJson(const NamedArrays &arrays, const std::vector<Target> &saves) {
  Json list = Json::array();
  for (const auto &[name, array] : arrays) {
    Json entry = {{"name", name}, {"shape", array.shape}, {"dtype", elementName(array.element)}};
    addValues(entry, census(array));
    entry["files"] = filesOf(saves, name);
    list.push_back(std::move(entry));
  }
  return list;
}

std::string jsonText(const LoadedModel &loaded, const RunRequest &request, const RunData &data,
                     const RunResult &result) {
  const flexsn::Model &model = loaded.model;
  Json document = newDocument();
  document["model"] = model.name();
  document["dtype"] = dataTypeOf(data.element).name;
  document["steps"] = data.steps;
  document["shape"] = data.shape;
  document["outputs"] = Json::array();
  for (const Sequence &output : result.outputs) {
    Figures figures = figuresOf(model.name(), output);
    Json entry = {{"name", output.name}, {"shape", output.array.shape}, {"dtype", elementName(output.array.element)}};
    if (figures.kind == PlotKind::Raster) {
      entry["spikes"] = static_cast<uint64_t>(figures.spikes);
      entry["rate"] = figures.rate;
    } else {
      addValues(entry, figures.values);
    }
    entry["files"] = filesOf(request.saves, output.name);
    entry["plots"] = filesOf(request.plots, output.name);
    document["outputs"].push_back(std::move(entry));
  }
  document["final_states"] = arraysJson(result.finals, request.finals);
  document["gradients"] = arraysJson(result.gradients, request.gradients.saves);
  document["seconds"] = {{"compile", result.compileSeconds}, {"run", result.runSeconds}};
  document["from_cache"] = result.loaded;
  document["diagnostics"] = findingsJson(loaded.warnings);
  return printed(document);
}

ExitStatus runRun(const Arguments &arguments, Console &console) {
  flexsn::Options options = compileOptions(arguments);
  LoadedModel loaded = loadModel(arguments, console);
  const flexsn::Model &model = loaded.model;
  RunRequest request = parseRunRequest(arguments, model, console);
  RunData data = loadRunData(request, model, console);
  RunResult result = execute(model, options, request, data, console);
  if (!request.gradients.wanted.empty())
    result.gradients = runGradients(model, options, request, data);
  bool json = arguments.has("--json");
  writeResults(model.name(), request, result, json ? jsonText(loaded, request, data, result) : "", console);
  if (!json) {
    printSummary(model.name(), data, result, console);
    printOddInputs(request, data, console);
  }
  return ExitStatus::Done;
}

std::string sourcesHelp() {
  std::string text = "Built-in sources, in place of a FILE for --input:\n";
  for (const SourceHelp &source : sourceHelp())
    text += fmt::format("  {}\n{:28}{}\n", source.usage, "", wrapped(source.meaning, 28, 28));
  return text;
}

} // namespace

CommandSpec runCommand() {
  return {"run",
          "Run a model on arrays.",
          {"[OPTION]... FILE"},
          {"flexsnc run lif.fsn --input x=current.npy --set tau=3 --save s=spikes.npy",
           "flexsnc run lif.fsn --input current.npy --save-final v=v.npy --plot raster.svg",
           "flexsnc run @LIF --input 'x=poisson(rate=0.3, T=100, N=64)' --plot -"},
          {"--model",       "--const", "--surrogate",  "--dims",  "--detach-reset", "--input",
           "--set",         "--state", "--T",          "--N",     "--seed",         "--lengths",
           "--channel-dim", "--save",  "--save-final", "--plot",  "--grad-output",  "--grad-final",
           "--save-grad",   "--wrt",   "--json",       "--dtype", "--out-dtype",    "--math",
           "--device",      "-Wno-",   "-Werror=",     "-Werror"},
          runRun,
          nullptr,
          sourcesHelp};
}

} // namespace flexsn::cli
