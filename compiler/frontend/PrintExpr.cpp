// Expressions in the language's own spelling, with the brackets that they need and no others.
#include "compiler/frontend/PrintExpr.h"

#include "compiler/frontend/Frontend.h"
#include "compiler/frontend/Functions.h"
#include "compiler/frontend/Surrogates.h"

#include <cmath>

namespace flexsn {

std::string printNumber(double number, Type type) {
  if (type == Type::Bool)
    return number != 0 ? "true" : "false";
  if (std::isinf(number))
    return number < 0 ? "-inf" : "inf";
  std::string text = fmt::format("{}", number);
  if (type == Type::Int)
    return fmt::format("{}", static_cast<int64_t>(number));
  return text.find_first_of(".e") == text.npos ? text + ".0" : text;
}

namespace {
/// How closely an operator binds, from the loosest on; an operand that binds looser gets brackets.
enum Binding : unsigned {
  OrBinding = 1,
  AndBinding,
  NotBinding,
  CompareBinding,
  SumBinding,
  TermBinding,
  UnaryBinding,
  PowerBinding,
  AtomBinding
};

struct Infix {
  std::string_view spelling;
  unsigned binding;
};

std::optional<Infix> infix(Op op) {
  switch (op) {
  case Op::Add: return Infix{"+", SumBinding};
  case Op::Subtract: return Infix{"-", SumBinding};
  case Op::Multiply: return Infix{"*", TermBinding};
  case Op::Divide: return Infix{"/", TermBinding};
  case Op::FloorDivide: return Infix{"//", TermBinding};
  case Op::Remainder: return Infix{"%", TermBinding};
  case Op::Less: return Infix{"<", CompareBinding};
  case Op::LessEqual: return Infix{"<=", CompareBinding};
  case Op::Greater: return Infix{">", CompareBinding};
  case Op::GreaterEqual: return Infix{">=", CompareBinding};
  case Op::Equal: return Infix{"==", CompareBinding};
  case Op::NotEqual: return Infix{"!=", CompareBinding};
  case Op::And: return Infix{"and", AndBinding};
  case Op::Or: return Infix{"or", OrBinding};
  default: return std::nullopt;
  }
}

/// Appends to one string: a tree is printed in the time of its text.
class ExprPrinter {
public:
  explicit ExprPrinter(std::string &text) : text(text) {}

  void print(const Expr &expr, unsigned least = 0) {
    if (binding(expr) >= least) {
      node(expr);
      return;
    }
    text += '(';
    node(expr);
    text += ')';
  }

private:
  static unsigned binding(const Expr &expr) {
    if (std::optional<Infix> operation = infix(expr.op))
      return operation->binding;
    switch (expr.op) {
    case Op::Constant: return std::signbit(expr.number) ? UnaryBinding : AtomBinding;
    case Op::Negate: return UnaryBinding;
    case Op::Not: return NotBinding;
    case Op::Power:
    case Op::IntegerPower: return PowerBinding;
    case Op::Cast:
    case Op::Broadcast: // these are not written
      return binding(*expr.operands[0]);
    default: return AtomBinding;
    }
  }

  void node(const Expr &expr) {
    if (infix(expr.op))
      return binary(expr);
    switch (expr.op) {
    case Op::Constant: text += printNumber(expr.number, expr.type); break;
    case Op::Read: text += nameOf(*expr.value); break;
    case Op::Negate:
      text += '-';
      print(*expr.operands[0], UnaryBinding);
      break;
    case Op::Not:
      text += "not ";
      print(*expr.operands[0], NotBinding);
      break;
    case Op::Power:
      print(*expr.operands[0], AtomBinding);
      text += "**";
      print(*expr.operands[1], UnaryBinding);
      break;
    case Op::IntegerPower:
      print(*expr.operands[0], AtomBinding);
      text += fmt::format("**{}", expr.integer);
      break;
    case Op::Cast:
    case Op::Broadcast: node(*expr.operands[0]); break;
    case Op::Lane: lane(expr); break;
    default: call(expr);
    }
  }

