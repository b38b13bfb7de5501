// Both kernels of a training step beside the oracle: every model of the collection, selections of gradients, calls
// shorter and longer than a chunk of any length.
#include "tests/compiler/TrainingRequests.h"
#include "tests/compiler/TrainingRun.h"
#include "tests/reference/Calls.h"
#include "tests/reference/Coverage.h"

#include <fmt/ranges.h>

namespace flexsn::testing {
namespace {

/// `gradients` without what `request` does not ask for.
reference::Gradients selected(reference::Gradients gradients, const Request &request) {
  auto keep = [](auto &map, const std::vector<std::string> &names) {
    std::erase_if(map, [&](const auto &entry) { return std::ranges::find(names, entry.first) == names.end(); });
  };
  keep(gradients.inputs, request.gradInputs);
  keep(gradients.initialStates, request.gradInitials);
  keep(gradients.params, request.gradParams);
  return gradients;
}

struct Trained {
  size_t models = 0, calls = 0;

  /// Runs calls of several lengths with chunks of several lengths.
  template <class Real> void compare(const Model &model, unsigned wanted, double tolerance, MathMode math) {
    Request request = training(model, sizeof(Real) == 8 ? Storage::F64 : Storage::F32, wanted);
    request.math = math;
    std::string problem, forward = kernelText(model, request, KernelKind::Forward, problem),
                         backward = kernelText(model, request, KernelKind::Backward, problem);
    ASSERT_EQ(problem, "") << model.name;
    TrainingRun<Real> run(forward, backward);
    reference::Random random(1000 * wanted + model.name.size());
    for (size_t steps : {1, 2, 5, 17, 40}) {
      auto [call, upstream] = reference::drawCall(model, {steps, 1, (wanted & ofInitials) != 0}, random);
      for (const Param &param : model.params)
        call.settings.try_emplace(param.operandName(), param.defaultValue);
      if (!(wanted & ofParamsAndFinals))
        upstream.finalStates.clear();
      reference::Gradients want = selected(reference::gradients<Real>(model, call, upstream), request);
      reference::Gradients first = run.run(call, upstream);
      EXPECT_EQ(reference::difference(first, want, tolerance), "") << model.name << ", T=" << steps << "\n" << backward;
      for (int every : {1, 3, 16}) // no bit depends on the distance of checkpoints
        EXPECT_EQ(reference::difference(run.run(call, upstream, every), first, 0), "") << model.name << every;
      ++calls;
    }
    ++models;
  }
};

/// Which can be compiled. Parameters with dims have regions that a TrainingRun does not know: tests/training has them.
bool isRun(const Model &model) {
  std::string problem;
  kernelText(model, training(model, Storage::F64, everyWanted), KernelKind::Backward, problem);
  return problem.empty() && std::ranges::all_of(model.params, [](const Param &param) { return param.dims.empty(); });
}

TEST(Training, EveryModelHasTheOraclesGradients) {
  Trained doubles, floats;
  for (const auto &model : zoo()) {
    if (!isRun(*model))
      continue;
    ASSERT_EQ(reference::notCovered(*model), std::nullopt) << model->name;
    for (unsigned wanted : {ofInputs, ofInitials, ofParamsAndFinals, everyWanted})
      doubles.compare<double>(*model, wanted, 1e-11, MathMode::Strict);
    floats.compare<float>(*model, everyWanted, 1e-4, MathMode::Standard);
  }
  fmt::print("{} and {} calls compared\n", doubles.calls, floats.calls);
  EXPECT_GE(floats.models, 23u);
}

/// What models of the collection have none of.
TEST(Training, OfWhatTheTextSteersIsTheOracles) {
  const char *const bodies[] = {
      // Cuts shorter than, as long as and longer than calls and chunks.
      "  truncate 1\n  v = tanh(v * v * k) + x\n", "  truncate 2\n  v = tanh(v * v * k) + x\n",
      "  truncate 7\n  v = v * k + x * w\n  w = tanh(w * v)\n", "  truncate 64\n  v = tanh(v * v * k) + x\n",
      // Ints: a gradient that depends on a count.
      "  state n: int = 0\n  n = n + 1 if x > 0 else 0\n  v = (v * k if n > 2 else tanh(v) * n) + x\n",
      "  v = tanh(detach(v) * x + gscale(v * v, k))\n  w = where(v > 0, sqrt(v), x)\n",
      // Nothing of the step is read, then states alone, then inputs alone.
      "  v = 0.5 * v + x\n", "  v = exp(v) * 0.1\n  w = w + x\n", "  v = 0.5 * v + exp(x)\n",
      // Divisions by what is known once a launch, on both ways.
      "  param tau = 3.0\n  v = v + (x - v) / tau - tanh(v * v) / 7\n  w = w / (1 + tau * tau) + v / 7\n"};
  Trained trained;
  for (const char *body : bodies) {
    auto model =
        checked(fmt::format("neuron M:\n  input x\n  state v = k, w = 0.5\n  param k = 0.5\n{}  output v, w\n", body));
    for (unsigned wanted : {ofInputs, ofInitials, ofParamsAndFinals, everyWanted})
      for (MathMode math : {MathMode::Strict, MathMode::Fast})
        trained.compare<double>(*model, wanted, 1e-11, math);
  }
  EXPECT_EQ(trained.models, std::size(bodies) * 8);
}

} // namespace
} // namespace flexsn::testing
