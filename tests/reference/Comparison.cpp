#include "tests/reference/Comparison.h"

#include "tests/reference/Kernel.h"
#include "tests/reference/Random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

namespace flexsn::reference {

Report &Report::operator+=(const Report &other) {
  exact += other.exact;
  bounded += other.bounded;
  open += other.open;
  if (refused.empty())
    refused = other.refused;
  if (failure.empty())
    failure = other.failure;
  return *this;
}

namespace {

template <class Real> constexpr Cell realCell = sizeof(Real) == 4 ? Cell::F32 : Cell::F64;

template <class Real> Cell cellOf(Type type) {
  return type == Type::Float ? realCell<Real> : type == Type::Int ? Cell::I32 : Cell::Bool;
}

/// A number that kernels are likely to get wrong.
template <class Real> Real special(Random &random) {
  using Limits = std::numeric_limits<Real>;
  const Real values[] = {Limits::quiet_NaN(),
                         Limits::infinity(),
                         -Limits::infinity(),
                         Real(0),
                         -Real(0),
                         Limits::denorm_min(),
                         -Limits::denorm_min(),
                         Limits::min() / 3,
                         Limits::min(),
                         Limits::max(),
                         -Limits::max(),
                         Real(1e30),
                         Real(1),
                         Real(-0.5)};
  return values[random.below(std::size(values))];
}

/// One comparison: the kernel, the interpreter, and what was found so far.
template <class Real> class Comparer {
public:
  Comparer(const Model &model, const ComparisonOptions &options)
      : model(model), fast(options.fast), finalState(options.finalState && !model.states.empty()),
        random(options.seed) {
    for (const Param &param : model.params)
      if (random.chance(50) && param.value->type == Type::Float && !param.bounds && param.dims.empty())
        settings[param.value->name] = varied(param);
    for (const Output &output : model.outputs)
      if (!options.monitors)
        watched.push_back(output);
    for (const std::string &name : model.names())
      if (const Value *last = model.lastValue(name); options.monitors && last->kind == Value::Kind::Assigned)
        watched.push_back({name, last, last->whole ? Type::Int : last->type, last->span});
  }

  bool compile(const std::string &text, const ComparisonOptions &options, Report &report) {
    Kernel::Options request{.data = realCell<Real>, .fast = options.fast, .outputs = {}};
    for (const Output &output : watched)
      request.outputs.push_back({output.name, output.type == Type::Bool ? Cell::Bool : realCell<Real>});
    for (const Param &param : model.params)
      for (Dim dim : param.dims)
        request.dims[param.value->name] |= 1u << static_cast<unsigned>(dim);
    kernel = Kernel::compile(text, model.name, request, report.refused);
    return kernel != nullptr;
  }

  void run(size_t steps, size_t neurons, Report &report) {
    call.steps = 1;
    call.shape = {static_cast<int64_t>(neurons)};
    call.params = settings;
    call.initialStates.clear();
    drawShaped(steps, neurons);
    std::vector<Kernel::Result> single;
    std::vector<Array> whole = sequence(steps, neurons);
    for (size_t t = 0; t < steps && report.good(); ++t) {
      call.inputs = row(whole, t, neurons);
      setShaped(t, t + 1, neurons);
      single.push_back(kernel->run(call));
      if (single.back().error.empty())
        compareStep(t, neurons, single.back(), report);
      else
        report.refused = fmt::format("step {} of N={}: {}", t, neurons, single.back().error);
      call.initialStates = single.back().finalStates;
    }
    if (steps > 1 && report.good())
      compareWhole(steps, neurons, whole, single, report);
    if (steps > 1 && report.good() && finalState)
      compareFinalState(neurons, single.back(), report);
  }

private:
  double varied(const Param &param) {
    double factor = random.between(0.75, 1.25);
    if (param.transform == Transform::Sigmoid || param.transform == Transform::Tanh)
      return param.defaultValue * std::min(factor, 1.0); // stays in the transform's range
    return param.defaultValue * factor;
  }

  static bool has(const Param &param, Dim dim) {
    return std::find(param.dims.begin(), param.dims.end(), dim) != param.dims.end();
  }
  /// Whether it has a value for each neuron: data is [T, N], so that channel and neuron are the same.
  static bool isPerNeuron(const Param &param) { return has(param, Dim::Channel) || has(param, Dim::Neuron); }

  /// Values of the parameters with dims for all steps and neurons.
  void drawShaped(size_t steps, size_t neurons) {
    shaped.clear();
    for (const Param &param : model.params) {
      if (param.dims.empty() || param.value->type != Type::Float || param.bounds)
        continue;
      size_t count = (has(param, Dim::Step) ? steps : 1) * (isPerNeuron(param) ? neurons : 1);
      Array &array = shaped.emplace(param.value->name, Array(realCell<Real>, count)).first->second;
      for (size_t i = 0; i < count; ++i)
        array.setNumber(i, varied(param));
    }
  }

  /// What of them a call for the steps [from, to) takes.
  void setShaped(size_t from, size_t to, size_t neurons) {
    call.shapedParams.clear();
    for (const Param &param : model.params) {
      auto found = shaped.find(param.value->name);
      if (found == shaped.end())
        continue;
      size_t row = isPerNeuron(param) ? neurons : 1;
      auto &[values, shape] = call.shapedParams[param.value->name];
      if (has(param, Dim::Step))
        shape.push_back(static_cast<int64_t>(to - from));
      if (isPerNeuron(param))
        shape.push_back(static_cast<int64_t>(neurons));
      size_t begin = has(param, Dim::Step) ? from * row : 0, count = has(param, Dim::Step) ? (to - from) * row : row;
      values = Array(realCell<Real>, count);
      for (size_t i = 0; i < count; ++i)
        values.setNumber(i, found->second.number(begin + i));
    }
  }

  Settings settingsAt(size_t t, size_t n, size_t neurons) const {
    Settings all = settings;
    for (const Param &param : model.params)
      if (auto found = shaped.find(param.value->name); found != shaped.end()) {
        size_t step = has(param, Dim::Step) ? t : 0;
        all[param.value->name] = found->second.number(isPerNeuron(param) ? step * neurons + n : step);
      }
    return all;
  }

  /// Inputs of all steps: every fourth neuron meets special values now and then.
  std::vector<Array> sequence(size_t steps, size_t neurons) {
    std::vector<Array> arrays;
    for (const Input &input : model.inputs) {
      Array &array = arrays.emplace_back(cellOf<Real>(input.value->type), steps * neurons);
      for (size_t i = 0; i < steps * neurons; ++i)
        array.setNumber(i, inputNumber(input.value->type, i % neurons % 4 == 1));
    }
    return arrays;
  }

  double inputNumber(Type type, bool mayBeSpecial) {
    if (type == Type::Bool)
      return random.below(2);
    if (type == Type::Int)
      return mayBeSpecial && random.chance(30) ? (random.chance(50) ? 2147483647.0 : -2147483648.0)
                                               : double(random.below(21)) - 10;
    return mayBeSpecial && random.chance(30) ? special<Real>(random) : static_cast<Real>(random.between(-2, 3));
  }

  static std::vector<Array> row(const std::vector<Array> &whole, size_t t, size_t neurons) {
    std::vector<Array> rows;
    for (const Array &array : whole) {
      size_t bytes = neurons * cellBytes(array.cell);
      Array &one = rows.emplace_back(array.cell, neurons);
      std::copy_n(array.bytes.begin() + static_cast<ptrdiff_t>(t * bytes), bytes, one.bytes.begin());
    }
    return rows;
  }

  static Scalar<Real> scalar(const Array &array, size_t n, Type type) {
    if (type == Type::Float)
      return Scalar<Real>::ofReal(array.get<Real>(n));
    return {type, 0, static_cast<int32_t>(array.number(n)), 0};
  }

  void compareStep(size_t t, size_t neurons, const Kernel::Result &result, Report &report) {
    std::optional<Interpreter<Real>> own;
    for (size_t n = 0; n < neurons && report.failure.empty(); ++n) {
      if (!own || !shaped.empty())
        own.emplace(model, settingsAt(t, n, neurons), fast);
      Interpreter<Real> &interpreter = *own;
      std::vector<Scalar<Real>> inputs, states;
      for (size_t i = 0; i < model.inputs.size(); ++i)
        inputs.push_back(scalar(call.inputs[i], n, model.inputs[i].value->type));
      for (size_t i = 0; i < call.initialStates.size(); ++i)
        states.push_back(scalar(call.initialStates[i], n, model.states[i].value->type));
      if (call.initialStates.empty())
        states = interpreter.initialStates();
      std::vector<Scalar<Real>> next = interpreter.step(inputs, states);
      std::string place = fmt::format("t={} n={} of N={}", t, n, neurons);
      for (size_t i = 0; i < watched.size(); ++i)
        check("output " + watched[i].name, interpreter.output(watched[i]), result.outputs[i], n, place, report);
      for (size_t i = 0; i < next.size(); ++i)
        check("state " + model.states[i].value->name, next[i], result.finalStates[i], n, place, report);
      if (!report.failure.empty())
        report.failure += given(inputs, states);
    }
  }

  static void check(const std::string &what, const Scalar<Real> &expected, const Array &array, size_t n,
                    const std::string &place, Report &report) {
    Scalar<Real> got = scalar(array, n, expected.type);
    bool equal = expected.type == Type::Float ? sameBits(expected.real, got.real) : expected.integer == got.integer;
    if (std::isinf(expected.slack))
      ++report.open;
    else if (expected.slack == 0 ? equal : equal || std::fabs(expected.number() - got.number()) <= expected.slack)
      ++(expected.slack == 0 ? report.exact : report.bounded);
    else if (report.failure.empty())
      report.failure =
          fmt::format("{} at {}: reference {:.17g} ({:a}), kernel {:.17g} ({:a}), allowed distance {:g}", what, place,
                      expected.number(), expected.number(), got.number(), got.number(), expected.slack);
  }

  std::string given(const std::vector<Scalar<Real>> &inputs, const std::vector<Scalar<Real>> &states) const {
    std::string text = "\n  given";
    for (size_t i = 0; i < inputs.size(); ++i)
      text += fmt::format(" {}={:.17g}", model.inputs[i].value->name, inputs[i].number());
    for (size_t i = 0; i < states.size(); ++i)
      text += fmt::format(" {}={:.17g}", model.states[i].value->name, states[i].number());
    for (const auto &[name, value] : settings)
      text += fmt::format(" {}={:.17g}", name, value);
    return text;
  }

  void compareWhole(size_t steps, size_t neurons, const std::vector<Array> &inputs,
                    const std::vector<Kernel::Result> &single, Report &report) {
    call.steps = steps;
    call.inputs = inputs;
    call.initialStates.clear();
    setShaped(0, steps, neurons);
    Kernel::Result whole = kernel->run(call);
    if (!whole.error.empty()) {
      report.refused = fmt::format("T={} N={}: {}", steps, neurons, whole.error);
      return;
    }
    for (size_t i = 0; i < watched.size(); ++i)
      for (size_t t = 0; t < steps; ++t)
        for (size_t n = 0; n < neurons; ++n)
          repeated("output " + watched[i].name, whole.outputs[i], t * neurons + n, single[t].outputs[i], n, report);
    for (size_t i = 0; i < model.states.size(); ++i)
      for (size_t n = 0; n < neurons; ++n)
        repeated("state " + model.states[i].value->name, whole.finalStates[i], n, single.back().finalStates[i], n,
                 report);
  }

  /// The call that compareWhole made, by the kernel that writes no outputs.
  void compareFinalState(size_t neurons, const Kernel::Result &want, Report &report) {
    Kernel::Result result = kernel->runFinalState(call);
    if (!result.error.empty()) {
      report.refused = "final-state kernel: " + result.error;
      return;
    }
    for (size_t i = 0; i < model.states.size(); ++i)
      for (size_t n = 0; n < neurons; ++n)
        repeated("final-state kernel: " + model.states[i].value->name, result.finalStates[i], n, want.finalStates[i], n,
                 report);
  }

  static void repeated(const std::string &what, const Array &whole, size_t at, const Array &single, size_t n,
                       Report &report) {
    if (sameBits(whole.number(at), single.number(n)))
      ++report.exact;
    else if (report.failure.empty())
      report.failure =
          fmt::format("{} of neuron {}: {:.17g} in one call over all steps (element {}), {:.17g} step by step", what, n,
                      whole.number(at), at, single.number(n));
  }

  const Model &model;
  bool fast, finalState;
  Random random;
  Settings settings;
  std::map<std::string, Array, std::less<>> shaped; ///< values of parameters with dims, row-major
  std::vector<Output> watched;
  std::unique_ptr<Kernel> kernel;
  Kernel::Call call;
};

template <class Real> Report compareAs(const Model &model, const std::string &text, const ComparisonOptions &options) {
  // Every T and every N at least once; together few enough for hundreds of models.
  constexpr std::pair<size_t, size_t> sizes[] = {{1, 1}, {1, 257}, {2, 31}, {7, 33}, {100, 3}};
  Report report;
  Comparer<Real> comparer(model, options);
  if (!comparer.compile(text, options, report))
    return report;
  for (auto [steps, neurons] : sizes)
    if (report.good())
      comparer.run(steps, neurons, report);
  return report;
}

} // namespace

Report compare(const Model &model, const std::string &text, const ComparisonOptions &options) {
  return options.doubles ? compareAs<double>(model, text, options) : compareAs<float>(model, text, options);
}

} // namespace flexsn::reference