  /// Comparisons do not chain; all others lean to the left, as far as the text is long: no recursion along them.
  void binary(const Expr &expr) {
    std::vector<const Expr *> chain;
    const Expr *first = &expr;
    for (; infix(first->op); first = first->operands[0])
      chain.push_back(first);
    auto leftLeast = [](const Expr &node) { return binding(node) + (binding(node) == CompareBinding); };
    auto bracketed = [&](size_t i) { return i > 0 && binding(*chain[i]) < leftLeast(*chain[i - 1]); };
    for (size_t i = 0; i < chain.size(); ++i)
      if (bracketed(i))
        text += '(';
    print(*first, leftLeast(*chain.back()));
    for (size_t i = chain.size(); i-- > 0;) {
      text += fmt::format(" {} ", infix(chain[i]->op)->spelling);
      print(*chain[i]->operands[1], binding(*chain[i]) + 1);
      if (bracketed(i))
        text += ')';
    }
  }

  /// An index stands behind a name, a call or a bracket.
  void lane(const Expr &expr) {
    const Expr *vector = expr.operands[0];
    while (vector->op == Op::Cast)
      vector = vector->operands[0];
    const bool plain = binding(*vector) == AtomBinding && vector->op != Op::Constant && vector->op != Op::Lane;
    print(*vector, plain ? 0 : AtomBinding + 1);
    text += fmt::format("[{}]", expr.integer);
  }

  void call(const Expr &expr) {
    text += nameOf(expr);
    text += '(';
    if (expr.op == Op::Spike) {
      print(*expr.operands[0]);
      text += fmt::format(", {}(", expr.surrogate->name);
      for (size_t i = 1; i < expr.operands.size(); ++i) {
        text += fmt::format("{}{}=", i == 1 ? "" : ", ", expr.surrogate->parameters[i - 1].name);
        argument(expr, i);
      }
      text += expr.strict ? "), strict=true" : ")";
    } else {
      bool first = true;
      if (expr.op == Op::Prev || expr.op == Op::Delay) {
        text += expr.value->name;
        first = false;
      }
      if (expr.op == Op::Prev)
        text += fmt::format(", {}", expr.integer);
      if (expr.op == Op::Let)
        text += nameOf(*expr.value) + " = ";
      for (const Expr *operand : expr.operands) {
        text += first ? "" : ", ";
        print(*operand);
        first = false;
      }
    }
    text += ')';
  }

  /// The number of terms of a series is a whole number in the text.
  void argument(const Expr &spike, size_t index) {
    if (spike.surrogate->parameters[index - 1].count)
      text += printNumber(spike.operands[index]->number, Type::Int);
    else
      print(*spike.operands[index]);
  }

  static std::string_view nameOf(const Expr &expr) {
    switch (expr.op) {
    case Op::Call: return expr.function->name;
    case Op::Surrogate: return expr.definition->name;
    case Op::Select: return "where";
    case Op::Spike: return "spike";
    case Op::Quant: return "quant";
    case Op::Detach: return "detach";
    case Op::ScaleGradient: return "gscale";
    case Op::Uniform: return "uniform";
    case Op::Normal: return "normal";
    case Op::Bernoulli: return "bernoulli";
    case Op::Prev: return "prev";
    case Op::Delay: return "delay";
    default: // an argument of a def that is used more than once; the language itself has no words for it
      return "let";
    }
  }

  /// Arguments of a `def` have a number, since the same def may stand in its own argument.
  static std::string nameOf(const Value &value) {
    const bool numbered = value.kind == Value::Kind::Bound && value.version != 0;
    return numbered ? fmt::format("{}.{}", value.name, value.version) : value.name;
  }

  std::string &text;
};
} // namespace

std::string print(const Expr &expression) {
  std::string text;
  ExprPrinter(text).print(expression);
  return text;
}

} // namespace flexsn
