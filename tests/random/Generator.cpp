#include "tests/random/Generator.h"

#include "tests/random/Expressions.h"

#include <fmt/format.h>

namespace flexsn::random {
namespace {

/// Names that a code generator may stumble over stand beside the usual ones.
constexpr const char *names[] = {"v",         "u",      "w",      "h",   "s",  "double", "register", "class",
                                 "threadIdx", "lambda", "v_1",    "v1",  "V1", "M_PI",   "asm",      "reset",
                                 "hold",      "NULL",   "x__",    "out", "E",  "min1",   "half",     "this",
                                 "gamma",     "T0",     "grad_v", "of",  "N",  "k"};

class Generator {
public:
  Generator(uint64_t seed, const Features &features) : seed(seed), random(seed), make(random, features) {}

  Text run() {
    if (random.chance(30))
      definition("");
    add(fmt::format("neuron R{}:", seed));
    inputs();
    params();
    if (random.chance(40))
      definition("  ");
    if (random.chance(40))
      surrogate();
    states();
    step();
    outputs();
    return std::move(text);
  }

private:
  void add(std::string pattern) { text.push_back({std::move(pattern), {}}); }
  void add(std::string pattern, NodePtr expression) {
    text.push_back({std::move(pattern), {}});
    text.back().expressions.push_back(std::move(expression));
  }

  std::string fresh() {
    unsigned start = random.below(std::size(names));
    for (unsigned i = 0; i < std::size(names); ++i)
      if (std::string name = names[(start + i) % std::size(names)]; taken.find(" " + name + " ") == std::string::npos)
        return take(name);
    return take(fmt::format("a{}", taken.size()));
  }
  std::string take(std::string name) {
    taken += " " + name + " ";
    return name;
  }

  /// From now on expressions may read `name`, which is no constant.
  void declare(const std::string &name, Type type) {
    (type == Type::Float ? scope.reals : type == Type::Int ? scope.ints : scope.bools).push_back(name);
    if (type == Type::Float)
      scope.variables.push_back(name);
  }

  static Scope bodyOf(const Callable &callee, Place place) {
    Scope body;
    body.place = place;
    body.reals = callee.arity == 1 ? std::vector<std::string>{"a"} : std::vector<std::string>{"a", "b"};
    body.variables = body.reals;
    return body;
  }

  void definition(const std::string &indent) {
    Callable callee{fmt::format("f{}", scope.definitions.size()), 1 + random.below(2)};
    Scope body = bodyOf(callee, Place::Definition);
    add(fmt::format("{}def {}({}) = %", indent, callee.name, callee.arity == 1 ? "a" : "a, b"), make.real(body, 2));
    scope.definitions.push_back(callee);
  }

  void surrogate() {
    Callable callee{"own", 1 + random.below(2)};
    Scope body = bodyOf(callee, Place::Surrogate);
    bool spikes = random.chance(50);
    add(fmt::format("  surrogate own({}): value = %{}, grad a = 1 / (1 + a*a)", callee.arity == 1 ? "a" : "a, b",
                    spikes ? " > 0" : ""),
        make.real(body, 2));
    scope.surrogates.push_back(callee);
  }

  void inputs() {
    for (unsigned i = 1 + random.below(3); i > 0; --i)
      input(Type::Float, "");
    floatInputs = static_cast<ptrdiff_t>(scope.reals.size());
    if (random.chance(15))
      input(Type::Int, ": int");
    if (random.chance(15))
      input(Type::Bool, ": bool");
  }
  void input(Type type, const char *suffix) {
    std::string name = fresh();
    add(fmt::format("  input {}{}", name, suffix));
    declare(name, type);
  }

  void params() {
    static const char *const attributes[] = {"",
                                             "",
                                             " learnable",
                                             " frozen",
                                             " learnable as sigmoid",
                                             " as exp",
                                             " as softplus",
                                             " learnable as tanh",
                                             " in [0.0, 1.0] clamp",
                                             " learnable in [-1.0, 0.5]"};
    for (unsigned i = random.below(4); i > 0; --i) {
      std::string name = fresh();
      const char *attribute = attributes[random.below(std::size(attributes))];
      add(fmt::format("  param {} = {:.2f}{}", name, random.between(0.1, 0.5), attribute));
      declare(name, Type::Float);
    }
    if (random.chance(30)) {
      std::string name = fresh();
      add(fmt::format("  const {} = {:.3f}", name, random.between(-2, 2)));
      scope.reals.push_back(name);
    }
    if (random.chance(20)) {
      std::string name = fresh();
      add(fmt::format("  const {}: int = {}", name, 1 + random.below(6)));
      scope.ints.push_back(name);
    }
    if (random.chance(20)) {
      add("  dt = 0.5");
      declare("dt", Type::Float);
    }
    if (random.chance(20))
      add("  surrogate sigmoid(alpha=3.0)");
  }
  /// Initial values read parameters and constants alone.
  void states() {
    Scope initial;
    initial.place = Place::Initial;
    initial.reals.assign(scope.reals.begin() + floatInputs, scope.reals.end());
    initial.variables.assign(scope.variables.begin() + floatInputs, scope.variables.end());
    for (unsigned i = 1 + random.below(3); i > 0; --i)
      state(Type::Float, "  state {} = %", make.real(initial, random.below(3)));
    if (random.chance(40))
      state(Type::Int, "  state {}: int = %", leaf(Type::Int, std::to_string(random.below(4))));
    if (random.chance(30))
      state(Type::Bool, "  state {}: bool = %", leaf(Type::Bool, random.chance(50) ? "true" : "false"));
  }
  void state(Type type, const char *pattern, NodePtr value) {
    std::string name = fresh();
    add(fmt::format(fmt::runtime(pattern), name), std::move(value));
    declare(name, type);
    written.push_back({name, type});
  }

