// Random expressions of a wanted type over the names in scope.
#pragma once

#include "tests/random/Generator.h"
#include "tests/reference/Random.h"

namespace flexsn::random {

/// Something of the text's own that can be called with float arguments.
struct Callable {
  std::string name;
  unsigned arity;
};

/// Names that an expression may use.
struct Scope {
  std::vector<std::string> reals, ints, bools;
  std::vector<Callable> definitions;                 ///< `def`
  std::vector<Callable> surrogates;                  ///< the user's own
  bool locals = false;                               ///< inside a `def`: no gradient control, no spike
};

class Expressions {
public:
  Expressions(reference::Random &random, const Features &features) : random(random), features(features) {}

  NodePtr of(Type type, const Scope &scope, unsigned depth);
  NodePtr real(const Scope &scope, unsigned depth);
  NodePtr integer(const Scope &scope, unsigned depth);
  NodePtr boolean(const Scope &scope, unsigned depth);
  /// A float literal of the size that membranes have.
  std::string number();

private:
  NodePtr realLeaf(const Scope &scope);
  NodePtr arithmetic(const Scope &scope, unsigned depth);
  NodePtr exactFunction(const Scope &scope, unsigned depth);
  NodePtr boundedFunction(const Scope &scope, unsigned depth);
  NodePtr selection(Type type, const Scope &scope, unsigned depth);
  NodePtr spike(const Scope &scope, unsigned depth);
  NodePtr ownCall(const Scope &scope, unsigned depth);
  NodePtr mixed(const Scope &scope, unsigned depth);
  std::string surrogate(const Scope &scope);
  /// `children` are the types of the pattern's places; those that it has no place for are dropped.
  NodePtr make(Type type, std::string pattern, std::vector<Type> children, const Scope &scope, unsigned depth);
  template <class T> const T &pick(const std::vector<T> &list) { return list[random.below(list.size())]; }

  reference::Random &random;
  const Features &features;
};

} // namespace flexsn::random
