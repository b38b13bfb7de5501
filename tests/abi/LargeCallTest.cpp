// Calls that no cache holds write past the caches; they give what small calls on parts of the same memory give.
#include "tests/abi/Support.h"

#include <algorithm>
#include <cstring>

namespace flexsn::test {
namespace {

/// Two outputs, one of them of bytes.
constexpr const char *twoOutputs = R"(neuron Two:
  input x
  state v = 0
  h = v + (x - v) / 3.0
  s = spike(h - 1.0)
  up = h > 1.5
  v = h * (1 - s)
  output s, up
)";

constexpr size_t T = 16, N = 300'032; // 43 MB; rows are whole cache lines
constexpr size_t margin = 64;

struct Memory {
  std::vector<float> x = currents(T * N + margin), s = std::vector<float>(T * N + margin, -1.0f);
  std::vector<uint8_t> up = std::vector<uint8_t>(T * N + margin, 7);
};

/// Neurons [first, first + count) of operands that begin `shift` elements into the memory.
Call part(Memory &memory, size_t shift, size_t first, size_t count) {
  auto at = [&](auto &vector) {
    return view(vector.data() + shift + first, {T, static_cast<int64_t>(count)}, {static_cast<int64_t>(N), 1});
  };
  Call call;
  call.inputs = {at(memory.x)};
  call.outputs = {at(memory.s), at(memory.up)};
  return call;
}

TEST(LargeCall, EqualsItsParts) {
  Neuron neuron = Model::parse(twoOutputs).compile();
  // Where malloc's addresses leave it, the outputs' rows have a common place to begin; one element further they have
  // not.
  for (size_t shift : {0, 1, 4}) {
    Memory whole, parts;
    neuron.inference(part(whole, shift, 0, N));
    for (size_t first = 0; first < N; first += 1000)
      neuron.inference(part(parts, shift, first, std::min<size_t>(1000, N - first)));
    EXPECT_TRUE(std::memcmp(whole.s.data(), parts.s.data(), whole.s.size() * sizeof(float)) == 0) << shift;
    EXPECT_TRUE(whole.up == parts.up) << shift;
    EXPECT_TRUE(whole.s[shift] == 0 && (shift == 0 || whole.s[shift - 1] == -1)) << shift;
  }
}

TEST(LargeCall, EqualsItsPartsForAnyNumberOfThreads) {
  Neuron neuron = Model::parse(lif).compile();
  std::vector<float> x = currents(T * N);
  const std::vector<float> wanted = expected(x, T, N).s;
  int32_t before = num_threads();
  for (int threads : {1, 2, 5}) {
    set_num_threads(threads);
    std::vector<float> s(T * N, -1.0f);
    Call call;
    call.inputs = {view(x, {T, N})};
    call.outputs = {view(s, {T, N})};
    uint64_t compilations = statistics().compilations;
    neuron.inference(call);
    neuron.inference(call);
    EXPECT_LE(statistics().compilations, compilations + 1); // the path is compiled when it is first needed
    EXPECT_TRUE(s == wanted) << threads << " threads";
  }
  set_num_threads(before);
}

} // namespace
} // namespace flexsn::test
