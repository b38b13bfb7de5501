#include "tests/random/Shrink.h"

#include <functional>

namespace flexsn::random {
namespace {

class Shrinker {
public:
  Shrinker(Text text, const std::function<bool(const std::string &)> &fails, unsigned budget)
      : text(std::move(text)), fails(fails), budget(budget) {}

  Text run() {
    for (bool progress = true; progress;) {
      progress = deleteLines();
      progress |= replaceExpressions();
    }
    return std::move(text);
  }

private:
  bool stillFails() { return budget != 0 && (--budget, fails(print(text))); }

  bool deleteLines() {
    bool progress = false;
    for (size_t i = text.size(); i-- > 0;) {
      Line line = std::move(text[i]);
      text.erase(text.begin() + static_cast<ptrdiff_t>(i));
      if (stillFails())
        progress = true;
      else
        text.insert(text.begin() + static_cast<ptrdiff_t>(i), std::move(line));
    }
    return progress;
  }

  bool replaceExpressions() {
    bool progress = false;
    for (size_t i = 0; i < text.size(); ++i)
      for (size_t k = 0; k < text[i].expressions.size(); ++k)
        progress |= reduce(text[i].expressions[k]);
    return progress;
  }

  /// Tries literals and children in place of `slot`, then goes on inside.
  bool reduce(NodePtr &slot) {
    bool progress = false;
    while (slot->pattern != simplest(slot->type) && replaceOnce(slot))
      progress = true;
    for (NodePtr &child : slot->children)
      progress |= reduce(child);
    return progress;
  }

  bool replaceOnce(NodePtr &slot) {
    std::vector<NodePtr> candidates;
    candidates.push_back(leaf(slot->type, simplest(slot->type)));
    for (const NodePtr &child : slot->children)
      if (child->type == slot->type)
        candidates.push_back(clone(*child));
    for (NodePtr &candidate : candidates) {
      std::swap(slot, candidate);
      if (stillFails())
        return true;
      std::swap(slot, candidate);
    }
    return false;
  }

  static const char *simplest(Type type) { return type == Type::Float ? "1.0" : type == Type::Int ? "1" : "true"; }

  Text text;
  const std::function<bool(const std::string &)> &fails;
  unsigned budget;
};

} // namespace

Text shrink(Text text, const std::function<bool(const std::string &)> &fails, unsigned budget) {
  return Shrinker(std::move(text), fails, budget).run();
}

} // namespace flexsn::random
