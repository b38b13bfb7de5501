// flexsnc explain: what the compiler decided about a model's kernels, and why.
#include "tools/flexsnc/Json.h"
#include "tools/flexsnc/ModelFile.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>

namespace flexsn::cli {

namespace {

using Facts = std::vector<flexsn::Fact>;

/// A list of facts: its name in JSON, its heading, and where it stands in an explanation.
struct Section {
  const char *name;
  Facts flexsn::Explanation::*facts;
};
constexpr Section sections[] = {
    {"operands", &flexsn::Explanation::operands}, {"states", &flexsn::Explanation::states},
    {"schedule", &flexsn::Explanation::schedule}, {"memory", &flexsn::Explanation::memory},
    {"launch", &flexsn::Explanation::launch},     {"neuron", &flexsn::Explanation::neuron},
    {"step", &flexsn::Explanation::step},         {"adjoint", &flexsn::Explanation::adjoint},
    {"remarks", &flexsn::Explanation::remarks},   {"code", &flexsn::Explanation::code}};

const flexsn::Fact &named(const Facts &facts, std::string_view name) {
  return *std::find_if(facts.begin(), facts.end(), [&](const flexsn::Fact &fact) { return fact.name == name; });
}

std::string number(double value) { return grouped(static_cast<uint64_t>(value)); }

/// A row: its name, and text that is wrapped beside it.
std::string row(std::string_view name, std::string_view text) {
  constexpr size_t column = 14;
  std::string begin = fmt::format("  {:<{}}", name, column - 4);
  begin += begin.size() >= column ? "\n" + std::string(column, ' ') : std::string(column - begin.size(), ' ');
  return begin + wrapped(text, column, column) + "\n";
}

std::string operandRows(const flexsn::Explanation &facts) {
  std::string text = "operands\n";
  for (const flexsn::Fact &operand : facts.operands)
    text += row(operand.name, fmt::format("{} {}", operand.category, operand.detail));
  if (!facts.states.empty())
    text += "states\n";
  for (const flexsn::Fact &state : facts.states)
    text += row(state.name, fmt::format("{} [N], starts from {}", state.category, state.detail));
  return text;
}

bool has(const Facts &facts, std::string_view name) {
  return std::any_of(facts.begin(), facts.end(), [&](const flexsn::Fact &fact) { return fact.name == name; });
}

std::string memoryRows(const flexsn::Explanation &facts) {
  const flexsn::Fact &step = named(facts.memory, "step"), &once = named(facts.memory, "once");
  double floor = named(facts.memory, "floor").value;
  std::string against = step.value <= floor
                            ? "the least for these sequences"
                            : fmt::format("{} is the least", counted(static_cast<uint64_t>(floor), "byte"));
  std::string text = "memory, a neuron\n";
  text += row("each step", fmt::format("{}{}{}; {}", counted(static_cast<uint64_t>(step.value), "byte"),
                                       step.detail.empty() ? "" : ": ", step.detail, against));
  if (has(facts.memory, "checkpoint")) {
    const flexsn::Fact &checkpoint = named(facts.memory, "checkpoint");
    text += row("checkpoints",
                fmt::format("{}: {}", counted(static_cast<uint64_t>(checkpoint.value), "byte"), checkpoint.detail));
  }
  if (has(facts.memory, "shared")) {
    const flexsn::Fact &shared = named(facts.memory, "shared");
    text +=
        row("parameters", fmt::format("{}: {}", counted(static_cast<uint64_t>(shared.value), "byte"), shared.detail));
  }
  for (std::string_view other : {"alone", "saved"})
    if (has(facts.memory, other)) {
      const flexsn::Fact &fact = named(facts.memory, other);
      text += row("else", fmt::format("{} a step {}", counted(static_cast<uint64_t>(fact.value), "byte"), fact.detail));
    }
  if (once.value > 0)
    text += row("once", fmt::format("{}: {}; 1/T of that a step", counted(static_cast<uint64_t>(once.value), "byte"),
                                    once.detail));
  else if (!facts.states.empty())
    text +=
        row("once", "nothing; a state given as an array, or asked for at the end, adds its bytes: 1/T of them a step");
  return text;
}

std::string workText(const Facts &items) {
  std::string text;
  for (const flexsn::Fact &item : items)
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", number(item.value), item.name,
                        item.detail.empty() ? "" : fmt::format(" ({})", item.detail));
  return text.empty() ? "nothing" : text;
}

std::string loopRows(const Facts &schedule) {
  const flexsn::Fact &layout = named(schedule, "layout");
  std::string layoutRow = row("layout", fmt::format("{}: {}", layout.category, layout.detail));
  std::string residualRow = has(schedule, "residual") ? row("residual", named(schedule, "residual").detail) : "";
  if (has(schedule, "tile")) { // of a CPU
    const flexsn::Fact &tile = named(schedule, "tile");
    return row("tile", fmt::format("{} neurons walk through time together: {}", number(tile.value), tile.detail)) +
           layoutRow + row("workspace", fmt::format("{} bytes a thread", number(named(schedule, "workspace").value))) +
           residualRow;
  }
  const flexsn::Fact &neurons = named(schedule, "neurons"), &limit = named(schedule, "limit");
  return row("thread",
             fmt::format("{} (V) and {} (C) at a time: {}", counted(static_cast<uint64_t>(neurons.value), "neuron"),
                         counted(static_cast<uint64_t>(named(schedule, "chunk").value), "step"), neurons.detail)) +
         row("block",
             fmt::format("{} threads; {} or more on a multiprocessor", number(named(schedule, "threads").value),
                         counted(static_cast<uint64_t>(named(schedule, "blocks").value), "block"))) +
         layoutRow + residualRow + row("limit", fmt::format("{}: {}", limit.category, limit.detail));
}

/// Registers and spills of each kernel.
std::string codeRows(const Facts &code) {
  std::string text;
  for (const flexsn::Fact &fact : code) {
    if (fact.name == "cubin")
      text += row("cubin", fmt::format("{}, {} {}", fact.category, number(fact.value), fact.detail));
    if (fact.name != "registers")
      continue;
    auto of = [&](std::string_view name) {
      return std::find_if(
                 code.begin(), code.end(),
                 [&](const flexsn::Fact &other) { return other.name == name && other.category == fact.category; })
          ->value;
    };
    text += row(fact.category,
                fmt::format("{} registers a thread, {}, {}", number(fact.value),
                            of("local") == 0 ? "none spilled" : fmt::format("{} bytes spilled", number(of("local"))),
                            of("shared") == 0 ? "no shared memory"
                                              : fmt::format("{} bytes of shared memory", number(of("shared")))));
  }
  return text.empty() ? "" : "code\n" + text;
}

std::string textOf(const std::string &file, const flexsn::Explanation &facts) {
  std::string text = operandRows(facts) + memoryRows(facts);
  text += "loops\n" + loopRows(facts.schedule);
  text += "work\n" + row("each launch", workText(facts.launch)) + row("each neuron", workText(facts.neuron)) +
          row("each step", workText(facts.step)) +
          (facts.adjoint.empty() ? "" : row("way back", workText(facts.adjoint))) + codeRows(facts.code);
  if (!facts.remarks.empty())
    text += "remarks\n";
  for (const flexsn::Fact &remark : facts.remarks) {
    std::string place = remark.line ? fmt::format("{}:{}:{}: ", printable(file), remark.line, remark.column) : "";
    text += "  " + wrapped(place + remark.detail, 2, 4) + "\n";
  }
  return text;
}

Json factsJson(const Facts &facts, bool places) {
  Json list = Json::array();
  for (const flexsn::Fact &fact : facts) {
    Json entry = {{"name", fact.name}};
    if (!fact.category.empty())
      entry["category"] = fact.category;
    entry["detail"] = fact.detail;
    if (!places)
      entry["value"] = static_cast<uint64_t>(fact.value); // bytes and counts
    for (auto [name, place] : {std::pair("line", fact.line), std::pair("column", fact.column),
                               std::pair("end_line", fact.end_line), std::pair("end_column", fact.end_column)})
      if (places)
        entry[name] = place ? Json(place) : Json();
    list.push_back(std::move(entry));
  }
  return list;
}

ExitStatus runExplain(const Arguments &arguments, Console &console) {
  flexsn::Options options = compileOptions(arguments);
  std::vector<flexsn::Kernel> kernels = kernelsOf(arguments);
  flexsn::Emit what;
  what.arch = archOf(arguments);
  if (arguments.get("--access") == "scalar")
    what.access = flexsn::Access::scalar;
  if (arguments.has("--access") && !isGpu(what.arch))
    failUsage("'--access' is for GPUs", "name one by --arch, as in --arch sm_90");
  if (arguments.get("--layout") == "strided")
    what.layout = flexsn::Layout::strided;
  LoadedModel loaded = loadModel(arguments, console);
  setWanted(arguments, kernels, loaded.model, what);
  const std::string file = arguments.positionals[0] == "-" ? "<stdin>" : arguments.positionals[0];
  std::string dtype = arguments.get("--dtype").value_or("f32"), text;
  Json document = newDocument();
  document["model"] = loaded.model.name();
  document["dtype"] = dtype;
  document["kernels"] = Json::array();
  for (flexsn::Kernel kernel : kernels) {
    what.kernel = kernel;
    flexsn::Explanation facts = loaded.model.explain(what, options);
    Json entry = {{"kernel", kernelName(kernel)}};
    for (const Section &section : sections)
      entry[section.name] = factsJson(facts.*section.facts, section.facts == &flexsn::Explanation::remarks);
    document["kernels"].push_back(std::move(entry));
    text += fmt::format("{}{}, {} kernel, {}\n{}", text.empty() ? "" : "\n", loaded.model.name(), kernelName(kernel),
                        dtype, textOf(file, facts));
  }
  document["diagnostics"] = findingsJson(loaded.warnings);
  console.out(arguments.has("--json") ? printed(document) : text);
  return ExitStatus::Done;
}

} // namespace

CommandSpec explainCommand() {
  return {"explain",
          "Say what the compiler decided about a model's kernels, and why.",
          {"[OPTION]... FILE"},
          {"flexsnc explain lif.fsn", "flexsnc explain @LIF --arch sm_90",
           "flexsnc explain @EIF --kernels inference,final_state --json"},
          {"--model", "--const", "--surrogate", "--dims", "--detach-reset", "--kernels", "--wrt", "--json", "--dtype",
           "--out-dtype", "--math", "--device", "--arch", "--layout", "--access", "-Wno-", "-Werror=", "-Werror"},
          runExplain};
}

} // namespace flexsn::cli
