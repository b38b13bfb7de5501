// flexsnc bench: kernels against copies of the same bytes.
#include "tools/flexsnc/Bench.h"
#include "tools/flexsnc/DataType.h"
#include "tools/flexsnc/File.h"
#include "tools/flexsnc/Json.h"
#include "tools/flexsnc/ModelFile.h"
#include "tools/flexsnc/RunData.h"
#include "tools/flexsnc/Settings.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace flexsn::cli {

namespace {

/// What is measured, but for the model.
struct BenchRequest {
  std::vector<flexsn::Kernel> kernels;
  std::vector<int64_t> steps, neurons;
  std::vector<std::pair<std::string, double>> params;
  std::string plot; ///< an .svg file, or empty
};

std::vector<int64_t> countsOf(const Arguments &arguments, const char *option, int64_t standard) {
  std::vector<int64_t> counts;
  for (const std::string &text : splitList(arguments.get(option).value_or(std::to_string(standard))))
    counts.push_back(parseCount(option, text, 1));
  if (counts.empty())
    failUsage(fmt::format("'{}' is a whole number from 1, or several with commas", option));
  return counts;
}

BenchRequest parseRequest(const Arguments &arguments, const flexsn::Model &model) {
  BenchRequest request{kernelsOf(arguments), countsOf(arguments, "--T", 16), countsOf(arguments, "--N", 1 << 21),
                       parseNumbers(arguments, model), ""};
  for (const std::string &plot : arguments.all("--plot")) {
    std::string_view name = std::string_view(plot).substr(0, plot.find('='));
    if (name.size() < plot.size() && looksLikeName(name))
      failUsage(fmt::format("'--plot {}': bench draws its bars, so no name stands before the file", printable(plot)),
                fmt::format("for a file of that name write ./{}", printable(plot)));
    if (!request.plot.empty())
      failUsage("'--plot' is given twice");
    if (!plot.ends_with(".svg"))
      failUsage(fmt::format("'--plot {}': the bars are written as .svg", printable(plot)));
    keepModelText(arguments.positionals, plot, "the picture");
    (void)PendingFile(plot, ""); // a place that cannot be written to is told before anything is measured
    request.plot = plot;
  }
  return request;
}

/// Operands side by side in one piece of memory, each at a multiple of 64 bytes.
class Arena {
public:
  /// Takes room for an operand and says where it begins.
  size_t place(Element element, const std::vector<int64_t> &shape) {
    uint64_t bytes = makeSize(element, shape);
    size_t begin = size;
    size += (bytes + 63) / 64 * 64;
    used += bytes;
    return begin;
  }

  void allocate(size_t least) {
    array = makeArray(Element::U8, {static_cast<int64_t>(std::max(size, least) + 64)});
    base = array.bytes.data() + (-reinterpret_cast<uintptr_t>(array.bytes.data()) % 64);
  }

  char *at(size_t begin) { return base + begin; }
  uint64_t bytes() const { return used; }

private:
  static uint64_t makeSize(Element element, const std::vector<int64_t> &shape) {
    uint64_t bytes = 0;
    if (!arrayBytes(element, shape, bytes) || bytes > physicalMemory())
      failWrong(fmt::format("an array of shape {} is larger than this machine's memory", shapeText(shape)));
    return bytes;
  }

  Array array;
  char *base = nullptr;
  size_t size = 0;
  uint64_t used = 0;
};

/// Numbers that let neurons fire now and then: floats from 0 to 2, small counts, zeros and ones.
void fill(char *to, Element element, int64_t count) {
  uint64_t bits = 0x9e3779b97f4a7c15;
  for (int64_t i = 0; i < count; ++i) {
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17; // xorshift
    double uniform = static_cast<double>(bits >> 11) * 0x1p-53;
    auto put = [&](auto value) { std::memcpy(to + static_cast<size_t>(i) * sizeof value, &value, sizeof value); };
    switch (element) {
    case Element::F32: put(static_cast<float>(2 * uniform)); break;
    case Element::F64: put(2 * uniform); break;
    case Element::F16: put(static_cast<uint16_t>(0x3800 + 0x800 * uniform)); break; // the halves from 0.5 to 2
    case Element::BF16:
      put(static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(2 * uniform)) >> 16));
      break;
    case Element::I32: put(static_cast<int32_t>(4 * uniform)); break;
    default: put(static_cast<uint8_t>(uniform < 0.5)); break;
    }
  }
}

