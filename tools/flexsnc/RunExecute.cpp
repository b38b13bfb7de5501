#include "tools/flexsnc/RunExecute.h"

#include "tools/flexsnc/DataType.h"
#include "tools/flexsnc/Settings.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace flexsn::cli {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Steps [begin, end) of an array whose first dimension is time.
flexsn::Tensor viewOf(Array &array, int64_t begin, int64_t end) {
  std::vector<int64_t> shape = array.shape, strides = array.strides();
  shape[0] = end - begin;
  size_t offset = static_cast<size_t>(begin * strides[0]) * elementBytes(array.element);
  return {array.bytes.data() + offset, dataType(array.element), flexsn::Shape(shape), strides};
}

/// Sequences are delivered in the floating type, also those of an int, unless it is to be int8 (docs/language.md, rule
/// 10); a bool stays a byte.
Element outputElement(flexsn::Type type, Element element, flexsn::OutDType whole) {
  if (type == flexsn::Type::integer && whole == flexsn::OutDType::int8)
    return Element::I8;
  return type == flexsn::Type::boolean ? Element::Bool : element;
}

class Run {
public:
  Run(const flexsn::Model &model, const flexsn::Options &options, const RunRequest &request, RunData &data,
      Console &console)
      : model(model), options(options), request(request), data(data), console(console), begun(Clock::now()),
        neuron(model.compile(flexsn::Device::cpu(), options)) {
    result.compileSeconds = secondsSince(begun); // the disk cache may have been read already
    kernel = request.outputs.empty() ? flexsn::Kernel::final_state : flexsn::Kernel::inference;
  }

  RunResult run() {
    int64_t pieces = choosePieces();
    makeResults(pieces > 1);
    auto begins = [&](int64_t piece) { return piece * data.steps / pieces; };
    Clock::time_point begin = Clock::now();
    for (int64_t piece = 0; piece < std::min<int64_t>(pieces, 2); ++piece) // the others are like the second
      neuron.bind(kernel, callOf(begins(piece), begins(piece + 1)));
    result.compileSeconds += secondsSince(begin);
    result.loaded = flexsn::statistics().compilations == 0;
    begin = Clock::now();
    for (int64_t piece = 0; piece < pieces; ++piece) {
      if (pieces > 1)
        console.progress(fmt::format("{}: {} of {} steps", model.name(), grouped(static_cast<uint64_t>(begins(piece))),
                                     grouped(static_cast<uint64_t>(data.steps))));
      flexsn::Call call = callOf(begins(piece), begins(piece + 1));
      kernel == flexsn::Kernel::inference ? neuron.inference(call) : neuron.final_state(call);
    }
    console.progress("");
    result.runSeconds = secondsSince(begin);
    for (auto &state : finals)
      if (wantsFinal(state.first))
        result.finals.push_back(std::move(state));
    for (Sequence &output : result.outputs)
      output.array = forFile(std::move(output.array));
    return std::move(result);
  }

private:
  int64_t elementsPerStep() const {
    int64_t count = 1;
    for (int64_t extent : data.shape)
      count *= extent;
    return count;
  }

  /// One, unless somebody watches and the work takes long.
  int64_t choosePieces() const {
    constexpr double longWork = 6.0e7; // neuron steps: some tenths of a second
    double work = static_cast<double>(data.steps) * static_cast<double>(elementsPerStep());
    if (!console.showsProgress() || work < longWork)
      return 1;
    return std::min<int64_t>(data.steps, 50);
  }

  /// Whether a call for some of the steps takes some of the array. One that does not fit is left to the library.
  bool variesByStep(const std::string &name, const Array &array) const {
    return (dimsOf(model, options, name) & FLEXSN_DIM_STEP) && !array.shape.empty() && array.shape[0] == data.steps;
  }

  bool wantsFinal(const std::string &name) const {
    return std::any_of(request.finals.begin(), request.finals.end(),
                       [&](const Target &target) { return target.name == name; });
  }

