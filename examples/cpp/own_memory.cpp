// Memory stays the caller's: vectors, a buffer with gaps, memory of another library by way of DLPack. A Tensor is a
// view; nothing is copied, and what it views must live as long as the call (or the Bound) that uses it.
#include <flexsn/flexsn.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr std::size_t T = 6, N = 4;

void print(const char *what, const float *spikes, std::size_t pitch) {
  std::printf("%-22s", what);
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t n = 0; n < N; ++n)
      std::printf("%s%g", n ? "" : " ", static_cast<double>(spikes[t * pitch + n]));
  std::printf("\n");
}

float current(std::size_t t, std::size_t n) { return 0.5f + static_cast<float>(n) + 0.25f * static_cast<float>(t); }

/// std::vector: the view checks that the shape has as many elements.
void vectors(const flexsn::Neuron &lif) {
  std::vector<float> x(T * N), s(T * N);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = current(i / N, i % N);
  flexsn::Call call;
  call.inputs = {flexsn::view(std::as_const(x), {T, N})}; // const: a call that would write there is refused
  call.outputs = {flexsn::view(s, {T, N})};
  lif.inference(call);
  print("vectors", s.data(), N);
}

/// Raw pointers with strides: one record per step, of which the currents and the spikes are two columns.
void records(const flexsn::Neuron &lif) {
  struct Record {
    double time;
    float x[N], s[N];
  };
  Record log[T] = {};
  for (std::size_t t = 0; t < T; ++t) {
    log[t].time = 1e-3 * static_cast<double>(t);
    for (std::size_t n = 0; n < N; ++n)
      log[t].x[n] = current(t, n);
  }
  constexpr std::int64_t pitch = sizeof(Record) / sizeof(float); // strides count elements
  flexsn::Call call;
  call.inputs = {flexsn::view(log[0].x, {T, N}, {pitch, 1})};
  call.outputs = {flexsn::view(log[0].s, {T, N}, {pitch, 1})};
  lif.inference(call);
  print("records", log[0].s, static_cast<std::size_t>(pitch));
}

/// Another library's tensors, as DLPack hands them over, and a view of ours on its way there.
void dlpack(const flexsn::Neuron &lif) {
  float x[T * N], s[T * N];
  for (std::size_t i = 0; i < T * N; ++i)
    x[i] = current(i / N, i % N);
  std::int64_t shape[] = {T, N};
  const DLTensor theirs = {x, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, nullptr, 0};
  const flexsn::Tensor ours = flexsn::view(s, {T, N});
  flexsn::Call call;
  call.inputs = {theirs}; // a DLTensor converts
  call.outputs = {ours};
  lif.inference(call);
  const DLTensor back = ours.dlpack(); // points at ours' shape
  print("DLPack", static_cast<const float *>(back.data), N);
}

} // namespace

int main() {
  try {
    const flexsn::Neuron lif = flexsn::Model::shipped("LIF").compile();
    vectors(lif);
    records(lif);
    dlpack(lif);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
