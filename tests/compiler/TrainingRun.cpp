#include "tests/compiler/TrainingRun.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace flexsn::testing {

namespace {

template <class Real> Real numberIn(uint64_t slot) {
  Real number;
  std::memcpy(&number, &slot, sizeof number);
  return number;
}

Slots joined(std::initializer_list<Slots> parts) {
  Slots all;
  for (const Slots &part : parts)
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

Slots slice(const Slots &slots, size_t first, size_t count) {
  auto begin = slots.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

size_t placeOf(const std::vector<std::string> &names, const std::string &name) {
  return static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

} // namespace

/// One call on its way.
template <class Real> struct TrainingRun<Real>::Way {
  const KernelFunctions &forward, &backward;
  const reference::NeuronCall &call;
  const reference::Upstream &upstream;
  size_t every;

  static uint64_t slotOf(double number) { return test::slot(static_cast<Real>(number)); }

  Slots uniforms(const KernelFunctions &kernel) const {
    Slots params;
    for (const std::string &name : kernel.names("param"))
      params.push_back(kernel.slotOf("param", name, call.settings.at(name)));
    return joined({params, kernel.call("prologue", params)});
  }

  Slots inputs(const KernelFunctions &kernel, size_t t) const {
    Slots values;
    for (const std::string &name : kernel.names("input"))
      values.push_back(kernel.slotOf("input", name, call.inputs.at(name)[t]));
    return values;
  }

  Slots initialStates(const KernelFunctions &kernel, const Slots &uniforms) const {
    Slots states = kernel.call("init", uniforms);
    for (const std::string &name : kernel.names("initial"))
      states[placeOf(kernel.states, name)] = kernel.slotOf("initial", name, call.initialStates.at(name));
    return states;
  }

  /// The states in front of each step, by the forward kernel.
  std::vector<Slots> trajectory() const {
    Slots uniform = uniforms(forward);
    std::vector<Slots> states = {initialStates(forward, uniform)};
    for (size_t t = 0; t + 1 < call.steps; ++t)
      states.push_back(
          slice(forward.call("step", joined({uniform, inputs(forward, t), states[t]})), 0, forward.states.size()));
    return states;
  }

  /// Those that are states of the backward kernel.
  Slots saved(const Slots &states) const {
    Slots found;
    for (const std::string &name : backward.names("checkpoint"))
      found.push_back(states[placeOf(forward.states, name)]);
    return found;
  }

  Slots gradientsOfOutputs(size_t t) const {
    Slots gradients;
    for (const std::string &name : backward.names("grad_output"))
      gradients.push_back(slotOf(upstream.outputs.at(name)[t]));
    return gradients;
  }

  Slots gradientsOfFinals() const {
    Slots gradients;
    const std::vector<std::string> given = backward.names("grad_final");
    for (const std::string &name : backward.carried)
      gradients.push_back(slotOf(placeOf(given, name) < given.size() ? upstream.finalStates.at(name) : 0));
    return gradients;
  }

  /// What each step of the chunk from `begin` keeps.
  std::vector<Slots> recompute(const Slots &uniform, const std::vector<Slots> &trajectory, size_t begin, size_t end) {
    std::vector<Slots> kept;
    Slots states = begin == 0 ? initialStates(backward, uniform) : saved(trajectory[begin]);
    for (size_t t = begin; t < end; ++t) {
      if (states != saved(trajectory[t]))
        throw std::runtime_error(fmt::format("the state in front of step {} is not the forward's", t));
      Slots results = backward.call("step", joined({uniform, inputs(backward, t), states}));
      states = slice(results, 0, states.size());
      kept.push_back(slice(results, states.size(), results.size() - states.size()));
    }
    return kept;
  }

  void add(std::vector<Real> &sums, const Slots &results, size_t first) {
    for (size_t i = 0; i < sums.size(); ++i)
      sums[i] += numberIn<Real>(results[first + i]);
  }

  reference::Gradients run() {
    const std::vector<Slots> states = trajectory();
    const Slots uniform = uniforms(backward);
    const std::vector<std::string> wanted = backward.names("grad_input");
    std::vector<Real> sums(backward.sums.size(), Real(-0.0));
    Slots carried = gradientsOfFinals();
    reference::Gradients gradients;
    for (const std::string &name : wanted)
      gradients.inputs[name].resize(call.steps);
    for (size_t chunks = (call.steps + every - 1) / every; chunks-- > 0;) {
      size_t begin = chunks * every, end = std::min(begin + every, call.steps);
      std::vector<Slots> kept = recompute(uniform, states, begin, end);
      for (size_t t = end; t-- > begin;) {
        Slots results = backward.call(
            "adjoint", joined({uniform, inputs(backward, t), kept[t - begin], gradientsOfOutputs(t), carried}));
        for (size_t i = 0; i < wanted.size(); ++i)
          gradients.inputs[wanted[i]][t] = numberIn<Real>(results[i]);
        carried = slice(results, wanted.size(), carried.size());
        add(sums, results, wanted.size() + carried.size());
        if (backward.truncate && t % static_cast<size_t>(*backward.truncate) == 0)
          std::fill(carried.begin(), carried.end(), slotOf(0));
      }
    }
    for (const std::string &name : backward.names("grad_initial"))
      gradients.initialStates[name] = numberIn<Real>(carried[placeOf(backward.carried, name)]);
    add(sums, backward.call("init_adjoint", joined({uniform, carried})), 0);
    finish(gradients, slice(uniform, 0, backward.names("param").size()), sums);
    return gradients;
  }

  void finish(reference::Gradients &gradients, Slots params, const std::vector<Real> &sums) {
    for (Real sum : sums)
      params.push_back(slotOf(sum));
    Slots results = backward.call("epilogue", params);
    const std::vector<std::string> names = backward.names("grad_param");
    for (size_t i = 0; i < names.size(); ++i)
      gradients.params[names[i]] = numberIn<Real>(results[i]);
  }
};

template <class Real>
reference::Gradients TrainingRun<Real>::run(const reference::NeuronCall &call, const reference::Upstream &upstream,
                                            std::optional<int> every) {
  int steps = every ? *every : backward.every.value_or(static_cast<int>(call.steps));
  return Way{forward, backward, call, upstream, static_cast<size_t>(steps)}.run();
}

template class TrainingRun<float>;
template class TrainingRun<double>;

} // namespace flexsn::testing
