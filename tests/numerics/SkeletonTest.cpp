// The skeleton around the step: tails, times, strides, tiles, states and their initial values, storages. Every kernel
// is compared bit for bit with a plain loop, and nothing around a buffer may change.
#include "tests/numerics/Compiled.h"

#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

namespace flexsn::test {
namespace {

constexpr unsigned tile = 64;
constexpr int64_t counts[] = {0, 1, 3, 7, 8, 9, 31, 33, 63, 64, 65, 200, 1023};
constexpr int64_t times[] = {1, 2, 7};

/// A leaky neuron with a hard reset written as a product: one state, one input, one output.
std::string lifText(const std::string &type, unsigned width, const std::string &path = "") {
  return fmt::format(R"(
scan.kernel @lif inference
    operands [#scan.operand<"tau", param, {0}>, #scan.operand<"threshold", param, {0}>, #scan.operand<"x", input, {0}>,
              #scan.operand<"v", initial, {0}>, #scan.operand<"s", output, {0}>, #scan.operand<"v", final, {0}>]
    states ["v"] schedule #scan.cpu<tile = {1}, width = {2}{3}>
prologue {{
^bb0(%tau: {0}, %threshold: {0}):
  %one = arith.constant 1.0 : {0}
  %rate = arith.divf %one, %tau : {0}
  scan.yield %rate : {0}
}} init {{
^bb0(%tau: {0}, %threshold: {0}, %rate: {0}):
  %zero = arith.constant 0.0 : {0}
  scan.yield %zero : {0}
}} step {{
^bb0(%tau: {0}, %threshold: {0}, %rate: {0}, %x: {0}, %v: {0}):
  %one = arith.constant 1.0 : {0}
  %difference = arith.subf %x, %v : {0}
  %change = arith.mulf %difference, %rate : {0}
  %h = arith.addf %v, %change : {0}
  %over = arith.subf %h, %threshold : {0}
  %s = neuron.spike %over atan(%one) : {0}
  %rest = arith.subf %one, %s : {0}
  %next = arith.mulf %h, %rest : {0}
  scan.yield %next, %s : {0}, {0}
}})",
                     type, tile, width, path);
}

template <class T>
void lif(T tau, T threshold, const T *x, int64_t stride, int64_t steps, int64_t count, T *v, T *s, int64_t outStride) {
  volatile T one = 1; // 1 / tau is not contracted with what follows
  T rate = one / tau;
  for (int64_t n = 0; n < count; ++n)
    for (int64_t t = 0; t < steps; ++t) {
      volatile T change = (x[t * stride + n] - v[n]) * rate;
      T h = v[n] + change;
      s[t * outStride + n] = h - threshold >= 0 ? 1 : 0;
      v[n] = h * (1 - s[t * outStride + n]);
    }
}

template <class T> void expectSame(const T *got, const T *want, int64_t count, const std::string &what) {
  for (int64_t i = 0; i < count; ++i)
    if (std::memcmp(&got[i], &want[i], sizeof(T)) != 0) {
      ADD_FAILURE() << what << ": element " << i << " is " << +got[i] << ", not " << +want[i];
      return;
    }
}

template <class T> void fill(T *values, int64_t count) {
  std::minstd_rand random(7);
  for (int64_t i = 0; i < count; ++i)
    values[i] = static_cast<T>(random()) / static_cast<T>(random.max()) * 4 - 1;
}

class Skeleton : public testing::TestWithParam<std::tuple<Target, unsigned>> {
protected:
  Target target() const { return std::get<0>(GetParam()); }
  unsigned width() const { return std::get<1>(GetParam()); }

