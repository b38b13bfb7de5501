#include "runtime/Streaming.h"

#include <gtest/gtest.h>

#include <limits>

namespace flexsn::test {
namespace {

constexpr size_t cache = size_t{1} << 20;

/// A call of one float input and outputs of these items and addresses, rows `stride` bytes apart.
CallOperands callOf(int64_t steps, int64_t neurons, const std::vector<std::pair<int64_t, uintptr_t>> &outputs,
                    int64_t stride) {
  CallOperands call;
  call.steps = steps;
  call.neurons = neurons;
  call.operands.push_back({{"x", Role::Input, Storage::F32}, {nullptr, 4 * neurons, 4}});
  for (auto [item, address] : outputs)
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address that is only looked at
    call.operands.push_back({{"s", Role::Output, Storage::F32}, {reinterpret_cast<void *>(address), stride, item}});
  return call;
}

std::optional<int64_t> headOf(const CallOperands &call) { return streamingHead(call, cache, 1); }

constexpr int64_t many = 1 << 20; // of floats: 4 MiB a row

TEST(Streaming, BeginsWhereEveryRowBeginsALine) {
  EXPECT_EQ(headOf(callOf(4, many, {{4, 0x10000}}, 4 * many)), 0);
  EXPECT_EQ(headOf(callOf(4, many, {{4, 0x10010}}, 4 * many)), 12); // what malloc gives
  EXPECT_EQ(headOf(callOf(4, many, {{4, 0x1003c}}, 4 * many)), 1);
  EXPECT_EQ(headOf(callOf(4, many, {{8, 0x10010}}, 8 * many)), 6);
  EXPECT_EQ(headOf(callOf(4, many, {{1, 0x10001}}, many)), 63);
  EXPECT_EQ(headOf(callOf(4, many, {{4, 0x10010}, {4, 0x50010}}, 4 * many)), 12);
  EXPECT_EQ(headOf(callOf(4, many, {{4, 0x10010}, {1, 0x50034}}, 4 * many)), 12);
  EXPECT_EQ(headOf(callOf(4, many, {{4, 0x10000}}, -4 * many)), 0);
}

TEST(Streaming, NeedsOneSuchPlaceInAllRows) {
  EXPECT_EQ(headOf(callOf(4, many, {{4, 0x10010}, {4, 0x50020}}, 4 * many)), std::nullopt);
  EXPECT_EQ(headOf(callOf(4, many, {{4, 0x10000}}, 4 * many + 4)), std::nullopt);
  EXPECT_EQ(headOf(callOf(1, many, {{4, 0x10000}}, 4 * many + 4)), 0); // there is no second row
  EXPECT_EQ(headOf(callOf(4, many, {{4, 0x10002}}, 4 * many)), std::nullopt);
  EXPECT_EQ(headOf(callOf(4, many, {}, 4 * many)), std::nullopt);
}

/// A kernel with sums adds up groups of neurons from the first one on.
TEST(Streaming, OfSumsBeginsWithTheFirstNeuron) {
  for (auto [address, head] : {std::pair<uintptr_t, std::optional<int64_t>>(0x10000, 0), {0x10010, std::nullopt}}) {
    CallOperands call = callOf(4, many, {{4, address}}, 4 * many);
    call.gradients.params.resize(1);
    EXPECT_EQ(headOf(call), head);
  }
}

TEST(Streaming, IsForWhatTwiceTheCachesDoNotHold) {
  EXPECT_EQ(headOf(callOf(1, 1 << 18, {{4, 0x10000}}, 1 << 20)), std::nullopt);
  EXPECT_EQ(headOf(callOf(1, (1 << 18) + 1, {{4, 0x10000}}, 1 << 20)), 0);
  CallOperands call = callOf(1, many, {{4, 0x10000}}, 4 * many); // 8 MiB
  EXPECT_EQ(streamingHead(call, cache, 4), std::nullopt);
  EXPECT_EQ(streamingHead(call, cache, 3), 0);
  // However many cores: the next reader is one of them.
  EXPECT_EQ(streamingHead(callOf(4, many + 1, {{4, 0x10000}}, 4 * many), cache, 1024), 0);
}

TEST(Streaming, CountsWhatIsThere) {
  CallOperands call = callOf(1000, 1000, {{4, 0x10000}}, 4096);
  EXPECT_EQ(headOf(call), 0);
  for (PlacedOperand &operand : call.operands)
    operand.place.timeStride = 0; // one step stands for all
  EXPECT_EQ(headOf(call), std::nullopt);
  call = callOf(std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::max() / 4, {{4, 0x10000}}, 64);
  EXPECT_EQ(headOf(call), 0);
}

} // namespace
} // namespace flexsn::test
