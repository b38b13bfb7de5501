// A batch run: 32 samples of 64 neurons over 200 steps, for several time constants, with a look at the membrane. Then
// the same data in pieces, as it would come from a stream.
#include <flexsn/flexsn.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace {

constexpr std::size_t T = 200, batch = 32, N = 64, step = batch * N;

/// Noise around a current that grows from sample to sample.
std::vector<float> currents() {
  std::mt19937 random(1);
  std::vector<float> x(T * step);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t sample = i / N % batch;
    x[i] = 2 * static_cast<float>(sample) / batch + static_cast<float>(random() % 1000) / 1000;
  }
  return x;
}

/// Spikes per neuron and step of one sample.
double rate(const std::vector<float> &spikes, std::size_t sample) {
  double sum = 0;
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t n = 0; n < N; ++n)
      sum += static_cast<double>(spikes[t * step + sample * N + n]);
  return sum / static_cast<double>(T * N);
}

void run() {
  const std::vector<float> x = currents();
  std::vector<float> s(T * step), h(T * step), pieces(T * step), v(step);

  // Any name of the model may be asked for: h is what is compared with the threshold.
  flexsn::Options options;
  options.outputs = {"s", "h"};
  flexsn::Neuron lif = flexsn::Model::shipped("LIF").compile(flexsn::Device::cpu(), options);

  std::printf("  tau   rates of samples 0, 16, 31   highest h\n");
  lif.prepare();
  const std::uint64_t compiled = flexsn::statistics().compilations;
  for (double tau : {1.5, 2.0, 4.0, 8.0}) { // a value of a call: nothing is compiled again
    flexsn::Call call;
    call.inputs = {flexsn::view(x, {T, batch, N})};
    call.params = {{"tau", tau}};
    call.outputs = {flexsn::view(s, {T, batch, N}), flexsn::view(h, {T, batch, N})};
    lif.inference(call);
    std::printf("%5.1f   %8.3f %8.3f %8.3f %11.3f\n", tau, rate(s, 0), rate(s, 16), rate(s, 31),
                static_cast<double>(*std::max_element(h.begin(), h.end())));
  }
  std::printf("compiled anew: %d\n", static_cast<int>(flexsn::statistics().compilations - compiled));

  // In pieces of 50 steps the state goes from call to call; the spikes are those of one call over all steps.
  constexpr std::size_t piece = 50;
  flexsn::Neuron stream = flexsn::Model::shipped("LIF").compile();
  for (std::size_t t = 0; t < T; t += piece) {
    flexsn::Call call;
    call.inputs = {flexsn::view(x.data() + t * step, {piece, batch, N})};
    call.params = {{"tau", 8.0}};
    if (t > 0)
      call.initial_states = {{"v", flexsn::view(v, {batch, N})}};
    call.outputs = {flexsn::view(pieces.data() + t * step, {piece, batch, N})};
    call.final_states = {{"v", flexsn::view(v, {batch, N})}};
    stream.inference(call);
  }
  std::printf("in pieces: %s\n", pieces == s ? "the same spikes" : "OTHER SPIKES");
}

} // namespace

int main() {
  try {
    run();
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
