// The two kernels of a training step around a step: checkpoints, chunks, gradients, sums. Both are compared bit for bit
// with plain loops, for every way to cut neurons and steps.
#include "tests/numerics/Compiled.h"

#include "runtime/Reduction.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

namespace flexsn::test {
namespace {

/// How a kernel is cut.
struct Cut {
  unsigned tile, width, every;
  bool strided = false, streaming = false;
};

/// A step with float, int and bool values, one given state and two declared ones; made to be compared, not to spike.
const char *const primal = R"(prologue {{
^bb0(%tau: {0}, %threshold: {0}):
  %one = arith.constant 1.0 : {0}
  %rate = arith.divf %one, %tau : {0}
  scan.yield %rate : {0}
}} init {{
^bb0(%tau: {0}, %threshold: {0}, %rate: {0}):
  %zero = arith.constant 0.0 : {0}
  %three = arith.constant 3 : i32
  scan.yield %zero, %tau, %three : {0}, {0}, i32
}} step {{
^bb0(%tau: {0}, %threshold: {0}, %rate: {0}, %x: {0}, %gate: i1, %v: {0}, %w: {0}, %n: i32):
  %zero = arith.constant 0.0 : {0}
  %difference = arith.subf %x, %v : {0}
  %change = arith.mulf %difference, %rate : {0}
  %open = arith.addf %v, %change : {0}
  %h = arith.select %gate, %open, %v : {0}
  %over = arith.cmpf ogt, %h, %threshold : {0}
  %v1 = arith.select %over, %zero, %h : {0}
  %old = arith.mulf %w, %rate : {0}
  %w1 = arith.addf %old, %h : {0}
  %one = arith.extui %gate : i1 to i32
  %n1 = arith.addi %n, %one : i32
  %f = arith.sitofp %n1 : i32 to {0}
)";

std::string schedule(const Cut &cut) {
  return fmt::format("    states [\"v\", \"w\", \"n\"]{}\n    every {}\n", cut.strided ? " layout strided" : "",
                     cut.every);
}

std::string cpu(const Cut &cut) {
  return fmt::format("    schedule #scan.cpu<tile = {}, width = {}{}>\n", cut.tile, cut.width,
                     cut.streaming ? ", streaming = true" : "");
}

/// `storage`: of sequences. `type`: of all else.
std::string forwardText(const std::string &type, const std::string &storage, const Cut &cut) {
  return fmt::format(R"(
scan.kernel @step forward
    operands [#scan.operand<"tau", param, {0}>, #scan.operand<"threshold", param, {0}>, #scan.operand<"x", input, {1}>,
              #scan.operand<"gate", input, bool>, #scan.operand<"v", initial, {0}>, #scan.operand<"y", output, {1}>,
              #scan.operand<"v", checkpoint, {0}>, #scan.operand<"w", checkpoint, {0}>,
              #scan.operand<"n", checkpoint, i32>]
)",
                     type, storage) +
         schedule(cut) + cpu(cut) + fmt::format(fmt::runtime(primal), type) +
         fmt::format("  scan.yield %v1, %w1, %n1, %h : {0}, {0}, i32, {0}\n}}", type);
}

std::string backwardText(const std::string &type, const std::string &storage, const Cut &cut) {
  return fmt::format(R"(
scan.kernel @step backward
    operands [#scan.operand<"tau", param, {0}>, #scan.operand<"threshold", param, {0}>, #scan.operand<"x", input, {1}>,
              #scan.operand<"gate", input, bool>, #scan.operand<"v", initial, {0}>,
              #scan.operand<"v", checkpoint, {0}>, #scan.operand<"w", checkpoint, {0}>,
              #scan.operand<"n", checkpoint, i32>, #scan.operand<"y", grad_output, {1}>,
              #scan.operand<"v", grad_final, {0}>, #scan.operand<"x", grad_input, {1}>,
              #scan.operand<"v", grad_initial, {0}>, #scan.operand<"tau", grad_param, {0}>]
)",
                     type, storage) +
         schedule(cut) + "    carried [\"v\", \"w\"]\n    sums [0, 2]\n" + cpu(cut) +
         fmt::format(fmt::runtime(primal), type) +
         fmt::format(R"(
  scan.yield %v1, %w1, %n1, %h, %over, %w, %f : {0}, {0}, i32, {0}, i1, {0}, {0}
}} adjoint {{
^bb0(%tau: {0}, %threshold: {0}, %rate: {0}, %x: {0}, %gate: i1, %h: {0}, %over: i1, %w: {0}, %f: {0}, %gy: {0},
     %gv: {0}, %gw: {0}):
  %zero = arith.constant 0.0 : {0}
  %kept = arith.select %over, %zero, %gv : {0}
  %sum = arith.addf %gy, %gw : {0}
  %gh = arith.addf %sum, %kept : {0}
  %open = arith.select %gate, %gh, %zero : {0}
  %gx = arith.mulf %open, %rate : {0}
  %gv0 = arith.subf %gh, %gx : {0}
  %gw0 = arith.mulf %gw, %rate : {0}
  %scaled = arith.mulf %gh, %f : {0}
  %gtau = arith.mulf %scaled, %x : {0}
  %grate = arith.mulf %gw, %w : {0}
  scan.yield %gx, %gv0, %gw0, %gtau, %grate : {0}, {0}, {0}, {0}, {0}
}} init_adjoint {{
^bb0(%tau: {0}, %threshold: {0}, %rate: {0}, %gv: {0}, %gw: {0}):
  %gtau = arith.mulf %gw, %tau : {0}
  %nothing = arith.constant -0.0 : {0}
  scan.yield %gtau, %nothing : {0}, {0}
}} epilogue {{
^bb0(%tau: {0}, %threshold: {0}, %gtau: {0}, %grate: {0}):
  %through = arith.mulf %grate, %tau : {0}
  %all = arith.addf %gtau, %through : {0}
  scan.yield %all : {0}
}})",
                     type);
}

