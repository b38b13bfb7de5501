// Strided kernels: operands that lie each in their own way give the bits of a plain loop, and no byte beside their
// elements changes.
#include "tests/numerics/Compiled.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace flexsn::test {
namespace {

/// A running sum that is delivered scaled, and starts from a tensor.
std::string sumText(const std::string &type, unsigned width, unsigned tile) {
  return fmt::format(R"(
scan.kernel @sum inference
    operands [#scan.operand<"x", input, {0}>, #scan.operand<"on", input, bool>, #scan.operand<"v", initial, {0}>,
              #scan.operand<"y", output, {0}>, #scan.operand<"off", output, bool>, #scan.operand<"v", final, {0}>]
    states ["v"] layout strided schedule #scan.cpu<tile = {1}, width = {2}>
prologue {{
  scan.yield
}} init {{
  %zero = arith.constant 0.0 : {0}
  scan.yield %zero : {0}
}} step {{
^bb0(%x: {0}, %on: i1, %v: {0}):
  %sum = arith.addf %v, %x : {0}
  %next = arith.select %on, %sum, %v : {0}
  %half = arith.constant 0.5 : {0}
  %y = arith.mulf %next, %half : {0}
  %true = arith.constant true
  %off = arith.xori %on, %true : i1
  scan.yield %next, %y, %off : {0}, {0}, i1
}})",
                     type, tile, width);
}

/// Elements of an operand among other bytes. Strides are in elements, the first one is time's.
template <class T> class Scattered {
public:
  Scattered(std::vector<int64_t> shape, std::vector<int64_t> strides, int64_t misalignment)
      : shape(std::move(shape)), strides(std::move(strides)) {
    int64_t low = 0, high = 0;
    for (size_t d = 0; d < this->shape.size(); ++d)
      (this->strides[d] < 0 ? low : high) += this->strides[d] * (this->shape[d] - 1);
    size_t bytes = static_cast<size_t>(high - low + 1) * sizeof(T);
    memory.assign(bytes + 2 * guard, 0x5a);
    origin = static_cast<int64_t>(guard) - 64 + misalignment - low * static_cast<int64_t>(sizeof(T));
  }

  /// Element of step t and neuron n, counted over the dimensions behind time.
  unsigned char *at(int64_t t, int64_t n) {
    int64_t place = t * strides[0];
    for (size_t d = shape.size(); d-- > 1; n /= shape[d])
      place += n % shape[d] * strides[d];
    return memory.data() + origin + place * static_cast<int64_t>(sizeof(T));
  }
  void set(int64_t t, int64_t n, T value) { std::memcpy(at(t, n), &value, sizeof value); }
  T get(int64_t t, int64_t n) {
    T value;
    std::memcpy(&value, at(t, n), sizeof value);
    return value;
  }

  Binding binding() {
    Binding result{memory.data() + origin, strides[0] * static_cast<int64_t>(sizeof(T))};
    for (size_t d = 1; d < strides.size(); ++d)
      result.strides.push_back(strides[d] * static_cast<int64_t>(sizeof(T)));
    return result;
  }
  const std::vector<unsigned char> &bytes() const { return memory; }

private:
  static constexpr size_t guard = 128;
  std::vector<int64_t> shape, strides;
  std::vector<unsigned char> memory;
  int64_t origin; ///< of element 0, in `memory`
};

/// Strides of a dense array of that shape whose dimensions lie in the given order, outermost first, times `gap`.
std::vector<int64_t> inOrder(const std::vector<int64_t> &shape, const std::vector<size_t> &order, int64_t gap = 1) {
  std::vector<int64_t> strides(shape.size());
  int64_t dense = gap;
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = dense;
    dense *= shape[order[i]];
  }
  return strides;
}

class Strided : public testing::TestWithParam<std::tuple<Target, unsigned>> {
protected:
  Target target() const { return std::get<0>(GetParam()); }
  unsigned width() const { return std::get<1>(GetParam()); }
  static constexpr unsigned tile = 64;

  struct Strides {
    std::vector<int64_t> x, on, v, y, off;
  };

  Compiled compile(const std::string &type) const { return Compiled(sumText(type, width(), tile), target()); }

