#include "runtime/Layout.h"

#include "tests/runtime/Support.h"

#include <random>
#include <set>

namespace flexsn::test {
namespace {

TensorView tensor(std::vector<int64_t> shape, std::vector<int64_t> strides, std::string label = "LIF: input 'x'") {
  static char memory[8];
  return {std::move(label), memory, Storage::F32, std::move(shape), std::move(strides)};
}

TEST(IterationOrder, IsTheOrderOfTheStrides) {
  IterationOrder rows = iterationOrder(tensor({4, 2, 3}, {6, 3, 1}), 1);
  EXPECT_EQ(rows.strides, (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(rows.neurons, 6);
  IterationOrder columns = iterationOrder(tensor({4, 2, 3}, {6, 1, 2}), 1);
  EXPECT_EQ(columns.strides, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(iterationOrder(tensor({4}, {1}), 1).neurons, 1); // [T]: one neuron
}

TEST(IterationOrder, TimeIsFree) {
  for (int64_t time : {6, 100, -6, 0, 7})
    EXPECT_EQ(iterationOrder(tensor({4, 2, 3}, {time, 3, 1}), 1).neurons, 6);
}

TEST(IterationOrder, SizesOfOneMeanNothing) {
  EXPECT_EQ(iterationOrder(tensor({4, 1, 3}, {3, 77, 1}), 1).strides, (std::vector<int64_t>{0, 1}));
  IterationOrder order = iterationOrder(tensor({4, 1, 3}, {3, 77, 1}), 1);
  requireOrder(tensor({1, 3}, {-5, 1}), 0, order, "one step of 'x'");
}

TEST(IterationOrder, WithoutNeuronsEveryLayoutWillDo) {
  IterationOrder order = iterationOrder(tensor({4, 0, 3}, {1, 5, 9}), 1);
  EXPECT_EQ(order.neurons, 0);
  requireOrder(tensor({4, 0, 3}, {2, 2, 2}), 1, order, "one step of 'x'");
}

TEST(IterationOrder, GapsRepeatsAndTimeInsideAreRefused) {
  const char *gap =
      "LIF: input 'x' of shape (2, 2, 3) has the strides (12, 6, 2); the elements of a step must lie side "
      "by side in this version; copy it first";
  EXPECT_EQ(messageOf([] { iterationOrder(tensor({2, 2, 3}, {12, 6, 2}), 1); }), gap);
  EXPECT_EQ(failureOf([] { iterationOrder(tensor({2, 2, 3}, {3, 0, 1}), 1); }).code, FLEXSN_ERROR_UNSUPPORTED);
  EXPECT_EQ(failureOf([] { iterationOrder(tensor({2, 2, 3}, {6, 3, -1}), 1); }).code, FLEXSN_ERROR_UNSUPPORTED);
  EXPECT_EQ(failureOf([] { iterationOrder(tensor({2, 2, 3}, {1, 6, 2}), 1); }).code, FLEXSN_ERROR_UNSUPPORTED);
}

TEST(IterationOrder, AnotherOrderIsRefusedByName) {
  IterationOrder order = iterationOrder(tensor({4, 2, 3}, {6, 3, 1}), 1);
  EXPECT_EQ(
      messageOf([&] { requireOrder(tensor({4, 2, 3}, {6, 1, 2}, "LIF: output 's'"), 1, order, "one step of 'x'"); }),
      "LIF: output 's' of shape (4, 2, 3) has the strides (6, 1, 2), which is not the order of one step of 'x' "
      "(strides (3, 1) within a step); copy it into that order first");
  requireOrder(tensor({4, 2, 3}, {60, 3, 1}), 1, order, "one step of 'x'");
}

Extent extent(uintptr_t begin, int64_t steps, int64_t stride, int64_t bytes) { return {begin, steps, stride, bytes}; }

TEST(Overlap, TouchingIsNotOverlapping) {
  EXPECT_FALSE(overlap(extent(1000, 4, 8, 8), extent(1032, 4, 8, 8)));
  EXPECT_TRUE(overlap(extent(1000, 4, 8, 8), extent(1031, 4, 8, 8)));
  EXPECT_FALSE(overlap(extent(1000, 4, 8, 0), extent(1000, 4, 8, 8)));
}

TEST(Overlap, InterleavedStepsAreApart) {
  EXPECT_FALSE(overlap(extent(1000, 100, 16, 8), extent(1008, 100, 16, 8)));
  EXPECT_TRUE(overlap(extent(1000, 100, 16, 9), extent(1008, 100, 16, 8)));
}

TEST(Overlap, OneOperandsOwnSteps) {
  EXPECT_TRUE(overlapsItself(extent(1000, 2, 0, 4)));
  EXPECT_TRUE(overlapsItself(extent(1000, 2, -3, 4)));
  EXPECT_FALSE(overlapsItself(extent(1000, 2, -4, 4)));
  EXPECT_FALSE(overlapsItself(extent(1000, 1, 0, 4)));
}

/// Every byte of an operand, written out.
std::set<uintptr_t> bytesOf(const Extent &extent) {
  std::set<uintptr_t> bytes;
  for (int64_t step = 0; step < extent.steps; ++step)
    for (int64_t byte = 0; byte < extent.bytes; ++byte)
      bytes.insert(extent.begin + static_cast<uintptr_t>(step * extent.stride + byte));
  return bytes;
}

TEST(Overlap, EqualsTheComparisonOfEveryByte) {
  std::mt19937 random(1);
  auto draw = [&](int low, int high) { return std::uniform_int_distribution<int64_t>(low, high)(random); };
  int overlapping = 0;
  for (int i = 0; i < 20000; ++i) {
    Extent a = extent(static_cast<uintptr_t>(1000 + draw(0, 60)), draw(1, 5), draw(-20, 20), draw(1, 6));
    Extent b = extent(static_cast<uintptr_t>(1000 + draw(0, 60)), draw(1, 5), draw(-20, 20), draw(1, 6));
    // Written operands never overlap themselves, and inputs may: stride 0, or a window that slides.
    std::set<uintptr_t> left = bytesOf(a), right = bytesOf(b);
    bool expected = std::any_of(left.begin(), left.end(), [&](uintptr_t byte) { return right.count(byte) != 0; });
    ASSERT_EQ(overlap(a, b), expected) << a.begin << ' ' << a.steps << ' ' << a.stride << ' ' << a.bytes << " and "
                                       << b.begin << ' ' << b.steps << ' ' << b.stride << ' ' << b.bytes;
    overlapping += expected;
  }
  EXPECT_GT(overlapping, 1000);
  EXPECT_LT(overlapping, 19000);
}

} // namespace
} // namespace flexsn::test