template <class T> std::string typeName() { return sizeof(T) == 4 ? "f32" : "f64"; }

/// A call's memory: sequences with `stride` elements from step to step, checkpoints behind each other.
template <class T> struct Memory {
  int64_t steps, count, stride;
  std::vector<T> x, initial, y, gy, gfinal, gx, ginitial;
  std::vector<unsigned char> gate;
  std::vector<T> savedV, savedW;
  std::vector<int32_t> savedN;
  std::vector<T> partials; ///< two sums
  int64_t groups() const { return (count + sumGroup - 1) / sumGroup; }

  Memory(int64_t steps, int64_t count, int64_t stride) : steps(steps), count(count), stride(stride) {
    std::minstd_rand random(static_cast<unsigned>(steps * 7919 + count));
    auto draw = [&](std::vector<T> &values, int64_t size) {
      values.resize(size + 1);
      for (T &value : values)
        value = static_cast<T>(random()) / static_cast<T>(random.max()) * 4 - 1;
    };
    for (std::vector<T> *sequence : {&x, &gy})
      draw(*sequence, steps * stride);
    for (std::vector<T> *state : {&initial, &gfinal})
      draw(*state, count);
    gate.resize(steps * stride + 1);
    for (unsigned char &open : gate)
      open = random() % 4 != 0;
    if (count > 5) { // what is not finite goes where the equations carry it, and nowhere else
      x[2] = std::numeric_limits<T>::infinity();
      x[5] = std::numeric_limits<T>::quiet_NaN();
    }
    y.assign(steps * stride + 1, T(-7));
    gx = y;
    ginitial.assign(count + 1, T(-7));
    partials.assign(2 * groups() + 1, T(-7));
  }

  void save(unsigned every) {
    int64_t size = (steps - 1) / every * count + 1;
    savedV.assign(size, T(-7));
    savedW.assign(size, T(-7));
    savedN.assign(size, -7);
  }
};