  void step() {
    size_t stateCount = written.size();
    bool labels = random.chance(50);
    if (labels)
      add("  charge:");
    for (unsigned i = 1 + random.below(3); i > 0; --i)
      assign();
    if (labels)
      add("  fire:");
    std::string spike = fresh();
    Scope all = scope;
    add(fmt::format("    {} = spike(% - 0.5)", spike), make.real(all, 2));
    declare(spike, Type::Float);
    written.push_back({spike, Type::Float});
    if (labels)
      add("  reset:");
    for (unsigned i = random.below(3); i > 0; --i)
      assign();
    for (size_t i = 0; i < stateCount; ++i)
      if (random.chance(90))
        update(written[i].name, written[i].type, spike);
  }

  void assign() {
    Type type = random.chance(70) ? Type::Float : random.chance(50) ? Type::Int : Type::Bool;
    if (type == Type::Float && random.chance(30)) { // an assigned or state name again, or an augmented assignment
      const Written &old = written[random.below(written.size())];
      static const char *const forms[] = {"    {} = %", "    {} += %", "    {} -= %", "    {} *= %", "    {} /= %"};
      if (old.type == Type::Float)
        return add(fmt::format(fmt::runtime(forms[random.below(5)]), old.name), make.real(scope, 3));
    }
    NodePtr value = make.of(type, scope, 3);
    if (type == Type::Int && isLiteral(*value))
      return; // a name of whole literals alone is a float
    std::string name = fresh();
    add(fmt::format("    {} = %", name), std::move(value));
    declare(name, type);
    written.push_back({name, type});
  }

  /// No name in it: an int expression of literals takes the type of what stands beside it.
  bool isLiteral(const Node &node) const {
    for (const std::string &name : scope.ints)
      if (node.pattern == name)
        return false;
    for (const NodePtr &child : node.children)
      if (!isLiteral(*child))
        return false;
    return true;
  }

  /// States stay of moderate size, or most of a long run would be NaN.
  void update(const std::string &name, Type type, const std::string &spike) {
    if (type == Type::Bool)
      return add(fmt::format("    {} = %", name), make.boolean(scope, 2));
    if (type == Type::Int) {
      if (random.chance(50))
        return add(fmt::format("    {} = {}(%)", name, random.chance(50) ? "floor" : "round"), make.real(scope, 2));
      return add(fmt::format("    {} = clip(%, -100, 100)", name), make.integer(scope, 2));
    }
    static const char *const forms[] = {"    {0} = clip(%, -4.0, 4.0)", "    {0} = clip(%, -2.0, 3.0) * (1 - {1})",
                                        "    {0} = 0.25 if {1} > 0 else clip(%, -3.0, 3.0)",
                                        "    {0} = 0.5 * {0} + 0.5 * clip(%, -4.0, 4.0)", "    {0} = %"};
    add(fmt::format(fmt::runtime(forms[random.below(5)]), name, spike), make.real(scope, 3));
  }

  void outputs() {
    for (unsigned i = 1 + random.below(3); i > 0; --i) {
      const Written &name = written[random.below(written.size())];
      if (delivered.find(" " + name.name + " ") != std::string::npos)
        continue;
      delivered += " " + name.name + " ";
      add(fmt::format("  output {}{}", name.name, name.type == Type::Int && random.chance(50) ? ": int" : ""));
    }
  }

  struct Written {
    std::string name;
    Type type;
  };

  uint64_t seed;
  reference::Random random;
  Expressions make;
  Text text;
  Scope scope;
  std::string taken, delivered;
  std::vector<Written> written; ///< states, then assigned names: what may be assigned again and delivered
  ptrdiff_t floatInputs = 0;    ///< how many of scope.reals, in front
};

} // namespace

Text generate(uint64_t seed, const Features &features) { return Generator(seed, features).run(); }

} // namespace flexsn::random
