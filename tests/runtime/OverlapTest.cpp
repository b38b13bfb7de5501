#include "runtime/Overlap.h"

#include "tests/runtime/Support.h"

#include <random>
#include <set>

namespace flexsn::test {
namespace {

using Numbers = std::vector<int64_t>;

alignas(16) char memory[4096];

/// A view of the bytes from `begin` on, which nobody reads: it may lie far outside of the array.
TensorView tensor(int64_t begin, Numbers shape, Numbers strides, Storage storage = Storage::F32) {
  auto *data = reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(memory) + static_cast<uintptr_t>(begin));
  return {"x", data, storage, std::move(shape), std::move(strides)};
}

Overlap between(const TensorView &a, const TensorView &b) {
  Overlap found = overlap(footprint(a), footprint(b));
  EXPECT_EQ(overlap(footprint(b), footprint(a)), found);
  return found;
}

TEST(Overlap, TouchingIsNotOverlapping) {
  EXPECT_EQ(between(tensor(0, {4, 2}, {2, 1}), tensor(32, {4, 2}, {2, 1})), Overlap::No);
  EXPECT_EQ(between(tensor(0, {4, 2}, {2, 1}), tensor(31, {4, 2}, {2, 1})), Overlap::Yes);
  EXPECT_EQ(between(tensor(0, {4, 0}, {2, 1}), tensor(0, {4, 2}, {2, 1})), Overlap::No);
}

TEST(Overlap, ViewsOfOneArrayThatShareNoElementAreApart) {
  // x[..., 0] and x[..., 1] of (4, 5, 2); the even and the odd steps; the left and the right channels.
  EXPECT_EQ(between(tensor(0, {4, 5}, {10, 2}), tensor(4, {4, 5}, {10, 2})), Overlap::No);
  EXPECT_EQ(between(tensor(0, {4, 5}, {10, 1}), tensor(20, {4, 5}, {10, 1})), Overlap::No);
  EXPECT_EQ(between(tensor(0, {4, 3, 5}, {30, 10, 1}), tensor(20, {4, 3, 5}, {30, 10, 1})), Overlap::No);
  EXPECT_EQ(between(tensor(0, {4, 3, 6}, {30, 10, 1}), tensor(20, {4, 3, 5}, {30, 10, 1})), Overlap::Yes);
  EXPECT_EQ(between(tensor(0, {4, 5}, {10, 2}), tensor(7, {4, 5}, {10, 2})), Overlap::Yes); // one byte
  EXPECT_EQ(between(tensor(160, {4, 5}, {-10, 2}), tensor(4, {4, 5}, {10, 2})), Overlap::No);
  // Large ones, transposed against each other, take no longer.
  EXPECT_EQ(between(tensor(0, {1000, 1 << 20}, {1 << 21, 2}), tensor(4, {1 << 20, 1000}, {2, 1 << 21})), Overlap::No);
}

TEST(Overlap, OneOperandsOwnElements) {
  auto itself = [](const TensorView &view) { return overlapsItself(footprint(view)); };
  EXPECT_EQ(itself(tensor(0, {2, 3}, {0, 1})), Overlap::Yes);
  EXPECT_EQ(itself(tensor(64, {4, 5, 3}, {14, 3, 1})), Overlap::Yes);
  EXPECT_EQ(itself(tensor(64, {2, 3}, {-3, 1})), Overlap::No);
  EXPECT_EQ(itself(tensor(0, {2, 2}, {3, 2})), Overlap::No); // 0 2 3 5
  EXPECT_EQ(itself(tensor(0, {1, 3}, {0, 1})), Overlap::No);
  EXPECT_EQ(itself(tensor(0, {}, {})), Overlap::No);
  EXPECT_EQ(itself(tensor(0, {0, 3}, {0, 0})), Overlap::No);
}

/// A knapsack: sums of 40 numbers without structure.
TEST(Overlap, AHardQuestionEndsUndecided) {
  Numbers shape(40, 2), strides;
  int64_t odd = 1'000'003;
  for (int i = 0; i < 40; ++i)
    strides.push_back(3 * (odd + 1'000 * i * i + i)); // multiples of 3 items
  TensorView many = tensor(0, shape, strides, Storage::Bool);
  int64_t place = 3 * 20 * odd + 33;
  EXPECT_EQ(between(many, tensor(place, {}, {}, Storage::Bool)), Overlap::Undecided);
  EXPECT_EQ(between(many, tensor(place + 1, {}, {}, Storage::Bool)), Overlap::No); // by divisibility
}

/// Every byte of an operand, with how many elements hold it.
std::multiset<const char *> bytesOf(const TensorView &view) {
  std::multiset<const char *> bytes;
  Numbers index(view.shape.size(), 0);
  for (;;) {
    const char *at = view.data;
    for (size_t d = 0; d < index.size(); ++d)
      at += index[d] * view.strides[d] * static_cast<int64_t>(storageBytes(view.storage));
    for (size_t byte = 0; byte < storageBytes(view.storage); ++byte)
      bytes.insert(at + byte);
    size_t d = index.size();
    for (; d > 0 && ++index[d - 1] == view.shape[d - 1]; --d)
      index[d - 1] = 0;
    if (d == 0)
      return bytes;
  }
}

TensorView draw(std::mt19937 &random) {
  auto number = [&](int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random); };
  Numbers shape, strides;
  for (int64_t rank = number(0, 3); rank > 0; --rank) {
    shape.push_back(number(1, 4));
    strides.push_back(shape.back() == 1 ? 0 : number(-12, 12));
  }
  return tensor(1000 + number(0, 100), shape, strides,
                std::vector{Storage::Bool, Storage::F16, Storage::F32}[static_cast<size_t>(number(0, 2))]);
}

TEST(Overlap, EqualsTheComparisonOfEveryByte) {
  std::mt19937 random(1);
  int shared = 0, repeated = 0;
  for (int i = 0; i < 20000; ++i) {
    TensorView a = draw(random), b = draw(random);
    std::multiset<const char *> left = bytesOf(a), right = bytesOf(b);
    bool common = std::any_of(left.begin(), left.end(), [&](const char *byte) { return right.contains(byte); });
    bool twice = std::any_of(left.begin(), left.end(), [&](const char *byte) { return left.count(byte) > 1; });
    ASSERT_EQ(between(a, b), common ? Overlap::Yes : Overlap::No) << i;
    ASSERT_EQ(overlapsItself(footprint(a)), twice ? Overlap::Yes : Overlap::No) << i;
    shared += common;
    repeated += twice;
  }
  EXPECT_GT(shared, 2000);
  EXPECT_LT(shared, 18000);
  EXPECT_GT(repeated, 2000);
  EXPECT_LT(repeated, 18000);
}

} // namespace
} // namespace flexsn::test
