// Learning by gradients: a leaky integrator finds the time constant of another one whose output it has seen.
#include <flexsn/flexsn.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr const char *text = R"(
neuron Leaky:
  input x
  state v = 0
  param tau = 4.0 learnable as exp
  v = v + (x - v) / tau
  output v
)";

constexpr std::size_t T = 64, N = 100;

void run() {
  std::vector<float> x(T * N), seen(T * N), v(T * N), gv(T * N);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = i / N % 16 < 4 ? static_cast<float>(i % N) / N : 0; // pulses, stronger from neuron to neuron

  const flexsn::Neuron leaky = flexsn::Model::parse(text).compile(flexsn::Device::cpu());
  flexsn::Call target;
  target.inputs = {flexsn::view(x, {T, N})};
  target.params = {{"tau", 12.0}};
  target.outputs = {flexsn::view(seen, {T, N})};
  leaky.inference(target);

  // `as exp` keeps tau positive: what is stored and learned is raw_tau, its logarithm.
  double raw = std::log(4.0);
  std::vector<float> gradient(1);
  flexsn::Call step;
  step.inputs = target.inputs;
  step.outputs = {flexsn::view(v, {T, N})};
  step.output_gradients = {flexsn::view(gv, {T, N})};
  step.gradients = {{"tau", flexsn::view(gradient, {})}};
  std::vector<std::byte> residual(leaky.residual_bytes(step));
  step.residual = residual.data();
  step.residual_bytes = residual.size();

  for (int i = 0; i <= 24; ++i) {
    step.params = {{"raw_tau", raw}};
    leaky.forward(step);
    double loss = 0;
    for (std::size_t k = 0; k < v.size(); ++k) {
      gv[k] = v[k] - seen[k]; // of half the squared error
      loss += 0.5 * static_cast<double>(gv[k]) * static_cast<double>(gv[k]);
    }
    leaky.backward(step);
    if (i % 8 == 0)
      std::printf("step %2d: tau %.3f, loss %.4f\n", i, std::exp(raw), loss);
    raw -= 0.02 * static_cast<double>(gradient[0]);
  }
}

} // namespace

int main() {
  try {
    run();
    return EXIT_SUCCESS;
  } catch (const flexsn::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