  /// Runs the neuron for all counts and times with gaps of `gap` elements between steps. `shared`: one initial value
  /// for all.
  template <class T> void runLif(const std::string &type, int64_t gap, bool shared) {
    Compiled kernel(lifText(type, width()), target());
    const uint64_t params[] = {slot(T(3)), slot(T(0.75))};
    for (int64_t count : counts)
      for (int64_t steps : times) {
        const int64_t stride = count + gap;
        Guarded x(sizeof(T) * stride * steps), s(sizeof(T) * stride * steps), v(sizeof(T) * count);
        std::vector<T> initial(count + 1), spikes(stride * steps + 1);
        fill(x.as<T>(), stride * steps);
        fill(initial.data(), count + 1);
        if (shared)
          std::fill(initial.begin(), initial.end(), T(0.625));
        std::memcpy(spikes.data(), s.as<T>(), sizeof(T) * stride * steps);
        std::memcpy(v.as<T>(), initial.data(), sizeof(T) * count);
        T scalar = T(0.625);
        int64_t step = stride * static_cast<int64_t>(sizeof(T));
        // The final state lies where the initial one was.
        kernel.run(std::vector<Binding>{{x.as<T>(), step},
                                        {shared ? &scalar : v.as<T>(), 0, shared ? 0 : int64_t(sizeof(T))},
                                        {s.as<T>(), step},
                                        {v.as<T>()}},
                   steps, count, params);
        lif<T>(3, 0.75, x.as<T>(), stride, steps, count, initial.data(), spikes.data(), stride);
        std::string what = fmt::format("{} neurons, {} steps", count, steps);
        expectSame(s.as<T>(), spikes.data(), stride * steps, what + ", spikes");
        expectSame(v.as<T>(), initial.data(), count, what + ", state");
        EXPECT_TRUE(x.intact() && s.intact() && v.intact()) << what;
      }
  }
};

TEST_P(Skeleton, EqualsAPlainLoop) { runLif<float>("f32", 0, false); }
TEST_P(Skeleton, LeavesGapsBetweenStepsAlone) { runLif<float>("f32", 5, false); }
TEST_P(Skeleton, ReadsOneInitialValueForAll) { runLif<float>("f32", 0, true); }
TEST_P(Skeleton, TakesDoubles) { runLif<double>("f64", 3, false); }

/// An int and a bool state, both declared, a bool input, a bool output; no param and no state given.
TEST_P(Skeleton, TakesIntsAndBools) {
  Compiled kernel(fmt::format(R"(
scan.kernel @count inference
    operands [#scan.operand<"fires", input, bool>, #scan.operand<"odd", output, bool>, #scan.operand<"n", final, i32>,
              #scan.operand<"before", final, bool>]
    states ["n", "before"] schedule #scan.cpu<tile = {}, width = {}>
prologue {{
  scan.yield
}} init {{
  %three = arith.constant 3 : i32
  %true = arith.constant true
  scan.yield %three, %true : i32, i1
}} step {{
^bb0(%fires: i1, %n: i32, %before: i1):
  %one = arith.extui %fires : i1 to i32
  %more = arith.addi %n, %one : i32
  %odd = arith.trunci %more : i32 to i1
  %same = arith.xori %odd, %before : i1
  scan.yield %more, %fires, %same : i32, i1, i1
}})",
                              tile, width()),
                  target());
  for (int64_t count : counts) {
    const int64_t steps = 7;
    Guarded fires(count * steps), odd(count * steps), n(4 * count), before(count);
    std::vector<unsigned char> wantOdd(count * steps + 1), wantBefore(count + 1, 1);
    std::vector<int32_t> wantN(count + 1, 3);
    std::minstd_rand random(3);
    for (int64_t i = 0; i < count * steps; ++i)
      fires.as<unsigned char>()[i] =
          static_cast<unsigned char>(random() % 2 ? random() % 255 + 1 : 0); // any byte is true
    for (int64_t i = 0; i < count * steps; ++i) {
      bool spike = fires.as<unsigned char>()[i] != 0;
      wantN[i % count] += spike;
      wantOdd[i] = (wantN[i % count] & 1) ^ wantBefore[i % count];
      wantBefore[i % count] = spike;
    }
    kernel.run(
        std::vector<Binding>{{fires.as<char>(), count}, {odd.as<char>(), count}, {n.as<char>()}, {before.as<char>()}},
        steps, count);
    expectSame(odd.as<unsigned char>(), wantOdd.data(), count * steps, "output");
    expectSame(n.as<int32_t>(), wantN.data(), count, "int state");
    expectSame(before.as<unsigned char>(), wantBefore.data(), count, "bool state");
    EXPECT_TRUE(fires.intact() && odd.intact() && n.intact() && before.intact());
  }
}

/// A range of tiles gives what the whole gives: threads may share the work at any tile's edge.
TEST_P(Skeleton, RangesJoinAtTiles) {
  Compiled kernel(lifText("f32", width()), target());
  const int64_t count = 200, steps = 7;
  const uint64_t params[] = {slot(3.0f), slot(0.75f)};
  std::vector<float> x(count * steps), whole(count * steps), parts(count * steps), zero(count), v(count), w(count);
  fill(x.data(), count * steps);
  auto bind = [&](std::vector<float> &s, std::vector<float> &last) {
    return std::vector<Binding>{{x.data(), 4 * count}, {zero.data(), 0, 4}, {s.data(), 4 * count}, {last.data()}};
  };
  kernel.run(bind(whole, v), steps, count, params);
  kernel.runRange(bind(parts, w), steps, 128, count, params);
  kernel.runRange(bind(parts, w), steps, 0, 64, params);
  kernel.runRange(bind(parts, w), steps, 64, 128, params);
  expectSame(parts.data(), whole.data(), count * steps, "spikes");
  expectSame(w.data(), v.data(), count, "state");
}

/// Past the caches: any count, rows that begin on their alignment, and before it less than a vector at a time.
TEST_P(Skeleton, StreamsToAlignedRows) {
  Compiled kernel(lifText("f32", width(), ", streaming = true"), target());
  const uint64_t params[] = {slot(3.0f), slot(0.75f)};
  for (int64_t head : {0, 1, 7})
    for (int64_t count : counts)
      for (int64_t steps : times) {
        if (head > count)
          continue;
        const int64_t stride = 1088; // a multiple of the widest vector, above all counts
        Guarded x(4 * stride * steps), s(4 * stride * (steps + 1));
        std::vector<float> v(count + 1, 0.5f), initial(v), spikes(stride * steps);
        fill(x.as<float>(), stride * steps);
        auto address = reinterpret_cast<uintptr_t>(s.as<float>());
        float *row = s.as<float>() + ((256 - address % 256) / 4 + 64 - head); // neuron `head` is aligned
        std::memcpy(spikes.data(), row, 4 * stride * steps);
        std::vector<Binding> operands = {{x.as<float>(), 4 * stride}, {v.data(), 0, 4}, {row, 4 * stride}, {v.data()}};
        const int64_t few = std::max(1U, width() - 1);
        for (int64_t first = 0; first < head; first += few)
          kernel.runRange(operands, steps, first, std::min(first + few, head), params);
        kernel.runRange(operands, steps, head, count, params);
        lif<float>(3, 0.75, x.as<float>(), stride, steps, count, initial.data(), spikes.data(), stride);
        std::string what = fmt::format("{} neurons, {} steps, {} before the first aligned one", count, steps, head);
        expectSame(row, spikes.data(), stride * steps, what + ", spikes");
        expectSame(v.data(), initial.data(), count, what + ", state");
        EXPECT_TRUE(x.intact() && s.intact()) << what;
      }
}

/// Nothing is read that the step does not use: the input's memory is not there.
TEST_P(Skeleton, UnusedInputIsNotRead) {
  Compiled kernel(fmt::format(R"(
scan.kernel @constant inference operands [#scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>] states []
    schedule #scan.cpu<tile = {}, width = {}>
prologue {{
  scan.yield
}} init {{
  scan.yield
}} step {{
^bb0(%x: f32):
  %y = arith.constant 2.5 : f32
  scan.yield %y : f32
}})",
                              tile, width()),
                  target());
  std::vector<float> y(33, 0), want(33, 2.5f);
  kernel.run(std::vector<Binding>{{nullptr, 0}, {y.data(), 0}}, 2, 33);
  expectSame(y.data(), want.data(), 33, "output");
}

std::string nameOfCase(const testing::TestParamInfo<std::tuple<Target, unsigned>> &info) {
  return nameOf(std::get<0>(info.param)) + "_" + std::to_string(std::get<1>(info.param));
}
INSTANTIATE_TEST_SUITE_P(Widths, Skeleton,
                         testing::Combine(testing::ValuesIn(targets()), testing::Values(1, 4, 8, 16, 64)), nameOfCase);

} // namespace
} // namespace flexsn::test
