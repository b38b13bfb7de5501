// flexsnc run: a model on arrays.
#include "tools/flexsnc/File.h"
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
  Range range;                 ///< for values
};

Figures figuresOf(const std::string &model, const std::string &name, const Array &array) {
  Figures figures{{model, name, &array}, PlotKind::Raster, 0, 0, {}};
  figures.kind = plotKind(figures.plot);
  if (figures.kind == PlotKind::Raster) {
    figures.spikes = total(figures.plot);
    figures.rate = array.size() > 0 ? figures.spikes / static_cast<double>(array.size()) : 0;
  } else {
    figures.range = extremes(array);
  }
  return figures;
}

const Array &arrayNamed(const std::vector<std::pair<std::string, Array>> &arrays, const std::string &name) {
  return std::find_if(arrays.begin(), arrays.end(), [&](const auto &entry) { return entry.first == name; })->second;
}

/// Every file is written before the first one gets its name: a failure leaves nothing of this run behind.
void writeResults(const std::string &model, const RunRequest &request, const RunResult &result, Console &console) {
  std::vector<PendingFile> files;
  auto write = [&](const std::string &path, const std::string &bytes) {
    if (path != "-")
      files.emplace_back(path, bytes);
    else
      console.out(bytes);
  };
  for (const Target &save : request.saves)
    write(save.file, npyBytes(arrayNamed(result.outputs, save.name)));
  for (const Target &save : request.finals)
    write(save.file, npyBytes(arrayNamed(result.finals, save.name)));
  for (const Target &plot : request.plots) {
    PlotData data{model, plot.name, &arrayNamed(result.outputs, plot.name)};
    write(plot.file, plot.file == "-" ? terminalPlot(data, console.columns(), console.colorOut()) : svgPlot(data));
  }
  for (PendingFile &file : files)
    file.commit();
}

void printSummary(const std::string &model, const RunData &data, const RunResult &result, Console &console) {
  console.note(fmt::format("{}: {}, neurons {}, {}; compiled in {}, ran in {}", model,
                           counted(static_cast<uint64_t>(data.steps), "step"), shapeText(data.shape),
                           data.element == Element::F64 ? "f64" : "f32", durationText(result.compileSeconds),
                           durationText(result.runSeconds)));
  for (const auto &[name, array] : result.outputs) {
    Figures figures = figuresOf(model, name, array);
    std::string text = figures.kind == PlotKind::Raster
                           ? fmt::format("{}, {:.3g} per neuron and step",
                                         counted(static_cast<uint64_t>(figures.spikes), "spike"), figures.rate)
                           : fmt::format("from {:.6g} to {:.6g}", figures.range.low, figures.range.high);
    console.note(fmt::format("  {} {}: {}", name, shapeText(array.shape), text));
  }
}

Json filesOf(const std::vector<Target> &targets, const std::string &name) {
  Json list = Json::array();
  for (const Target &target : targets)
    if (target.name == name)
      list.push_back(target.file);
  return list;
}

void printJson(const flexsn::Model &model, const RunRequest &request, const RunData &data, const RunResult &result,
               Console &console) {
  Json document = newDocument();
  document["model"] = model.name();
  document["dtype"] = data.element == Element::F64 ? "f64" : "f32";
  document["steps"] = data.steps;
  document["shape"] = data.shape;
  document["outputs"] = Json::array();
  for (const auto &[name, array] : result.outputs) {
    Figures figures = figuresOf(model.name(), name, array);
    Json output = {{"name", name}, {"shape", array.shape}, {"dtype", elementName(array.element)}};
    if (figures.kind == PlotKind::Raster) {
      output["spikes"] = figures.spikes;
      output["rate"] = figures.rate;
    } else {
      output["min"] = numberJson(figures.range.low);
      output["max"] = numberJson(figures.range.high);
    }
    output["files"] = filesOf(request.saves, name);
    output["plots"] = filesOf(request.plots, name);
    document["outputs"].push_back(std::move(output));
  }
  document["final_states"] = Json::array();
  for (const auto &[name, array] : result.finals)
    document["final_states"].push_back({{"name", name},
                                        {"shape", array.shape},
                                        {"dtype", elementName(array.element)},
                                        {"files", filesOf(request.finals, name)}});
  document["seconds"] = {{"compile", result.compileSeconds}, {"run", result.runSeconds}};
  console.out(printed(document));
}

ExitStatus runRun(const Arguments &arguments, Console &console) {
  flexsn::Options options = compileOptions(arguments);
  flexsn::Model model = loadModel(arguments, console);
  RunRequest request = parseRunRequest(arguments, model, console);
  RunData data = loadRunData(request, model, console);
  RunResult result = execute(model, options, request, data, console);
  writeResults(model.name(), request, result, console);
  if (arguments.has("--json"))
    printJson(model, request, data, result, console);
  else
    printSummary(model.name(), data, result, console);
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
          {"--model",      "--const", "--surrogate",   "--dims",       "--detach-reset", "--input",       "--set",
           "--state",      "--T",     "--N",           "--seed",       "--lengths",      "--channel-dim", "--save",
           "--save-final", "--plot",  "--grad-output", "--grad-final", "--save-grad",    "--wrt",         "--json",
           "--dtype",      "--math",  "--device",      "--layout",     "-Wno-",          "-Werror=",      "-Werror"},
          runRun,
          nullptr,
          sourcesHelp};
}

} // namespace flexsn::cli
