#include "runtime/Layout.h"

#include "runtime/KernelAbi.h"
#include "tests/runtime/Support.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

namespace flexsn::test {
namespace {

static_assert(mostDims == maxDims, "the kernels' iteration space has the normaliser's size");

using Numbers = std::vector<int64_t>;

TensorView tensor(Numbers shape, Numbers strides, std::string label = "LIF: input 'x'") {
  static char memory[8];
  return {std::move(label), memory, Storage::F32, std::move(shape), std::move(strides)};
}

/// The space of sequences [T, ...], the first of which decides.
IterationSpace spaceOf(const std::vector<TensorView> &sequences) {
  std::vector<WalkedView> operands;
  for (const TensorView &view : sequences)
    operands.push_back({&view, 1});
  return iterationSpace(operands, 0);
}

TEST(IterationSpace, DenseOperandsAreOneDimension) {
  IterationSpace rows = spaceOf({tensor({4, 2, 3}, {6, 3, 1}), tensor({4, 2, 3}, {60, 3, 1})});
  EXPECT_EQ(rows.layout, Layout::Linear);
  EXPECT_EQ(rows.neurons, 6);
  EXPECT_EQ(rows.extents, (Numbers{6}));
  // Transposed and channels-last ones too, as long as all agree.
  IterationSpace columns = spaceOf({tensor({4, 2, 3}, {6, 1, 2}), tensor({4, 2, 3}, {6, 1, 2})});
  EXPECT_EQ(columns.layout, Layout::Linear);
  IterationSpace last = spaceOf({tensor({4, 2, 8, 5, 7}, {560, 280, 1, 56, 8})});
  EXPECT_EQ(last.layout, Layout::Linear);
  EXPECT_EQ(last.neurons, 560);
  EXPECT_EQ(spaceOf({tensor({4}, {1})}).layout, Layout::Linear); // [T]: one neuron
}

TEST(IterationSpace, TimeIsFree) {
  for (int64_t time : {6, 100, -6, 0, 7})
    EXPECT_EQ(spaceOf({tensor({4, 2, 3}, {time, 3, 1})}).layout, Layout::Linear);
}

TEST(IterationSpace, SizesOfOneMeanNothing) {
  IterationSpace space = spaceOf({tensor({4, 1, 3}, {3, 77, 1}), tensor({4, 1, 3}, {3, -5, 1})});
  EXPECT_EQ(space.layout, Layout::Linear);
  EXPECT_EQ(space.extents, (Numbers{3}));
}

TEST(IterationSpace, WithoutNeuronsEveryLayoutWillDo) {
  IterationSpace space = spaceOf({tensor({4, 0, 3}, {1, 5, 9}), tensor({4, 0, 3}, {2, 2, 2})});
  EXPECT_EQ(space.neurons, 0);
  EXPECT_EQ(space.layout, Layout::Linear);
}

TEST(IterationSpace, TheFirstOperandDecidesTheOrder) {
  IterationSpace space = spaceOf({tensor({4, 2, 3}, {6, 1, 2}), tensor({4, 2, 3}, {6, 3, 1})});
  EXPECT_EQ(space.layout, Layout::Strided);
  EXPECT_EQ(space.extents, (Numbers{3, 2}));
  EXPECT_EQ(space.strides, (std::vector<Numbers>{{2, 1}, {1, 3}}));
}

TEST(IterationSpace, GapsRepeatsAndReversalsAreStrided) {
  IterationSpace gap = spaceOf({tensor({2, 2, 3}, {12, 6, 2})});
  EXPECT_EQ(gap.layout, Layout::Strided);
  EXPECT_EQ(gap.extents, (Numbers{6}));
  EXPECT_EQ(gap.strides[0], (Numbers{2}));
  // A repeated dimension keeps its place.
  IterationSpace expanded = spaceOf({tensor({2, 2, 3}, {3, 0, 1}), tensor({2, 2, 3}, {6, 3, 1})});
  EXPECT_EQ(expanded.extents, (Numbers{2, 3}));
  EXPECT_EQ(expanded.strides, (std::vector<Numbers>{{0, 1}, {3, 1}}));
  EXPECT_EQ(spaceOf({tensor({2, 2, 3}, {6, 3, -1})}).strides[0], (Numbers{3, -1}));
  EXPECT_EQ(spaceOf({tensor({2, 6}, {1, 2})}).strides[0], (Numbers{2})); // time innermost
}

TEST(IterationSpace, AStateWithoutDimensionsIsOneValueForAll) {
  TensorView x = tensor({4, 2, 3}, {6, 3, 1}), v = tensor({}, {});
  std::vector<WalkedView> operands = {{&x, 1}, {&v, 0}};
  EXPECT_EQ(iterationSpace(operands, 0).layout, Layout::Linear);
  x.strides = {12, 6, 2};
  IterationSpace space = iterationSpace(operands, 0);
  EXPECT_EQ(space.layout, Layout::Strided);
  EXPECT_EQ(space.strides[1], (Numbers{0}));
}

/// What is walked in another's order need not be dense along it, and the other's strides merge nothing.
TEST(IterationSpace, AnotherOperandMayDecideTheOrderAlone) {
  TensorView x = tensor({4, 2, 3, 5, 7}, {210, 105, 1, 21, 3}); // channels last: B, H, W, C
  TensorView channel = tensor({2, 3, 5, 7}, {0, 1, 0, 0}), neuron = tensor({2, 3, 5, 7}, {0, 35, 7, 1});
  std::vector<WalkedView> operands = {{&channel, 0}};
  IterationSpace space = iterationSpace(operands, {&x, 1});
  EXPECT_EQ(space.neurons, 210);
  EXPECT_EQ(space.extents, (Numbers{70, 3}));
  EXPECT_EQ(space.strides, (std::vector<Numbers>{{0, 1}}));
  operands.push_back({&neuron, 0});
  space = iterationSpace(operands, {&x, 1});
  EXPECT_EQ(space.extents, (Numbers{2, 35, 3}));
  EXPECT_EQ(space.strides, (std::vector<Numbers>{{0, 0, 1}, {0, 1, 35}}));
  EXPECT_EQ(iterationSpace({}, {&x, 1}).neurons, 210);
}

TEST(IterationSpace, MoreThanFiveDimensionsAreRefused) {
  Numbers shape = {1, 2, 2, 2, 2, 2, 2}, dense = {64, 32, 16, 8, 4, 2, 1}, reversed = {64, 1, 2, 4, 8, 16, 32};
  EXPECT_EQ(spaceOf({tensor(shape, dense)}).layout, Layout::Linear);
  Failure failure = failureOf([&] { spaceOf({tensor(shape, dense), tensor(shape, reversed)}); });
  EXPECT_EQ(failure.code, FLEXSN_ERROR_UNSUPPORTED);
  EXPECT_EQ(failure.message,
            "LIF: input 'x' of shape (1, 2, 2, 2, 2, 2, 2): the strides of the call's operands leave 6 dimensions that "
            "cannot be walked as one, and at most 5 are possible; copy the operands into one order first");
}

/// Every combination of indexes, the last dimension running fastest.
void forEachIndex(const Numbers &extents, const std::function<void(const Numbers &)> &body) {
  Numbers index(extents.size(), 0);
  for (;;) {
    body(index);
    size_t d = extents.size();
    for (; d > 0 && ++index[d - 1] == extents[d - 1]; --d)
      index[d - 1] = 0;
    if (d == 0)
      return;
  }
}

int64_t dot(const Numbers &index, const Numbers &strides) {
  return std::inner_product(index.begin(), index.end(), strides.begin(), int64_t{0});
}

/// Strides as views have them: a dense order, with gaps, repeats and reversals.
Numbers drawStrides(const Numbers &shape, std::mt19937 &random) {
  auto draw = [&](int high) { return std::uniform_int_distribution<int>(0, high)(random); };
  std::vector<size_t> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  if (draw(1) == 0)
    std::shuffle(order.begin(), order.end(), random);
  Numbers strides(shape.size());
  int64_t dense = draw(4) == 0 ? 2 : 1;
  for (size_t d : order) {
    strides[d] = draw(9) == 0 ? 0 : draw(9) == 0 ? -dense : dense;
    dense *= shape[d] + (draw(5) == 0);
  }
  return strides;
}

/// What the normaliser says of random operands, against every neuron written out.
TEST(IterationSpace, EqualsTheListOfAllNeurons) {
  std::mt19937 random(5);
  int linear = 0;
  for (int round = 0; round < 3000; ++round) {
    Numbers shape(random() % 5);
    for (int64_t &size : shape)
      size = 1 + static_cast<int64_t>(random() % 4);
    std::vector<TensorView> views;
    std::vector<WalkedView> operands;
    for (size_t k = 1 + random() % 3; k > 0; --k)
      views.push_back(tensor(shape, drawStrides(shape, random)));
    for (TensorView &view : views) {
      for (size_t d = 0; d < shape.size(); ++d)
        view.strides[d] = shape[d] == 1 ? 0 : view.strides[d]; // as readTensor leaves them
      operands.push_back({&view, 0});
    }
    IterationSpace space = iterationSpace(operands, 0);
    std::vector<Numbers> expected, got;
    forEachIndex(shape, [&](const Numbers &index) {
      Numbers &places = expected.emplace_back();
      for (const TensorView &view : views)
        places.push_back(dot(index, view.strides));
    });
    forEachIndex(space.extents, [&](const Numbers &index) {
      Numbers &places = got.emplace_back();
      for (const Numbers &strides : space.strides)
        places.push_back(dot(index, strides));
    });
    ASSERT_EQ(static_cast<int64_t>(got.size()), space.neurons);
    // In the iteration order a first operand without repeats and reversals is read upwards.
    const Numbers &first = views[0].strides;
    bool upwards = true;
    for (size_t d = 0; d < shape.size(); ++d)
      upwards &= shape[d] == 1 || first[d] > 0;
    for (size_t n = 1; upwards && n < got.size(); ++n)
      ASSERT_LT(got[n - 1][0], got[n][0]);
    bool dense = true;
    for (size_t n = 0; n < got.size() && !shape.empty(); ++n)
      for (int64_t place : got[n])
        dense &= place == static_cast<int64_t>(n);
    ASSERT_EQ(space.layout, dense ? Layout::Linear : Layout::Strided) << round;
    linear += dense;
    std::sort(expected.begin(), expected.end());
    std::sort(got.begin(), got.end());
    ASSERT_EQ(got, expected);
  }
  EXPECT_GT(linear, 300);
  EXPECT_LT(linear, 2700);
}

} // namespace
} // namespace flexsn::test