  template <class T> void run(const Compiled &kernel, const std::vector<int64_t> &shape, const Strides &strides) {
    const int64_t steps = shape[0];
    std::vector<int64_t> extents(shape.begin() + 1, shape.end());
    const int64_t count = std::accumulate(extents.begin(), extents.end(), int64_t{1}, std::multiplies<>());
    std::vector<int64_t> one = shape;
    one[0] = 1;
    Scattered<T> x(shape, strides.x, 1), v(one, strides.v, 0), y(shape, strides.y, 3);
    Scattered<unsigned char> on(shape, strides.on, 0), off(shape, strides.off, 1);
    std::minstd_rand random(7);
    for (int64_t n = 0; n < count; ++n) {
      v.set(0, n, static_cast<T>(random() % 100) / 3);
      for (int64_t t = 0; t < steps; ++t) {
        x.set(t, n, static_cast<T>(random() % 1000) / 7 - 50);
        on.set(t, n, random() % 3 ? static_cast<unsigned char>(random()) : 0);
      }
    }
    Scattered<T> wantV = v, wantY = y;
    Scattered<unsigned char> wantOff = off;
    for (int64_t n = 0; n < count; ++n)
      for (int64_t t = 0; t < steps; ++t) {
        bool adds = on.get(t, n) != 0;
        wantV.set(0, n, adds ? wantV.get(0, n) + x.get(t, n) : wantV.get(0, n));
        wantY.set(t, n, wantV.get(0, n) * T(0.5));
        wantOff.set(t, n, !adds);
      }

    std::vector<Binding> bindings = {x.binding(), on.binding(), v.binding(), y.binding(), off.binding(), v.binding()};
    // Two ranges, the second one first: tiles know their place.
    int64_t middle = count > tile ? tile : 0;
    if (middle > 0)
      kernel.runRange(bindings, steps, middle, count, {}, extents);
    kernel.runRange(bindings, steps, 0, middle > 0 ? middle : count, {}, extents);
    EXPECT_EQ(y.bytes(), wantY.bytes());
    EXPECT_EQ(v.bytes(), wantV.bytes());
    EXPECT_EQ(off.bytes(), wantOff.bytes());
  }
};

/// Each operand in another order, with gaps, at odd addresses; ragged and tiny sizes.
TEST_P(Strided, OperandsThatDiffer) {
  Compiled floats = compile("f32"), doubles = compile("f64");
  for (std::vector<int64_t> shape :
       std::vector<std::vector<int64_t>>{{3, 5, 3, 13}, {2, 1, 1, 1}, {1, 2, 64, 3}, {2, 33, 1, 2}, {4, 2, 3, 31}}) {
    std::vector<int64_t> one = shape;
    one[0] = 1;
    run<float>(floats, shape,
               {inOrder(shape, {0, 1, 2, 3}), inOrder(shape, {0, 3, 2, 1}), inOrder(one, {0, 2, 1, 3}),
                inOrder(shape, {1, 2, 3, 0}), inOrder(shape, {0, 2, 3, 1}, 2)});
    run<double>(doubles, shape,
                {inOrder(shape, {0, 2, 1, 3}, 3), inOrder(shape, {0, 1, 2, 3}), inOrder(one, {0, 1, 2, 3}),
                 inOrder(shape, {0, 1, 2, 3}), inOrder(shape, {3, 2, 1, 0})});
  }
}

TEST_P(Strided, RepeatsReversalsAndTimeThatStandsStill) {
  Compiled floats = compile("f32");
  const std::vector<int64_t> shape = {3, 4, 35};
  run<float>(floats, shape, {{140, 35, -1}, {140, 0, 1}, {0, 35, 1}, {140, -35, 1}, {140, 35, 1}});
  run<float>(floats, shape, {{0, 1, 0}, {-140, 35, 1}, {0, 1, 4}, {-140, 35, 1}, {140, 35, 1}});
}

/// Vectors whose lanes lie side by side, but for those behind the end of a row.
TEST_P(Strided, RowsThatEndInsideOfAVector) {
  Compiled floats = compile("f32");
  for (int64_t row : {1, 2, 7, 8, 9, 16, 17, 63, 64, 65}) {
    const std::vector<int64_t> shape = {2, 5, row};
    run<float>(
        floats, shape,
        {{5 * (row + 3), row + 3, 1}, {5 * row, row, 1}, {0, row, 1}, {10 * row, 2 * row, 1}, {5 * row, row, 1}});
  }
}

std::string nameOfCase(const testing::TestParamInfo<std::tuple<Target, unsigned>> &info) {
  return nameOf(std::get<0>(info.param)) + "_" + std::to_string(std::get<1>(info.param));
}
INSTANTIATE_TEST_SUITE_P(Widths, Strided, testing::Combine(testing::ValuesIn(targets()), testing::Values(1, 4, 16)),
                         nameOfCase);

} // namespace
} // namespace flexsn::test
