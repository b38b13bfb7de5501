// A random model as lines of patterns and trees of expressions: what is generated, printed, and shrunk.
#pragma once

#include "compiler/frontend/Model.h"

#include <memory>
#include <string>
#include <vector>

namespace flexsn::random {

struct Node;
using NodePtr = std::unique_ptr<Node>;

/// An expression: `pattern` with % for each child in turn, e.g. "(% + %)".
struct Node {
  Type type = Type::Float;
  std::string pattern;
  std::vector<NodePtr> children;
};

/// One statement: `pattern` with % for each expression in turn, e.g. "  v = %".
struct Line {
  std::string pattern;
  std::vector<NodePtr> expressions;
};

using Text = std::vector<Line>;

NodePtr leaf(Type type, std::string pattern);
NodePtr clone(const Node &node);
std::string print(const Node &node);
std::string print(const Text &text);

} // namespace flexsn::random