/// A kernel at one size, with its operands. Made, it says whether they fit the machine; they take memory when it runs.
class Bench {
public:
  Bench(const flexsn::Model &model, Element element, flexsn::Kernel kernel, int64_t steps, int64_t neurons)
      : kernel(kernel), steps(steps), neurons(neurons) {
    Element stateElement = computedAs(element);
    for (const flexsn::Part &input : model.inputs())
      inputs.push_back(place(from, elementOf(input.type, element), {steps, neurons}, input.name));
    if (kernel == flexsn::Kernel::final_state)
      for (const flexsn::Part &state : model.states())
        finals.push_back(place(to, elementOf(state.type, stateElement), {neurons}, state.name));
    else if (kernel == flexsn::Kernel::backward)
      placeGradients(model, element);
    else
      for (const flexsn::Part &output : model.outputs()) // an int is delivered as a float
        outputs.push_back(
            place(to, output.type == flexsn::Type::boolean ? Element::Bool : element, {steps, neurons}, output.name));
    if (isTraining(kernel))
      nameWanted(model, stateElement);
    copied = (from.bytes() + to.bytes()) / 2;
    if (2 * std::max(from.bytes(), to.bytes()) > physicalMemory())
      failWrong(fmt::format("the operands of T = {}, N = {} are larger than this machine's memory", steps, neurons));
  }

  std::string label() const { return fmt::format("{}, T = {}, N = {}", kernelName(kernel), steps, neurons); }

  /// Makes the operands and measures.
  BenchCase run(const flexsn::Neuron &neuron, const BenchRequest &request, Copier &copier) {
    constexpr double seconds = 0.3; // for each
    from.allocate(copied);
    to.allocate(copied);
    flexsn::Call call = makeCall(request);
    std::vector<std::byte> residual;
    if (isTraining(kernel)) {
      residual.resize(neuron.residual_bytes(call));
      call.residual = residual.data();
      call.residual_bytes = residual.size();
    }
    flexsn::Bound bound = neuron.bind(kernel, call);
    std::vector<std::function<void()>> subjects = {[&] { bound.run(); },
                                                   [&] { copier.run(plainCopy, to.at(0), from.at(0), copied); }};
    std::vector<Copier::Copy *> streaming = streamingCopies();
    if (!streaming.empty())
      subjects.emplace_back([&] { copier.run(streaming.back(), to.at(0), from.at(0), copied); });
    std::vector<Timing> timings = measure(subjects, seconds);
    return {kernelName(kernel),
            steps,
            neurons,
            from.bytes() + to.bytes() + residual.size(),
            timings[0],
            timings[1],
            timings.size() > 2 ? std::optional(timings[2]) : std::nullopt};
  }

private:
  struct Operand {
    std::string name;
    Element element;
    std::vector<int64_t> shape;
    size_t begin;
  };

  static Operand place(Arena &arena, Element element, std::vector<int64_t> shape, const std::string &name) {
    size_t begin = arena.place(element, shape);
    return {name, element, std::move(shape), begin};
  }

  /// What flows back into the outputs, and the gradients of the inputs.
  void placeGradients(const flexsn::Model &model, Element element) {
    for (const flexsn::Part &output : model.outputs())
      if (output.type == flexsn::Type::boolean)
        outputGradients.emplace_back();
      else
        outputGradients.emplace_back(place(from, element, {steps, neurons}, output.name));
    for (const flexsn::Part &input : model.inputs())
      if (input.type == flexsn::Type::floating)
        inputGradients.push_back(place(to, element, {steps, neurons}, input.name));
  }

  /// Gradients of all inputs and of what is learnable.
  void nameWanted(const flexsn::Model &model, Element stateElement) {
    for (const flexsn::Part &input : model.inputs())
      if (input.type == flexsn::Type::floating)
        wantedInputs.push_back(input.name);
    for (const flexsn::Part &param : model.params())
      if (param.flags & FLEXSN_LEARNABLE)
        paramGradients.emplace_back(param.operand, makeArray(stateElement, {}));
    if (wantedInputs.empty() && paramGradients.empty())
      failWrong(fmt::format("{} has no input and no learnable parameter to take a gradient of", model.name()));
  }

  static flexsn::Tensor viewOf(Arena &arena, const Operand &operand) {
    return {arena.at(operand.begin), dataType(operand.element), flexsn::Shape(operand.shape)};
  }

  flexsn::Call makeCall(const BenchRequest &request) {
    flexsn::Call call;
    for (const Operand &input : inputs) {
      fill(from.at(input.begin), input.element, steps * neurons);
      call.inputs.push_back(viewOf(from, input));
    }
    for (const Operand &output : outputs)
      call.outputs.push_back(viewOf(to, output));
    for (const Operand &state : finals)
      call.final_states.emplace_back(state.name, viewOf(to, state));
    for (const auto &[name, value] : request.params)
      call.params.emplace_back(name, value);
    call.steps = steps;
    for (const std::optional<Operand> &gradient : outputGradients) {
      if (gradient)
        fill(from.at(gradient->begin), gradient->element, steps * neurons);
      call.output_gradients.push_back(gradient ? std::optional(viewOf(from, *gradient)) : std::nullopt);
    }
    for (const Operand &gradient : inputGradients)
      call.gradients.emplace_back(gradient.name, viewOf(to, gradient));
    for (auto &[name, array] : paramGradients)
      call.gradients.emplace_back(name, flexsn::Tensor(array.bytes.data(), dataType(array.element), flexsn::Shape()));
    if (kernel == flexsn::Kernel::forward) // which knows the inputs' gradients by name
      for (const std::string &name : wantedInputs)
        call.gradients.emplace_back(name, 0);
    return call;
  }

