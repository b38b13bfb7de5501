#include "tools/flexsnc/RunRequest.h"

#include "tools/flexsnc/DataType.h"
#include "tools/flexsnc/File.h"
#include "tools/flexsnc/Gradients.h"
#include "tools/flexsnc/ModelFile.h"
#include "tools/flexsnc/Settings.h"
#include "tools/flexsnc/Sources.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace flexsn::cli {

namespace {

class RequestParser {
public:
  RequestParser(const Arguments &arguments, const flexsn::Model &model, const Console &console)
      : arguments(arguments), model(model), console(console) {}

  RunRequest parse() {
    if (std::optional<std::string> steps = arguments.get("--T"))
      request.steps = parseCount("--T", *steps, 1);
    if (std::optional<std::string> neurons = arguments.get("--N"))
      request.neurons = parseCount("--N", *neurons, 0);
    if (std::optional<std::string> dtype = arguments.get("--dtype"))
      request.element = dataTypeNamed(*dtype).element;
    parseInputs();
    checkSizes();
    std::vector<std::string> states = namesOf(model.states());
    parseStates(states);
    request.finals = targetsOf(arguments, "--save-final", model.name(), "state", states);
    request.saves = targetsOf(arguments, "--save", model.name(), "name", model.names(), true);
    parsePlots();
    parseParams();
    request.gradients = parseGradients(arguments, model, request);
    chooseOutputs();
    checkStandardStreams();
    checkResultFiles();
    return std::move(request);
  }

private:
  /// [NAME=]FILE. What stands before the '=' is a name only if it looks like one: `poisson(rate=1)` has none.
  static Target optionalName(const std::string &text) {
    size_t equals = text.find('=');
    std::string_view name = std::string_view(text).substr(0, equals);
    bool named = equals != std::string::npos && looksLikeName(name);
    return named ? Target{std::string(name), text.substr(equals + 1)} : Target{"", text};
  }

  void parseInputs() {
    std::vector<std::string> known = namesOf(model.inputs());
    std::vector<Target> given;
    for (const std::string &text : arguments.all("--input")) {
      Target target = optionalName(text);
      if (target.name.empty() && known.size() != 1)
        failUsage(fmt::format("'--input {}': {} has {}, so a name must stand before the file", printable(text),
                              model.name(), known.empty() ? "no input" : counted(known.size(), "input")),
                  known.empty() ? "" : fmt::format("its inputs are {}", enumerate(known)));
      if (target.name.empty())
        target.name = known[0];
      if (!contains(known, target.name))
        failName("--input", model.name(), "input", target.name, known);
      given.push_back(target);
    }
    for (const std::string &name : known) {
      auto matches = [&](const Target &target) { return target.name == name; };
      auto number = std::count_if(given.begin(), given.end(), matches);
      if (number == 0)
        failUsage(fmt::format("{} needs its input '{}'", model.name(), name),
                  fmt::format("--input {}=FILE.npy, or --input '{}=poisson(rate=0.3, T=100, N=64)'", name, name));
      if (number > 1)
        failUsage(fmt::format("'--input {}' is given twice", name));
      request.inputs.push_back(*std::find_if(given.begin(), given.end(), matches));
    }
  }

  /// --T and --N must have somebody who listens.
  void checkSizes() {
    bool free = request.inputs.empty() || std::any_of(request.inputs.begin(), request.inputs.end(),
                                                      [](const Target &input) { return isSource(input.file); });
    if (!free && (request.steps || request.neurons))
      failUsage(fmt::format("'{}' is for models without inputs and for built-in sources; here the arrays decide",
                            request.steps ? "--T" : "--N"));
    if (request.inputs.empty() && !request.steps)
      failUsage(fmt::format("{} has no inputs: say for how many steps it runs", model.name()),
                "--T STEPS, and --N NEURONS");
  }

  /// A state starts from a number or from an array; a file that is called as a number is ./5 .
  void parseStates(const std::vector<std::string> &known) {
    std::vector<flexsn::Part> states = model.states();
    for (Target &target : targetsOf(arguments, "--state", model.name(), "state", known))
      if (std::optional<double> number = numberFor("--state", target.name, typeOf(states, target.name), target.file))
        request.stateValues.emplace_back(target.name, *number);
      else
        request.states.push_back(std::move(target));
  }

