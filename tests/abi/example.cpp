// The C++ interface's example.
#include <flexsn/flexsn.hpp>

#include <cstdio>
#include <cstdlib>

int main() {
  const size_t T = 5, N = 3;
  // clang-format off
flexsn::Model model = flexsn::Model::parse(R"(
neuron LIF:
  input x
  state v = 0
  param tau = 2.0
  h = v + (x - v) / tau
  s = spike(h - 1.0)
  v = h * (1 - s)
  output s
)");                                                   // flexsn::Error with every diagnostic
flexsn::Options options;                               // plain structs; C++20 may use .name = value
options.dtype = flexsn::DType::f32;
flexsn::Neuron lif = model.compile(flexsn::Device::cpu(), options);
std::vector<float> x(T * N), s(T * N), v(N);
flexsn::Call call;
call.inputs         = {flexsn::view(x, {T, N})};
call.params         = {{"tau", 2.5}};
call.initial_states = {{"v", flexsn::view(v, {N})}};   // left out: the declared value
call.outputs        = {flexsn::view(s, {T, N})};
call.final_states   = {{"v", flexsn::view(v, {N})}};   // may be exactly the initial state's memory
lif.inference(call);
flexsn::Bound step = lif.bind(call);                   // checks, compiles, loads: once
step.run();                                            // noexcept, returns a Status; on a CPU no allocation, lock or system call
  // clang-format on

  // The state is carried from run to run: 1.25 a step decays towards 1.25 and fires when 1 is reached.
  for (float &value : x)
    value = 1.25f;
  int spikes = 0;
  for (int run = 0; run < 4; ++run) {
    if (!step.run())
      return EXIT_FAILURE;
    for (float spike : s)
      spikes += spike == 1.0f;
  }
  std::printf("%d spikes\n", spikes);
  float h = 0;
  int expected = 0;
  for (int t = 0; t < 20; ++t) {
    h += (1.25f - h) / 2.5f;
    expected += h - 1.0f >= 0;
    h = h - 1.0f >= 0 ? 0 : h;
  }
  return spikes == 3 * expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