  flexsn::Kernel kernel;
  int64_t steps, neurons;
  std::vector<Operand> inputs, outputs, finals, inputGradients;
  std::vector<std::optional<Operand>> outputGradients;
  std::vector<std::string> wantedInputs; ///< whose gradients a training kernel has
  NamedArrays paramGradients;
  Arena from, to;
  uint64_t copied = 0; ///< by a copy, which then reads and writes as much as the kernel does
};

Json timingJson(const BenchCase &c, const std::optional<Timing> &timing) {
  if (!timing)
    return {};
  return {{"seconds", timing->median}, {"low_quartile", timing->low}, {"high_quartile", timing->high},
          {"least", timing->least},    {"samples", timing->samples},  {"gb_per_s", c.rate(*timing)}};
}

std::string jsonText(const BenchReport &report, const std::vector<flexsn::Diagnostic> &warnings) {
  Json document = newDocument();
  document["model"] = report.model;
  document["dtype"] = report.dtype;
  document["processor"] = report.processor;
  document["threads"] = report.threads;
  document["cases"] = Json::array();
  for (const BenchCase &c : report.cases)
    document["cases"].push_back({{"kernel", c.kernel},
                                 {"steps", c.steps},
                                 {"neurons", c.neurons},
                                 {"bytes", c.bytes},
                                 {"run", timingJson(c, c.run)},
                                 {"memcpy", timingJson(c, c.plain)},
                                 {"streaming_copy", timingJson(c, c.streaming)},
                                 {"ratio", c.ratio()}});
  document["diagnostics"] = findingsJson(warnings);
  return printed(document);
}

std::string processorName() {
  for (const flexsn::Entry &fact : flexsn::list(flexsn::List::facts))
    if (fact.name == "cpu")
      return fact.usage;
  return "this processor";
}

ExitStatus runBench(const Arguments &arguments, Console &console) {
  flexsn::Options options = compileOptions(arguments);
  LoadedModel loaded = loadModel(arguments, console);
  const flexsn::Model &model = loaded.model;
  BenchRequest request = parseRequest(arguments, model);
  flexsn::Neuron neuron = model.compile(flexsn::Device::cpu(), options);
  const std::string dtype = arguments.get("--dtype").value_or("f32");
  const Element element = dataTypeNamed(dtype).element;
  BenchReport report{model.name(), dtype, processorName(), flexsn::num_threads(), {}};
  std::vector<Bench> benches; // a size that no machine has is told before anything is measured
  for (flexsn::Kernel kernel : request.kernels)
    for (int64_t steps : request.steps)
      for (int64_t neurons : request.neurons)
        benches.emplace_back(model, element, kernel, steps, neurons);
  Copier copier(report.threads);
  for (Bench &next : benches) {
    Bench bench = std::move(next); // its memory goes with it
    if (console.showsProgress())
      console.progress(fmt::format("{}: {}", model.name(), bench.label()));
    report.cases.push_back(bench.run(neuron, request, copier));
  }
  std::vector<PendingFile> files;
  if (!request.plot.empty())
    files.emplace_back(request.plot, benchSvg(report));
  publish(std::move(files),
          [&] { console.out(arguments.has("--json") ? jsonText(report, loaded.warnings) : benchTable(report)); });
  return ExitStatus::Done;
}

std::string methodHelp() {
  return wrapped("The operands are filled with made-up numbers, the kernel is compiled and bound before anything is "
                 "timed. Kernel, memcpy and a copy with streaming stores take turns; times are medians, the spread is "
                 "the distance of the quartiles. A copy reads and writes together as many bytes as the kernel; the "
                 "ratio is the faster copy's time to the kernel's, so that 1 is the speed of memory.",
                 0, 0) +
         "\n";
}

} // namespace

CommandSpec benchCommand() {
  return {"bench",
          "Time the kernels against a copy of the same bytes.",
          {"[OPTION]... FILE"},
          {"flexsnc bench lif.fsn", "flexsnc bench @LIF --T 4,16,64 --N 65536,2097152 --plot bench.svg",
           "flexsnc bench @Izhikevich --dtype f64 --kernels inference,final_state --json"},
          {"--model", "--const", "--surrogate", "--dims", "--set", "--T", "--N", "--plot", "--kernels", "--json",
           "--dtype", "--math", "--device", "--layout", "-Wno-", "-Werror=", "-Werror"},
          runBench,
          nullptr,
          methodHelp};
}

} // namespace flexsn::cli
