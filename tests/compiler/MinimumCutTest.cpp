// The minimum cut beside the best of all cuts, of small networks; and networks like those of long steps in bounded
// time.
#include "compiler/transforms/MinimumCut.h"
#include "tests/reference/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

namespace flexsn {
namespace {

using reference::Random;

struct Edge {
  uint32_t from, to;
  int64_t capacity;
};

/// What is cut where the nodes of the bits in `side` are on the source's side.
int64_t costOf(const std::vector<Edge> &edges, uint32_t side) {
  int64_t cost = 0;
  for (const Edge &edge : edges)
    if ((side >> edge.from & 1) && !(side >> edge.to & 1))
      cost += edge.capacity;
  return cost;
}

TEST(MinimumCut, IsTheBestOfAllCuts) {
  Random random(1);
  constexpr unsigned nodes = 10; // 0 is the source, 1 the sink
  size_t finite = 0;
  for (int round = 0; round < 300; ++round) {
    MinimumCut cut;
    while (cut.addNode() + 1 < nodes) {
    }
    std::vector<Edge> edges;
    for (unsigned i = 0; i < 24; ++i) {
      Edge edge{random.below(nodes), random.below(nodes), random.below(20)};
      if (random.chance(10))
        edge.capacity = MinimumCut::infinite;
      edges.push_back(edge);
      cut.addEdge(edge.from, edge.to, edge.capacity);
    }
    int64_t best = MinimumCut::infinite;
    for (uint32_t side = 1; side < 1U << nodes; side += 4) // the source, not the sink
      best = std::min(best, costOf(edges, side));
    if (best == MinimumCut::infinite)
      continue;
    ++finite;
    ASSERT_TRUE(cut.solve(1'000'000));
    uint32_t side = 0;
    for (unsigned node = 0; node < nodes; ++node)
      side |= uint32_t(cut.isOnSourceSide(node)) << node;
    EXPECT_EQ(side & 3, 1u);
    EXPECT_EQ(costOf(edges, side), best) << "round " << round;
  }
  EXPECT_GT(finite, 200u);
}

TEST(MinimumCut, OfNothingHasNoCost) {
  MinimumCut cut;
  auto node = cut.addNode();
  ASSERT_TRUE(cut.solve(1000));
  EXPECT_TRUE(cut.isOnSourceSide(cut.source()));
  EXPECT_FALSE(cut.isOnSourceSide(cut.sink()));
  EXPECT_FALSE(cut.isOnSourceSide(node));
}

/// A chain as long as a step may be, every value of which a gradient reads.
MinimumCut chain(unsigned length) {
  MinimumCut cut;
  Random random(7);
  std::vector<MinimumCut::Node> had;
  for (unsigned i = 0; i < length; ++i) {
    MinimumCut::Node made = cut.addNode();
    had.push_back(cut.addNode());
    cut.addEdge(cut.source(), made, i == 0 ? MinimumCut::infinite : 4);
    cut.addEdge(made, had[i], 16);
    cut.addEdge(had[i], cut.sink(), MinimumCut::infinite);
    for (unsigned operand = 0; operand < 2 && i > 0; ++operand)
      cut.addEdge(had[operand == 0 ? i - 1 : random.below(i)], made, MinimumCut::infinite);
  }
  return cut;
}

TEST(MinimumCut, OfALongStepTakesLittleTime) {
  MinimumCut cut = chain(30'000);
  std::clock_t begin = std::clock();
  EXPECT_TRUE(cut.solve(50'000'000));
  EXPECT_LT(std::clock() - begin, 2 * CLOCKS_PER_SEC);
  EXPECT_TRUE(cut.isOnSourceSide(2) && !cut.isOnSourceSide(3)); // the first value is kept, all others are made of it
  EXPECT_FALSE(cut.isOnSourceSide(4));
}

TEST(MinimumCut, GivesUpBeyondTheEffort) {
  MinimumCut cut = chain(30'000);
  EXPECT_FALSE(cut.solve(1000));
}

} // namespace
} // namespace flexsn
