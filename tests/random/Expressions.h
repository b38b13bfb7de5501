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

/// Where an expression stands decides what it may call.
enum class Place : uint8_t { Step, Definition, Surrogate, Initial };

/// Names that an expression may use.
struct Scope {
  Place place = Place::Step;
  std::vector<std::string> reals, ints, bools;
  std::vector<std::string> variables; ///< those of `reals` that are no constants
  std::vector<Callable> definitions;  ///< `def`
  std::vector<Callable> surrogates;   ///< the user's own
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
  NodePtr variable(const Scope &scope, unsigned depth);
  NodePtr arithmetic(const Scope &scope, unsigned depth);
  NodePtr exactFunction(const Scope &scope, unsigned depth);
  NodePtr boundedFunction(const Scope &scope, unsigned depth);
  NodePtr selection(Type type, const Scope &scope, unsigned depth);
  NodePtr spike(const Scope &scope, unsigned depth);
  NodePtr ownCall(const Scope &scope, unsigned depth);
  NodePtr mixed(const Scope &scope, unsigned depth);
  std::string surrogate(const Scope &scope);
  /// `children` are the types of the pattern's places; those that it has no place for are dropped. A place `?` gets no
  /// constant: what folds to NaN or divides by zero while it is checked is an error.
  NodePtr make(Type type, std::string pattern, std::vector<Type> children, const Scope &scope, unsigned depth);
  template <class T> const T &pick(const std::vector<T> &list) { return list[random.below(list.size())]; }

  reference::Random &random;
  const Features &features;
};

} // namespace flexsn::random
