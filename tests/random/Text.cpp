#include "tests/random/Text.h"

namespace flexsn::random {
namespace {

std::string fill(const std::string &pattern, const std::vector<NodePtr> &parts) {
  std::string result;
  size_t next = 0;
  for (char c : pattern)
    result += c == '%' ? print(*parts.at(next++)) : std::string(1, c);
  return result;
}

} // namespace

NodePtr leaf(Type type, std::string pattern) {
  auto node = std::make_unique<Node>();
  node->type = type;
  node->pattern = std::move(pattern);
  return node;
}

NodePtr clone(const Node &node) {
  NodePtr copy = leaf(node.type, node.pattern);
  for (const NodePtr &child : node.children)
    copy->children.push_back(clone(*child));
  return copy;
}

std::string print(const Node &node) {
  // The language's own % is written $ in patterns, so that % is free for children.
  std::string text = fill(node.pattern, node.children);
  for (char &c : text)
    c = c == '$' ? '%' : c;
  return text;
}

std::string print(const Text &text) {
  std::string result;
  for (const Line &line : text)
    result += fill(line.pattern, line.expressions) + "\n";
  return result;
}

} // namespace flexsn::random
