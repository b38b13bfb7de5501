// Gradients of a case by the oracle, neuron by neuron.
#include "tests/reference/Gradients.h"
#include "tests/conformance/Runners.h"

#include <functional>
#include <numeric>

namespace flexsn::conformance {
namespace {

using reference::Array;
using reference::Cell;

/// The case's arrays as doubles; the loss is sum(gout * out) + sum(gfinal * final).
class GradientRun {
public:
  GradientRun(const Case &c, const Model &model, const Results *next)
      : c(c), model(model),
        neurons(static_cast<size_t>(std::accumulate(c.shape.begin(), c.shape.end(), int64_t(1), std::multiplies<>()))) {
    for (const Input &input : model.inputs)
      take("in." + input.value->name);
    for (const auto &[name, kind] : c.outputs)
      take("gout." + name);
    for (const State &state : model.states) {
      take("init." + state.value->name);
      const std::string &name = state.value->name;
      if (next)
        arrays["gfinal." + name] = next->arrays.at("ginit." + name);
      else
        take("gfinal." + name);
    }
  }

  template <class Real> Results run() {
    const Cell cell = sizeof(Real) == 4 ? Cell::F32 : Cell::F64; // gradients of 16-bit data are not rounded to them
    Results results;
    auto put = [&](const std::string &key, size_t size, size_t at, double number) {
      results.arrays.try_emplace(key, cell, size).first->second.setNumber(at, number);
    };
    for (size_t n = 0; n < neurons; ++n) {
      const reference::Gradients gradients = reference::gradients<Real>(model, call(n), upstream(n));
      for (const auto &[name, numbers] : gradients.inputs)
        for (size_t t = 0; t < c.steps; ++t)
          put("gin." + name, c.steps * neurons, t * neurons + n, numbers[t]);
      for (const auto &[name, number] : gradients.initialStates)
        put("ginit." + name, neurons, n, number);
      for (const Param &param : model.params)
        addTo(sums[param.value->name], param, gradients, n);
    }
    for (const auto &[name, sum] : sums)
      for (size_t i = 0; i < sum.size(); ++i)
        put("gparam." + name, sum.size(), i, sum[i]);
    return results;
  }

private:
  /// Adds what one neuron has to what the parameter is shared by.
  void addTo(std::vector<double> &sum, const Param &param, const reference::Gradients &gradients, size_t n) const {
    auto add = [&](size_t t, double number) {
      size_t index = paramIndex(c, param, t, n);
      sum.resize(std::max(sum.size(), index + 1));
      sum[index] += number;
    };
    if (auto own = gradients.params.find(param.operandName()); own != gradients.params.end())
      add(0, own->second);
    if (auto own = gradients.stepParams.find(param.operandName()); own != gradients.stepParams.end())
      for (size_t t = 0; t < c.steps; ++t)
        add(t, own->second[t]);
  }

  void take(const std::string &key) {
    if (c.has(key))
      arrays[key] = c.array(key).cells();
  }
  const Array *find(const std::string &key) const {
    auto found = arrays.find(key);
    return found == arrays.end() ? nullptr : &found->second;
  }

  reference::NeuronCall call(size_t n) const {
    reference::NeuronCall call{c.steps, settings(c, model, 0, n), {}, {}};
    for (const Param &param : model.params)
      for (size_t t = 0; t < c.steps && variesByStep(c, param); ++t)
        call.stepSettings[param.operandName()].push_back(settings(c, model, t, n).at(param.operandName()));
    for (const Input &input : model.inputs)
      for (size_t t = 0; t < c.steps; ++t)
        call.inputs[input.value->name].push_back(arrays.at("in." + input.value->name).number(t * neurons + n));
    for (const State &state : model.states)
      if (const Array *initial = find("init." + state.value->name))
        call.initialStates[state.value->name] = initial->number(n);
    return call;
  }

  reference::Upstream upstream(size_t n) const {
    reference::Upstream upstream;
    for (const auto &[name, kind] : c.outputs)
      for (size_t t = 0; t < c.steps; ++t) {
        if (const Array *adjoint = find("gout." + name))
          upstream.outputs[name].push_back(adjoint->number(t * neurons + n));
        else if (c.stateless)
          upstream.outputs[name].push_back(1);
      }
    for (const State &state : model.states)
      if (const Array *adjoint = find("gfinal." + state.value->name))
        upstream.finalStates[state.value->name] = adjoint->number(n);
    return upstream;
  }

  const Case &c;
  const Model &model;
  size_t neurons;
  std::map<std::string, Array> arrays;
  std::map<std::string, std::vector<double>> sums; ///< gradients of parameters, in their shapes
};

} // namespace

Results runReferenceGradients(const Case &c, const Model &model, const Results *next) {
  GradientRun run(c, model, next);
  return c.dtype == "float64" ? run.run<double>() : run.run<float>();
}

} // namespace flexsn::conformance
