// Measures one thing and prints it as one JSON object; benchmarks/cpu.py asks for many and says where it ran.
//
//   flexsn-cpu-bench layouts MODEL DTYPE T N ROUNDS    large calls on operands in several orders
//   flexsn-cpu-bench latency MODEL N                   a bound call of one step
//   flexsn-cpu-bench first-call MODEL                  text to results in this process
//   flexsn-cpu-bench gradients MODEL PARAMS T N ROUNDS a backward kernel with and without gradients of [channel] params
#include "benchmarks/cpu/Clock.h"

#include <flexsn/flexsn.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>

namespace flexsn::bench {

/// The largest input that keeps a model firing now and then, in its own units.
static double largestInput(const std::string &model) { return model == "Izhikevich" ? 20 : 2.5; }

template <class T> static std::vector<T> currents(const std::string &model, int64_t count) {
  std::vector<T> x(static_cast<size_t>(count));
  std::minstd_rand random(1); // NOLINT(bugprone-random-generator-seed): the same currents in every run
  const double scale = largestInput(model) / static_cast<double>(std::minstd_rand::max());
  for (T &value : x)
    value = static_cast<T>(static_cast<double>(random()) * scale);
  return x;
}

/// How a step's neurons lie: a shape, and strides where they are not those of the shape.
struct Layout {
  Shape shape;
  std::vector<int64_t> strides;
};

/// `neurons` in 64 channels, each operand in the named order.
static Layout layoutOf(const std::string &name, int64_t steps, int64_t neurons) {
  constexpr int64_t channels = 64;
  const int64_t pixels = neurons / channels;
  if (name == "dense")
    return {{steps, neurons}, {}};
  if (name == "channels-last")
    return {{steps, channels, pixels}, {neurons, 1, channels}};
  if (name == "transposed")
    return {{steps, pixels, channels}, {neurons, 1, pixels}};
  throw std::invalid_argument("'" + name + "' is none of dense, channels-last, transposed");
}

/// A model's inputs and outputs for one call.
template <class T> struct Operands {
  Operands(const Model &model, const Layout &layout, int64_t steps, int64_t neurons) {
    for (size_t i = 0; i < model.inputs().size(); ++i)
      inputs.push_back(currents<T>(model.name(), steps * neurons));
    for (size_t i = 0; i < model.outputs().size(); ++i)
      outputs.emplace_back(static_cast<size_t>(steps * neurons));
    for (std::vector<T> &values : inputs)
      call.inputs.push_back(view(values.data(), layout.shape, layout.strides));
    for (std::vector<T> &values : outputs)
      call.outputs.push_back(view(values.data(), layout.shape, layout.strides));
  }

  std::vector<std::vector<T>> inputs, outputs;
  Call call;
};

/// The same call on operands that lie in one order or another: all of them are read and written in place.
template <class T> static void layouts(const Model &model, DType dtype, int64_t steps, int64_t neurons, int rounds) {
  Options options;
  options.dtype = dtype;
  Neuron neuron = model.compile(Device::cpu(), options);
  std::vector<std::unique_ptr<Operands<T>>> operands;
  std::vector<Bound> bounds;
  std::vector<Contestant> contestants;
  for (const char *name : {"dense", "channels-last", "transposed"}) {
    operands.push_back(std::make_unique<Operands<T>>(model, layoutOf(name, steps, neurons), steps, neurons));
    bounds.push_back(neuron.bind(operands.back()->call));
    contestants.push_back({name, [bound = bounds.size() - 1, &bounds] { (void)bounds[bound].run(); }});
  }
  race(contestants, rounds, /*ofThread=*/num_threads() == 1);
  const char *separator = "{";
  for (const Contestant &one : contestants) {
    std::printf("%s\"%s\": {\"best_ms\": %.4f, \"median_ms\": %.4f, \"of_dense\": %.4f}", separator, one.name.c_str(),
                one.best() * 1e3, one.median() * 1e3, contestants[0].best() / one.best());
    separator = ", ";
  }
  std::puts("}");
}

static void latency(const Model &model, int64_t neurons) {
  Operands<float> operands(model, {{1, neurons}, {}}, 1, neurons);
  Bound bound = model.compile().bind(operands.call);
  constexpr int runs = 1000;
  std::vector<Contestant> contestants = {{"bound", [&] {
                                            for (int i = 0; i < runs; ++i)
                                              (void)bound.run();
                                          }}};
  race(contestants, 200, true);
  std::printf("{\"best_ns\": %.1f, \"median_ns\": %.1f}\n", contestants[0].best() / runs * 1e9,
              contestants[0].median() / runs * 1e9);
}

static void firstCall(const std::string &name) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin = Clock::now();
  Model model = Model::shipped(name);
  Operands<float> operands(model, {{4, 64}, {}}, 4, 64);
  Clock::time_point ready = Clock::now();
  model.compile().inference(operands.call);
  Clock::time_point end = Clock::now();
  auto ms = [](Clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); };
  std::printf("{\"text_ms\": %.3f, \"first_call_ms\": %.3f}\n", ms(ready - begin), ms(end - ready));
}