/// The same by loops over neurons, then steps.
template <class T> void plain(Memory<T> &m, T tau, T threshold, unsigned every, uint64_t *gradient) {
  T rate = 1 / tau;
  std::vector<T> sums[2];
  m.save(every);
  for (auto &sum : sums)
    sum.assign(m.count, T(-0.0));
  for (int64_t i = 0; i < m.count; ++i) {
    std::vector<T> h(m.steps), w(m.steps), f(m.steps);
    T v = m.initial[i], last = tau;
    int32_t n = 3;
    for (int64_t t = 0; t < m.steps; ++t) {
      if (t > 0 && t % every == 0) {
        int64_t at = (t / every - 1) * m.count + i;
        m.savedV[at] = v, m.savedW[at] = last, m.savedN[at] = n;
      }
      int64_t at = t * m.stride + i;
      w[t] = last;
      h[t] = m.gate[at] ? v + (m.x[at] - v) * rate : v;
      v = h[t] > threshold ? 0 : h[t];
      last = last * rate + h[t];
      n += m.gate[at];
      f[t] = static_cast<T>(n);
      m.y[at] = h[t];
    }
    T gv = m.gfinal[i], gw = 0;
    for (int64_t t = m.steps; t-- > 0;) {
      int64_t at = t * m.stride + i;
      T gh = m.gy[at] + gw + (h[t] > threshold ? 0 : gv);
      m.gx[at] = (m.gate[at] ? gh : 0) * rate;
      gv = gh - m.gx[at];
      T summands[] = {gh * f[t] * m.x[at], gw * w[t]};
      for (int s = 0; s < 2; ++s)
        sums[s][i] = t == m.steps - 1 ? summands[s] : sums[s][i] + summands[s];
      gw *= rate;
    }
    sums[0][i] += gw * tau;
    m.ginitial[i] = gv;
  }
  uint64_t totals[2];
  for (int s = 0; s < 2; ++s) {
    for (int64_t g = 0; g < m.groups(); ++g) {
      std::vector<T> group(sums[s].begin() + g * sumGroup, sums[s].begin() + std::min(m.count, (g + 1) * sumGroup));
      uint64_t total = sumByTree(group.data(), group.size(), sizeof(T) == 4 ? Storage::F32 : Storage::F64);
      std::memcpy(&m.partials[s * m.groups() + g], &total, sizeof(T));
    }
    std::vector<T> all(m.partials.begin() + s * m.groups(), m.partials.begin() + (s + 1) * m.groups());
    totals[s] = sumByTree(all.data(), all.size(), sizeof(T) == 4 ? Storage::F32 : Storage::F64);
  }
  T total[2];
  for (int s = 0; s < 2; ++s)
    std::memcpy(&total[s], &totals[s], sizeof(T));
  T all = total[0] + total[1] * tau;
  std::memcpy(gradient, &all, sizeof(T));
}

template <class T> void expectSame(const std::vector<T> &got, const std::vector<T> &want, const std::string &what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (size_t i = 0; i < got.size(); ++i)
    if (std::memcmp(&got[i], &want[i], sizeof(T)) != 0 && !(got[i] != got[i] && want[i] != want[i])) {
      ADD_FAILURE() << what << ": element " << i << " is " << got[i] << ", not " << want[i];
      return;
    }
}

template <class T> void expectSame(const Memory<T> &got, const Memory<T> &want, const std::string &what) {
  expectSame(got.y, want.y, what + ", outputs");
  expectSame(got.savedV, want.savedV, what + ", checkpoints of v");
  expectSame(got.savedW, want.savedW, what + ", checkpoints of w");
  expectSame(got.savedN, want.savedN, what + ", checkpoints of n");
  expectSame(got.gx, want.gx, what + ", gradients of x");
  expectSame(got.ginitial, want.ginitial, what + ", gradients of v");
  expectSame(got.partials, want.partials, what + ", sums");
}

