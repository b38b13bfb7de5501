#include "tests/reference/Tape.h"

namespace flexsn::reference {

uint32_t Tape::leaf() {
  edges.emplace_back();
  adjoints.emplace_back();
  return static_cast<uint32_t>(edges.size() - 1);
}

uint32_t Tape::record(std::span<const uint32_t> operands, const Slopes &slopes) {
  std::vector<Edge> passing;
  for (size_t i = 0; i < operands.size(); ++i)
    if (operands[i] != 0 && slopes[i])
      passing.push_back({operands[i], *slopes[i]});
  if (passing.empty())
    return 0;
  const uint32_t node = leaf();
  edges[node] = std::move(passing);
  return node;
}

void Tape::seed(uint32_t node, double adjoint) {
  if (node != 0)
    adjoints[node] = adjoints[node].value_or(0) + adjoint;
}

void Tape::walkBack() {
  for (auto node = static_cast<uint32_t>(edges.size()); node-- > 1;)
    if (adjoints[node])
      for (const Edge &edge : edges[node])
        seed(edge.operand, edge.slope.times(*adjoints[node]));
}

} // namespace flexsn::reference
