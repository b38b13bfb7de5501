#include "tests/random/Expressions.h"

#include "compiler/frontend/Surrogates.h"

#include <fmt/format.h>

#include <algorithm>

namespace flexsn::random {

namespace {
constexpr Type F = Type::Float, I = Type::Int, B = Type::Bool;

bool reads(const Node &node, const std::vector<std::string> &names) {
  return std::find(names.begin(), names.end(), node.pattern) != names.end() ||
         std::any_of(node.children.begin(), node.children.end(), [&](auto &child) { return reads(*child, names); });
}
} // namespace

NodePtr Expressions::make(Type type, std::string pattern, std::vector<Type> children, const Scope &scope,
                          unsigned depth) {
  NodePtr node = leaf(type, std::move(pattern));
  unsigned below = depth == 0 ? 0 : depth - 1;
  for (char &c : node->pattern)
    if (c == '%') {
      node->children.push_back(of(children.at(node->children.size()), scope, below));
    } else if (c == '?') {
      node->children.push_back(variable(scope, below));
      c = '%';
    }
  return node;
}

NodePtr Expressions::variable(const Scope &scope, unsigned depth) {
  NodePtr node = real(scope, depth);
  if (reads(*node, scope.variables))
    return node;
  return leaf(F, scope.variables.empty() ? "0.75" : pick(scope.variables));
}

NodePtr Expressions::of(Type type, const Scope &scope, unsigned depth) {
  return type == F ? real(scope, depth) : type == I ? integer(scope, depth) : boolean(scope, depth);
}

std::string Expressions::number() {
  static const std::vector<std::string> numbers = {"0.5", "1.0", "2.0",  "0.25", "0.9", "0.1", "1.5",
                                                   "3.0", "0.7", "1e-3", "-0.5", "0.0", "7.5"};
  return random.chance(70) ? pick(numbers) : fmt::format("{:.3f}", random.between(0.01, 4));
}

NodePtr Expressions::realLeaf(const Scope &scope) {
  bool literal = scope.reals.empty() || random.chance(20);
  return leaf(F, literal ? number() : pick(scope.reals));
}

NodePtr Expressions::real(const Scope &scope, unsigned depth) {
  if (depth == 0)
    return realLeaf(scope);
  switch (random.below(14)) {
  case 0:
  case 1:
  case 2:
  case 3: return arithmetic(scope, depth);
  case 4:
  case 5: return exactFunction(scope, depth);
  case 6:
  case 7: return boundedFunction(scope, depth);
  case 8: return selection(F, scope, depth);
  case 9: return spike(scope, depth);
  case 10: return ownCall(scope, depth);
  case 11: return mixed(scope, depth);
  default: return realLeaf(scope);
  }
}

NodePtr Expressions::arithmetic(const Scope &scope, unsigned depth) {
  static const std::vector<std::string> patterns = {
      "(% + %)", "(% - %)",  "(% * %)", "(% + %)", "(% - %)", "(% * %)", "(% / (1.0 + abs(%)))",
      "(% / ?)", "(% // ?)", "(% $ ?)"}; // $ stands for the language's %
  if (random.chance(15))
    return make(F, fmt::format("(?)**{}", pick(std::vector<int>{0, 1, 2, 2, 3, 3, 4, 5, 8, -1, -2, -3})), {F}, scope,
                depth);
  if (random.chance(8))
    return make(F, "(-%)", {F}, scope, depth);
  return make(F, pick(patterns), {F, F}, scope, depth);
}

NodePtr Expressions::exactFunction(const Scope &scope, unsigned depth) {
  static const std::vector<std::string> one = {
      "abs(%)",         "sqrt(abs(%))",   "sqrt(?)",  "relu(%)", "floor(%)",
      "ceil(%)",        "round(%)",       "trunc(%)", "sign(%)", "clip(%, -1.0, 1.0)",
      "quant(%, 0, 4)", "quant(%, -2, 2)"};
  static const std::vector<std::string> two = {"min(%, %)", "max(%, %)", "fmod(%, ?)", "clip(%, -2.0, %)"};
  if (scope.place == Place::Step && random.chance(15))
    return make(F, pick(std::vector<std::string>{"detach(%)", "gscale(%, 0.5)"}), {F}, scope, depth);
  const std::string &pattern = pick(random.chance(65) ? one : two);
  bool refused = scope.place == Place::Surrogate && pattern.find("quant") != std::string::npos;
  return make(F, refused ? "abs(%)" : pattern, {F, F}, scope, depth);
}

/// Functions with an ulp bound, mostly where they are well conditioned.
NodePtr Expressions::boundedFunction(const Scope &scope, unsigned depth) {
  if (features.pow && random.chance(15))
    return make(F, random.chance(50) ? "abs(?)**1.3" : "pow(abs(?), clip(%, -2.0, 2.0))", {F, F}, scope, depth);
  if (features.functions.empty())
    return arithmetic(scope, depth);
  const std::string &name = pick(features.functions);
  std::string argument = "?";
  if (random.chance(80)) {
    if (name == "exp" || name == "expm1" || name == "sinh" || name == "cosh")
      argument = "clip(%, -4.0, 4.0)";
    else if (name == "log" || name == "log2" || name == "rsqrt")
      argument = "(abs(%) + 0.1)";
    else if (name == "log1p")
      argument = "abs(%)";
    else if (name == "asin" || name == "acos")
      argument = "clip(%, -1.0, 1.0)";
  }
  return make(F, fmt::format("{}({})", name, argument), {F}, scope, depth);
}

NodePtr Expressions::selection(Type type, const Scope &scope, unsigned depth) {
  return random.chance(50) ? make(type, "(% if % else %)", {type, B, type}, scope, depth)
                           : make(type, "where(%, %, %)", {B, type, type}, scope, depth);
}

/// Any built-in surrogate, sometimes with an argument, or the user's own with one argument.
std::string Expressions::surrogate(const Scope &scope) {
  for (const Callable &own : scope.surrogates)
    if (own.arity == 1 && random.chance(30))
      return own.name;
  const SurrogateInfo &info = pick(surrogates());
  if (info.parameters.empty() || random.chance(50))
    return fmt::format("{}()", info.name);
  const SurrogateParameter &parameter = pick(info.parameters);
  return fmt::format("{}({}={})", info.name, parameter.name, parameter.count ? "4" : "1.5");
}

NodePtr Expressions::spike(const Scope &scope, unsigned depth) {
  if (scope.place != Place::Step)
    return arithmetic(scope, depth);
  std::string rest = random.chance(60) ? ", " + surrogate(scope) : "";
  bool own = rest.find('(') == std::string::npos && !rest.empty();
  if (!own && random.chance(30))
    rest += random.chance(50) ? ", strict=true" : ", strict=false";
  return make(F, fmt::format("spike(% - 0.5{})", rest), {F}, scope, depth);
}

NodePtr Expressions::ownCall(const Scope &scope, unsigned depth) {
  std::vector<Callable> all = scope.definitions;
  all.insert(all.end(), scope.surrogates.begin(), scope.surrogates.end());
  if (all.empty())
    return exactFunction(scope, depth);
  const Callable &callee = pick(all);
  return make(F, callee.name + (callee.arity == 1 ? "(?)" : "(?, ?)"), {F, F}, scope, depth);
}

/// int and bool in float arithmetic.
NodePtr Expressions::mixed(const Scope &scope, unsigned depth) {
  static const std::vector<std::string> patterns = {"(% + %)", "(% * %)", "(% - %)"};
  return make(F, pick(patterns), {F, random.chance(50) ? I : B}, scope, depth);
}

NodePtr Expressions::integer(const Scope &scope, unsigned depth) {
  if (depth == 0 || random.chance(25)) {
    bool literal = scope.ints.empty() || random.chance(30);
    return leaf(I, literal ? std::to_string(1 + random.below(9)) : pick(scope.ints));
  }
  static const std::vector<std::string> two = {"(% + %)", "(% - %)", "(% * %)", "min(%, %)", "max(%, %)"};
  static const std::vector<std::string> one = {"(% // 3)", "(% $ 5)", "(% // -2)", "(% $ -7)",      "(-%)",
                                               "abs(%)",   "sign(%)", "relu(%)",   "clip(%, -8, 8)"};
  if (random.chance(20))
    return selection(I, scope, depth);
  return random.chance(50) ? make(I, pick(two), {I, I}, scope, depth) : make(I, pick(one), {I}, scope, depth);
}

NodePtr Expressions::boolean(const Scope &scope, unsigned depth) {
  if (depth == 0)
    return leaf(B, scope.bools.empty() || random.chance(20) ? "true" : pick(scope.bools));
  static const std::vector<std::string> comparisons = {"(% < %)",  "(% <= %)", "(% > %)",
                                                       "(% >= %)", "(% == %)", "(% != %)"};
  switch (random.below(8)) {
  case 0: return make(B, "(% and %)", {B, B}, scope, depth);
  case 1: return make(B, "(% or %)", {B, B}, scope, depth);
  case 2: return make(B, "(not %)", {B}, scope, depth);
  case 3: return make(B, "isnan(%)", {F}, scope, depth);
  case 4: return make(B, pick(comparisons), {I, I}, scope, depth);
  default: return make(B, pick(comparisons), {F, F}, scope, depth);
  }
}

} // namespace flexsn::random
