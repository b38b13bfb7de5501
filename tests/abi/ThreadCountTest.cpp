// How many threads share a call changes no bit of its results, whatever the calling thread does with its floating point
// control register.
#include "tests/abi/Support.h"

#include <algorithm>
#include <cfenv>
#include <cstring>
#include <thread>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace flexsn::test {
namespace {

/// Rounds in every operation, and keeps subnormals in `u`.
constexpr const char *delicate = R"(neuron Delicate:
  input x
  state v = 0.1, u = 0
  v = v * 0.9 + exp(x - 3.0) / 3.0
  u = u * 0.3 + x * 1.0e-39
  s = spike(v - 1.0)
  v = v - 0.7 * s
  output s, v, u
)";

// Large enough to be shared; the last slice and its last vector are ragged.
constexpr size_t T = 3, N = 50'021;

struct Results {
  std::vector<float> s = std::vector<float>(T * N), v = s, u = s, last = std::vector<float>(N);
  bool operator==(const Results &other) const {
    auto same = [](const std::vector<float> &a, const std::vector<float> &b) {
      return std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
    };
    return same(s, other.s) && same(v, other.v) && same(u, other.u) && same(last, other.last);
  }
};

Call callOf(std::vector<float> &x, Results &results) {
  Call call;
  call.inputs = {view(x, {T, N})};
  call.outputs = {view(results.s, {T, N}), view(results.v, {T, N}), view(results.u, {T, N})};
  call.final_states = {{"v", view(results.last, {N})}};
  return call;
}

Results run(const Neuron &neuron) {
  std::vector<float> x = currents(T * N);
  Results results;
  neuron.inference(callOf(x, results));
  return results;
}

class ThreadCount : public testing::Test {
protected:
  void TearDown() override { set_num_threads(before); }
  int32_t before = num_threads();
};

TEST_F(ThreadCount, ChangesNoBit) {
  Neuron neuron = Model::parse(delicate).compile();
  set_num_threads(1);
  Results alone = run(neuron);
  bool subnormal = false;
  for (float u : alone.u)
    subnormal |= u != 0 && u < 1e-38f;
  EXPECT_TRUE(subnormal); // what flushing would show in
  for (int threads : {2, 3, 8, 64}) {
    set_num_threads(threads);
    EXPECT_EQ(num_threads(), threads);
    EXPECT_TRUE(run(neuron) == alone) << threads << " threads";
  }
}

TEST_F(ThreadCount, OfABoundCallIsThatOfItsBinding) {
  Neuron neuron = Model::parse(delicate).compile();
  set_num_threads(1);
  Results alone = run(neuron);
  std::vector<float> x = currents(T * N);
  Results results;
  set_num_threads(3);
  Bound bound = neuron.bind(callOf(x, results));
  set_num_threads(2); // the process's pool is another one from the next large call on
  EXPECT_TRUE(run(neuron) == alone);
  for (int repeat = 0; repeat < 20; ++repeat) {
    for (std::vector<float> *values : {&results.s, &results.v, &results.u, &results.last})
      std::fill(values->begin(), values->end(), -1.0f);
    EXPECT_TRUE(bound.run());
    EXPECT_TRUE(results == alone);
  }
}

TEST_F(ThreadCount, AndManyCallersAtOnce) {
  Neuron neuron = Model::parse(delicate).compile();
  set_num_threads(1);
  Results alone = run(neuron);
  set_num_threads(3);
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i)
    callers.emplace_back([&] {
      for (int repeat = 0; repeat < 5; ++repeat)
        EXPECT_TRUE(run(neuron) == alone);
    });
  for (std::thread &caller : callers)
    caller.join();
}

TEST_F(ThreadCount, RoundsAsEver) {
  Neuron neuron = Model::parse(delicate).compile();
  set_num_threads(1);
  Results wanted = run(neuron);
  for (int threads : {1, 3}) {
    set_num_threads(threads);
    ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
    Results upward = run(neuron);
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
    std::fesetround(FE_TONEAREST);
    EXPECT_TRUE(upward == wanted) << threads << " threads";
  }
}

#if defined(__x86_64__)
TEST_F(ThreadCount, KeepsSubnormals) {
  Neuron neuron = Model::parse(delicate).compile();
  set_num_threads(1);
  Results wanted = run(neuron);
  constexpr unsigned flush = 0x8040; // FTZ and DAZ
  for (int threads : {1, 3}) {
    unsigned control = _mm_getcsr();
    _mm_setcsr(control | flush);
    set_num_threads(threads); // threads that start now inherit the setting
    Results flushed = run(neuron);
    bool restored = (_mm_getcsr() & flush) == flush;
    _mm_setcsr(control);
    EXPECT_TRUE(restored);
    EXPECT_TRUE(flushed == wanted) << threads << " threads";
  }
}
#endif

TEST_F(ThreadCount, IsFromOneToAThousandAndTwentyFour) {
  for (int bad : {0, -1, 1025}) {
    Error error = errorOf([&] { set_num_threads(bad); });
    EXPECT_EQ(error.code(), Code::value);
    EXPECT_EQ(error.message(), "the number of threads is " + std::to_string(bad) + ", but must be from 1 to 1024");
  }
  EXPECT_EQ(num_threads(), before);
  EXPECT_EQ(flexsn_num_threads(nullptr), FLEXSN_ERROR_ARGUMENT);
}

} // namespace
} // namespace flexsn::test