  /// Results lie in the order of the first input, so that all of them are walked alike.
  void makeResults(bool allFinals) {
    std::vector<int64_t> shape = data.shape;
    shape.insert(shape.begin(), data.steps);
    bool fortran = !data.inputs.empty() && data.inputs[0].fortranOrder;
    auto types = typesOfNames(model);
    bool anyWhole = false;
    for (const std::string &name : request.outputs) {
      auto type = std::find_if(types.begin(), types.end(), [&](const auto &entry) { return entry.first == name; });
      anyWhole |= type->second == flexsn::Type::integer;
      Element element = outputElement(type->second, data.element, options.out_dtype);
      result.outputs.push_back({name, type->second == flexsn::Type::integer, makeArray(element, shape, fortran)});
    }
    if (options.out_dtype == flexsn::OutDType::int8 && !anyWhole)
      failWrong(
          fmt::format("'--out-dtype int8' is for whole numbers, and no result of {} is declared 'int'", model.name()));
    for (const flexsn::Part &state : model.states())
      if (allFinals || wantsFinal(state.name))
        finals.emplace_back(state.name, makeArray(elementOf(state.type, computedAs(data.element)), data.shape,
                                                  fortran && data.shape.size() > 1));
  }

  /// The call for steps [begin, end), which goes on from the states of the one before.
  flexsn::Call callOf(int64_t begin, int64_t end) {
    flexsn::Call call = wholeCall(request, data);
    for (size_t i = 0; i < data.inputs.size(); ++i)
      call.inputs[i] = viewOf(data.inputs[i], begin, end);
    for (Sequence &output : result.outputs)
      call.outputs.push_back(viewOf(output.array, begin, end));
    for (flexsn::Named &param : call.params)
      for (auto &[name, array] : data.paramArrays)
        if (param.name == name && variesByStep(name, array))
          param.tensor = viewOf(array, begin, end);
    for (auto &state : finals)
      call.final_states.emplace_back(state.first, viewOf(state.second));
    if (begin != 0)
      call.initial_states = call.final_states;
    if (data.inputs.empty())
      call.steps = end - begin;
    return call;
  }

  const flexsn::Model &model;
  const flexsn::Options &options;
  const RunRequest &request;
  RunData &data;
  Console &console;
  Clock::time_point begun;
  flexsn::Neuron neuron;
  flexsn::Kernel kernel;
  NamedArrays finals;
  RunResult result;
};

} // namespace

uint32_t dimsOf(const flexsn::Model &model, const flexsn::Options &options, const std::string &param) {
  for (const flexsn::Part &part : model.params())
    if (part.name == param || part.operand == param) {
      auto given = options.dims.find(part.name);
      return part.dims | (given == options.dims.end() ? 0 : static_cast<uint32_t>(given->second));
    }
  return 0;
}

flexsn::Tensor viewOf(Array &array) {
  return {array.bytes.data(), dataType(array.element), flexsn::Shape(array.shape), array.strides()};
}

flexsn::Call wholeCall(const RunRequest &request, RunData &data) {
  flexsn::Call call;
  for (Array &input : data.inputs)
    call.inputs.push_back(viewOf(input));
  for (const auto &[name, number] : request.params)
    call.params.emplace_back(name, number);
  for (auto &[name, array] : data.paramArrays)
    call.params.emplace_back(name, viewOf(array));
  call.channel_dim = request.channelDim;
  for (auto &[name, array] : data.stateArrays)
    call.initial_states.emplace_back(name, viewOf(array));
  for (const auto &[name, number] : request.stateValues)
    call.initial_states.emplace_back(name, number);
  if (data.inputs.empty())
    call.steps = data.steps;
  return call;
}

RunResult execute(const flexsn::Model &model, flexsn::Options options, const RunRequest &request, RunData &data,
                  Console &console) {
  options.dtype = dataTypeOf(data.element).dtype;
  options.outputs = request.outputs;
  return Run(model, options, request, data, console).run();
}

} // namespace flexsn::cli