  void parseParams() {
    for (Setting &setting : parseSettings(arguments, model))
      if (setting.number)
        request.params.emplace_back(setting.name, *setting.number);
      else
        request.paramArrays.push_back({setting.name, setting.file});
    if (std::optional<std::string> text = arguments.get("--channel-dim")) {
      std::optional<int64_t> dim = parseInteger(*text);
      if (!dim || *dim == 0 || *dim < -64 || *dim > 64)
        failUsage(fmt::format("'--channel-dim' is a dimension behind time, from 1 on or from -1 down, not '{}'",
                              printable(*text)));
      request.channelDim = static_cast<int32_t>(*dim);
    }
  }

  void parsePlots() {
    std::vector<std::string> outputs = namesOf(model.outputs()), known = model.names();
    for (const std::string &text : arguments.all("--plot")) {
      Target target = optionalName(text);
      if (target.name.empty() && outputs.empty())
        failUsage(fmt::format("{} has no output to draw", model.name()), "name something else: --plot NAME=FILE");
      if (target.name.empty())
        target.name = outputs[0];
      if (!contains(known, target.name))
        failName("--plot", model.name(), "name", target.name, known);
      bool svg = target.file.ends_with(".svg");
      if (!svg && target.file != "-")
        failUsage(fmt::format("'--plot {}': plots are written as .svg, or to the terminal as '-'", printable(text)));
      request.plots.push_back(target);
    }
  }

  void chooseOutputs() {
    bool finalsOnly = request.saves.empty() && request.plots.empty() && !request.finals.empty();
    if (!finalsOnly)
      request.outputs = namesOf(model.outputs());
    for (const std::vector<Target> *list : {&request.saves, &request.plots})
      for (const Target &target : *list)
        if (!contains(request.outputs, target.name))
          request.outputs.push_back(target.name);
    if (request.outputs.empty() && request.finals.empty()) // gradients are results too: what flows back says of which
      for (const Target &target : request.gradients.finals)
        request.outputs.push_back(target.name);
    if (request.outputs.empty() && request.finals.empty())
      failUsage(fmt::format("{} has no outputs: ask for a name or a final state", model.name()),
                "--save NAME=FILE.npy or --save-final STATE=FILE.npy");
  }

  /// Standard input and output have room for one thing each.
  void checkStandardStreams() {
    auto dashes = [](const std::vector<Target> &list) {
      return std::count_if(list.begin(), list.end(), [](const Target &target) { return target.file == "-"; });
    };
    auto readers = dashes(request.inputs) + dashes(request.states) + dashes(request.paramArrays) +
                   dashes(request.gradients.outputs) + dashes(request.gradients.finals) +
                   (arguments.positionals[0] == "-");
    auto binary = dashes(request.saves) + dashes(request.finals) + dashes(request.gradients.saves);
    auto writers = binary + dashes(request.plots) + arguments.has("--json");
    if (readers > 1)
      failUsage("standard input can be read once: '-' is given twice");
    if (writers > 1)
      failUsage("standard output has room for one result: an array, a plot or JSON");
    if (binary > 0 && console.outTerminal())
      failUsage("an array is binary and does not go to a terminal", "write it to a file");
  }

  /// Each result needs a file of its own, and none may replace the model's text. A device takes any number.
  void checkResultFiles() {
    std::vector<std::string> taken;
    for (const std::vector<Target> *list : {&request.saves, &request.finals, &request.plots, &request.gradients.saves})
      for (const Target &target : *list) {
        std::error_code ignored;
        if (target.file == "-" || std::filesystem::is_other(std::filesystem::status(target.file, ignored)))
          continue;
        keepModelText(arguments.positionals, target.file, fmt::format("'{}'", target.name));
        std::string place = destination(target.file);
        if (contains(taken, place))
          failUsage(fmt::format("two results would be written to '{}'", printable(target.file)),
                    "give each a file of its own");
        taken.push_back(std::move(place));
      }
  }

  const Arguments &arguments;
  const flexsn::Model &model;
  const Console &console;
  RunRequest request;
};

} // namespace

std::vector<Target> targetsOf(const Arguments &arguments, const char *option, const std::string &model,
                              const char *kind, const std::vector<std::string> &known, bool several) {
  std::vector<Target> list;
  for (const std::string &text : arguments.all(option)) {
    auto [name, file] = splitAssignment(option, text);
    if (!contains(known, name))
      failName(option, model, kind, name, known);
    for (const Target &other : list)
      if (!several && other.name == name)
        failUsage(fmt::format("'{} {}' is given twice", option, name));
    list.push_back({name, file});
  }
  return list;
}

RunRequest parseRunRequest(const Arguments &arguments, const flexsn::Model &model, const Console &console) {
  return RequestParser(arguments, model, console).parse();
}

} // namespace flexsn::cli
