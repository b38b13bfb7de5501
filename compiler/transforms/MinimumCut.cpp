#include "compiler/transforms/MinimumCut.h"

#include <algorithm>

namespace flexsn {

MinimumCut::Node MinimumCut::addNode() {
  first.push_back(none);
  return static_cast<Node>(first.size() - 1);
}

void MinimumCut::addEdge(Node from, Node to, int64_t capacity) {
  addHalf(from, to, capacity);
  addHalf(to, from, 0);
}

void MinimumCut::addHalf(Node from, Node to, int64_t capacity) {
  edges.push_back({to, first[from], capacity});
  first[from] = static_cast<uint32_t>(edges.size() - 1);
}

bool MinimumCut::solve(size_t effort) {
  most = effort;
  while (findLevels())
    if (!findBlockingFlow())
      return false;
  return true;
}

/// Breadth first; whether the sink can be reached.
bool MinimumCut::findLevels() {
  level.assign(first.size(), none);
  level[source()] = 0;
  std::vector<Node> reached = {source()};
  for (size_t i = 0; i < reached.size(); ++i)
    for (uint32_t edge = first[reached[i]]; edge != none; edge = edges[edge].next) {
      ++visits;
      if (Node to = edges[edge].to; edges[edge].capacity > 0 && level[to] == none) {
        level[to] = level[reached[i]] + 1;
        reached.push_back(to);
      }
    }
  return level[sink()] != none;
}

/// Depth first, level by level, with a list in place of recursion: a step may be one long chain. False where it takes
/// too long.
bool MinimumCut::findBlockingFlow() {
  current = first;
  std::vector<uint32_t> path; // of edges, from the source
  for (;;) {
    Node at = path.empty() ? source() : edges[path.back()].to;
    if (at == sink()) {
      push(path);
      auto full = std::find_if(path.begin(), path.end(), [&](uint32_t edge) { return edges[edge].capacity == 0; });
      path.erase(full, path.end()); // goes on from the edge that is full now
      continue;
    }
    uint32_t &edge = current[at];
    while (edge != none && (edges[edge].capacity == 0 || level[edges[edge].to] != level[at] + 1)) {
      edge = edges[edge].next;
      ++visits;
    }
    if (++visits > most)
      return false;
    if (edge != none) {
      path.push_back(edge);
    } else if (path.empty()) {
      return true;
    } else {
      level[at] = none; // leads nowhere
      path.pop_back();
    }
  }
}

/// As much as the path takes.
void MinimumCut::push(const std::vector<uint32_t> &path) {
  int64_t amount = infinite;
  for (uint32_t edge : path)
    amount = std::min(amount, edges[edge].capacity);
  for (uint32_t edge : path) {
    edges[edge].capacity -= amount;
    edges[edge ^ 1].capacity += amount;
  }
  visits += path.size();
}

} // namespace flexsn
