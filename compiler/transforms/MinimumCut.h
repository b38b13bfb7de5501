// The minimum cut of a network, by Dinic's maximum flow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flexsn {

/// A network from a source to a sink. Capacities are whole numbers, so that equal networks have equal cuts everywhere.
class MinimumCut {
public:
  using Node = uint32_t;
  /// More than the sum of all finite capacities: an edge that no cut may have.
  static constexpr int64_t infinite = int64_t{1} << 50;

  MinimumCut() : first(2, none) {}

  Node source() const { return 0; }
  Node sink() const { return 1; }
  Node addNode();
  /// From `from` to `to`.
  void addEdge(Node from, Node to, int64_t capacity);

  /// Finds the flow; false where that took more than `effort` visits of edges.
  bool solve(size_t effort);
  /// Whether the cut has `node` on the source's side: of all minimum cuts, the one nearest to the source.
  bool isOnSourceSide(Node node) const { return level[node] != none; }

private:
  static constexpr uint32_t none = ~uint32_t{0};
  struct Edge {
    Node to;
    uint32_t next;    ///< of the same node
    int64_t capacity; ///< that is left
  };

  void addHalf(Node from, Node to, int64_t capacity);
  bool findLevels();
  bool findBlockingFlow();
  void push(const std::vector<uint32_t> &path);

  std::vector<uint32_t> first; ///< edge of each node
  std::vector<Edge> edges;     ///< each one's reverse is its neighbour
  std::vector<uint32_t> level; ///< of each node from the source, through edges with capacity left
  std::vector<uint32_t> current;
  size_t visits = 0, most = 0;
};

} // namespace flexsn