/// A backward kernel of gradients of inputs alone, and of `params` too: as one value, as [channel] of 64 channels
/// around 1024 neurons each, and of channels that are the innermost dimension.
static void gradients(const Model &model, const std::vector<std::string> &params, int64_t steps, int64_t neurons,
                      int rounds) {
  constexpr int64_t channels = 64, pixels = 1024;
  const int64_t batch = neurons / channels / pixels;
  Options options;
  for (const Part &part : model.params())
    if (part.dims == 0 && std::find(params.begin(), params.end(), part.name) != params.end())
      options.dims[part.name] = Dim::channel;
  const bool canBeOneValue = options.dims.size() == params.size();
  Neuron plain = model.compile(), shaped = model.compile(Device::cpu(), options);
  std::vector<std::unique_ptr<Operands<float>>> operands;
  std::vector<std::vector<float>> memory;
  std::vector<std::vector<std::byte>> residuals;
  std::vector<Bound> bounds;
  std::vector<Contestant> contestants;
  auto sequence = [&](const Shape &shape) { // at a cache line's beginning, as PyTorch's tensors lie
    constexpr size_t line = 64;
    constexpr size_t apart = 8; // lines from one array's place in a page to the next one's
    memory.emplace_back(static_cast<size_t>(steps * neurons) + 64 * line / sizeof(float), 0.5F);
    auto address = reinterpret_cast<uintptr_t>(memory.back().data());
    size_t bytes = (line - address % line) % line + memory.size() % 7 * apart * line;
    return view(memory.back().data() + bytes / sizeof(float), shape);
  };
  for (const std::string kind : {"one value", "middle", "innermost"})
    for (bool withParams : {false, true}) {
      if (kind == "one value" && !canBeOneValue)
        continue;
      const Neuron &neuron = kind == "one value" ? plain : shaped;
      Shape dims = kind == "one value" ? Shape{} : Shape{channels};
      Shape shape =
          kind == "innermost" ? Shape{steps, batch * pixels, channels} : Shape{steps, batch, channels, pixels};
      operands.push_back(std::make_unique<Operands<float>>(model, Layout{shape, {}}, steps, neurons));
      Call &call = operands.back()->call;
      for (size_t i = 0; i < model.outputs().size(); ++i)
        call.output_gradients.push_back(sequence(shape));
      for (const Part &input : model.inputs())
        call.gradients.emplace_back(input.name, sequence(shape));
      for (const std::string &param : params) {
        memory.emplace_back(channels, 1.25F);
        call.params.emplace_back(param, view(memory.back().data(), dims));
        memory.emplace_back(channels);
        if (withParams)
          call.gradients.emplace_back(param, view(memory.back().data(), dims));
      }
      std::vector<std::byte> &residual = residuals.emplace_back(neuron.residual_bytes(call));
      call.residual = residual.data();
      call.residual_bytes = residual.size();
      neuron.forward(call);
      bounds.push_back(neuron.bind(Kernel::backward, call));
      contestants.push_back({kind + (withParams ? " with" : " without"),
                             [bound = bounds.size() - 1, &bounds] { (void)bounds[bound].run(); }});
    }
  race(contestants, rounds, /*ofThread=*/num_threads() == 1);
  const char *separator = "{";
  for (const Contestant &one : contestants) {
    std::printf("%s\"%s\": {\"best_ms\": %.4f, \"median_ms\": %.4f}", separator, one.name.c_str(), one.best() * 1e3,
                one.median() * 1e3);
    separator = ", ";
  }
  std::puts("}");
}

static std::vector<std::string> splitAtCommas(const std::string &text) {
  std::vector<std::string> parts(1);
  for (char letter : text)
    if (letter == ',')
      parts.emplace_back();
    else
      parts.back() += letter;
  return parts;
}

static int run(const std::vector<std::string> &words) {
  auto number = [&](size_t i) { return std::stoll(words.at(i)); };
  const std::string &what = words.at(0);
  if (what == "first-call") {
    firstCall(words.at(1));
    return EXIT_SUCCESS;
  }
  Model model = Model::shipped(words.at(1));
  if (what == "latency") {
    latency(model, number(2));
    return EXIT_SUCCESS;
  }
  if (what == "gradients") {
    gradients(model, splitAtCommas(words.at(2)), number(3), number(4), static_cast<int>(number(5)));
    return EXIT_SUCCESS;
  }
  if (what != "layouts")
    throw std::invalid_argument(what);
  auto rounds = static_cast<int>(number(5));
  if (words.at(2) == "f64")
    layouts<double>(model, DType::f64, number(3), number(4), rounds);
  else
    layouts<float>(model, DType::f32, number(3), number(4), rounds);
  return EXIT_SUCCESS;
}

} // namespace flexsn::bench

int main(int count, char **words) {
  try {
    return flexsn::bench::run({words + 1, words + count});
  } catch (const std::exception &error) {
    std::fprintf(stderr, "flexsn-cpu-bench: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