/// What is written, where streamed vectors can be: at the beginning of a cache line. Goes back to its own place at the
/// end.
template <class T> class Lines {
public:
  Lines(std::vector<T> &values, bool moved) : values(values) {
    if (!moved)
      return;
    room.resize(values.size() + 64 / sizeof(T));
    at = room.data() + (-reinterpret_cast<uintptr_t>(room.data()) % 64) / sizeof(T);
    std::copy(values.begin(), values.end(), at);
  }
  ~Lines() {
    if (at)
      std::copy_n(at, values.size(), values.begin());
  }
  Lines(const Lines &) = delete;
  Lines &operator=(const Lines &) = delete;
  T *data() { return at ? at : values.data(); }

private:
  std::vector<T> &values;
  std::vector<T> room;
  T *at = nullptr;
};

/// Both kernels of a training step.
template <class T> class Training {
public:
  Training(const Target &target, const Cut &cut)
      : cut(cut), forward(forwardText(typeName<T>(), typeName<T>(), cut), target),
        backward(backwardText(typeName<T>(), typeName<T>(), cut), target) {}

  /// Runs both, for neurons in ranges that begin at `edges`.
  uint64_t run(Memory<T> &m, std::vector<int64_t> edges = {}) const {
    const int64_t item = sizeof(T), step = item * m.stride, saved = item * m.count;
    m.save(cut.every);
    std::vector<Binding> sequences = {
        {m.x.data(), step, item}, {m.gate.data(), m.stride, 1}, {m.initial.data(), 0, item}};
    const Binding checkpoints[] = {
        {m.savedV.data(), saved, item}, {m.savedW.data(), saved, item}, {m.savedN.data(), 4 * m.count, 4}};
    std::vector<Binding> there = sequences, back = sequences;
    Lines<T> y(m.y, cut.streaming), gx(m.gx, cut.streaming);
    there.push_back({y.data(), step, item});
    there.insert(there.end(), std::begin(checkpoints), std::end(checkpoints));
    back.insert(back.end(), std::begin(checkpoints), std::end(checkpoints));
    back.insert(
        back.end(),
        {{m.gy.data(), step, item}, {m.gfinal.data(), 0, item}, {gx.data(), step, item}, {m.ginitial.data(), 0, item}});
    for (auto *list : {&there, &back})
      for (Binding &binding : *list)
        binding.strides = {binding.elementStride};
    const int64_t extents[] = {m.count};
    edges.insert(edges.begin(), 0);
    edges.push_back(m.count);
    for (size_t i = edges.size() - 1; i-- > 0;) {
      forward.runRange(there, m.steps, edges[i], edges[i + 1], params, extents);
      backward.runRange(back, m.steps, edges[i], edges[i + 1], params, extents, {m.partials.data(), item * m.groups()});
    }
    std::vector<uint64_t> sums;
    std::vector<T> partials = m.partials;
    for (int s = 0; s < 2; ++s)
      sums.push_back(sumByTree(partials.data() + s * m.groups(), m.groups(), item == 4 ? Storage::F32 : Storage::F64));
    return backward.paramGradients(params, sums, 1).front();
  }

  Cut cut;
  Compiled forward, backward;
  const std::vector<uint64_t> params = {slot(T(3)), slot(T(0.75))};
};

class TrainingSkeleton : public testing::TestWithParam<std::tuple<Target, unsigned>> {
protected:
  Target target() const { return std::get<0>(GetParam()); }
  unsigned width() const { return std::get<1>(GetParam()); }

  template <class T> void compare(const Cut &cut, int64_t steps, int64_t count, std::vector<int64_t> edges = {}) {
    compare(Training<T>(target(), cut), steps, count, std::move(edges));
  }
  template <class T>
  void compare(const Training<T> &training, int64_t steps, int64_t count, std::vector<int64_t> edges = {}) {
    int64_t stride = training.cut.streaming ? (count + 67) / 64 * 64 : count + 3; // in whole cache lines
    Memory<T> got(steps, count, stride), want = got;
    uint64_t gradient = 0;
    plain<T>(want, 3, 0.75, training.cut.every, &gradient);
    uint64_t same = training.run(got, std::move(edges));
    std::string what = fmt::format("{} neurons, {} steps, a checkpoint every {}, tiles of {}", count, steps,
                                   training.cut.every, training.cut.tile);
    expectSame(got, want, what);
    T reduced, wanted;
    std::memcpy(&reduced, &same, sizeof(T));
    std::memcpy(&wanted, &gradient, sizeof(T));
    EXPECT_TRUE(reduced == wanted || (reduced != reduced && wanted != wanted))
        << what << ": " << reduced << ", not " << wanted;
  }
};

TEST_P(TrainingSkeleton, EqualsPlainLoops) {
  for (unsigned every : {1U, 3U, 16U})
    for (unsigned tile : {64U, 2048U}) {
      Training<float> training(target(), {tile, width(), every});
      for (int64_t steps : {1, 2, 5, 17, 40})
        for (int64_t count : {1, 7, 64, 65, 1023, 1024, 1025, 3000})
          compare(training, steps, count);
    }
}

TEST_P(TrainingSkeleton, TakesDoubles) {
  for (unsigned every : {1U, 4U}) {
    Training<double> training(target(), {256, width(), every});
    for (int64_t count : {1, 9, 2100})
      compare(training, 17, count);
  }
}

/// Where operands are found by strides, checkpoints lie dense all the same.
TEST_P(TrainingSkeleton, TakesStrides) {
  for (unsigned every : {1U, 4U}) {
    Training<float> training(target(), {128, width(), every, /*strided=*/true});
    for (int64_t count : {1, 65, 1100})
      compare(training, 9, count);
  }
}

/// Chunks go through a pipeline across tiles and spans, ragged ones in time too; what is behind the last whole span
/// goes the plain way, and without steps all of it.
TEST_P(TrainingSkeleton, StreamsThroughAPipeline) {
  for (unsigned every : {2U, 5U, 16U})
    for (unsigned tile : {64U, 2048U}) {
      Training<float> training(target(), {tile, width(), every, /*strided=*/false, /*streaming=*/true});
      for (int64_t steps : {0, 1, 5, 17})
        for (int64_t count : {1, 1024, 5000})
          compare(training, steps, count);
      compare(training, 17, 9000, {2048, 4096, 7168});
    }
  Training<double> doubles(target(), {256, width(), 4, /*strided=*/false, /*streaming=*/true});
  compare(doubles, 17, 5000);
}

/// Threads may share the work at any group's edge.
TEST_P(TrainingSkeleton, RangesJoinAtGroups) {
  Training<float> training(target(), {64, width(), 4});
  compare(training, 9, 5000, {1024, 4096});
  compare(training, 9, 5000, {3072});
}

/// The last tile of a group may be a ragged one.
TEST_P(TrainingSkeleton, SumsDoNotDependOnTheTile) {
  for (unsigned tile : {64U, 128U, 256U, 512U, 1024U, 4096U})
    compare<float>({tile, width(), 4}, 5, 2047);
}

std::string nameOfCase(const testing::TestParamInfo<std::tuple<Target, unsigned>> &info) {
  return nameOf(std::get<0>(info.param)) + "_" + std::to_string(std::get<1>(info.param));
}
INSTANTIATE_TEST_SUITE_P(Widths, TrainingSkeleton,
                         testing::Combine(testing::ValuesIn(targets()), testing::Values(1, 4, 8, 16)), nameOfCase);

} // namespace
} // namespace flexsn::test
