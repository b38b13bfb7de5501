#include "tests/pytorch/PrintModel.h"

#include "compiler/frontend/Functions.h"
#include "compiler/frontend/Surrogates.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <map>

namespace flexsn::test {
namespace {

const char *const transforms[] = {"", "sigmoid", "softplus", "exp", "tanh"}; // in the order of Transform

class Printer {
public:
  explicit Printer(const Model &model) : model(model) {
    for (const Value &value : model.values)
      numbers.try_emplace(&value, numbers.size());
  }

  std::string run() {
    line(0, "def {}(raw, given, inputs, steps):", model.name);
    for (const Param &param : model.params)
      line(1, "{} = {}", variable(param.value), constrained(param));
    for (const State &state : model.states)
      line(1, "{} = given[\"{}\"] if given else {}", variable(state.value), state.value->name, print(*state.initial));
    line(1, "outputs = {{{}}}",
         joined(model.outputs, [&](const Output &output) { return fmt::format("\"{}\": []", output.name); }));
    line(1, "for t in range(steps):");
    for (const Input &input : model.inputs)
      line(2, "{} = inputs[\"{}\"][t]", variable(input.value), input.value->name);
    for (const Statement &statement : model.statements)
      line(2, "{} = {}", variable(statement.target), print(*statement.value));
    for (const Output &output : model.outputs)
      line(2, "outputs[\"{}\"].append({})", output.name, variable(output.value));
    auto now = [&](const State &state) { return variable(state.value); };
    line(2, "{}, = {},", joined(model.states, now),
         joined(model.states, [&](const State &state) { return variable(state.next); }));
    line(1, "return outputs, {{{}}}", joined(model.states, [&](const State &state) {
           return fmt::format("\"{}\": {}", state.value->name, variable(state.value));
         }));
    return std::move(text);
  }

private:
  template <class... Arguments>
  void line(int depth, fmt::format_string<const Arguments &...> format, const Arguments &...arguments) {
    text += std::string(static_cast<size_t>(4 * depth), ' ') + fmt::format(format, arguments...) + "\n";
  }

  template <class List, class Word> static std::string joined(const List &list, Word word) {
    std::vector<std::string> words;
    for (const auto &entry : list)
      words.push_back(word(entry));
    return fmt::format("{}", fmt::join(words, ", "));
  }

  /// No word of Python, and another one for each value.
  std::string variable(const Value *value) const { return fmt::format("_{}_{}", value->name, numbers.at(value)); }

  std::string constrained(const Param &param) {
    if (param.value->type != Type::Float)
      return number(param.value->type, param.defaultValue);
    std::string value = fmt::format("raw[\"{}\"]", param.operandName());
    if (param.transform != Transform::None)
      value = fmt::format("{}({})", transforms[static_cast<size_t>(param.transform)], value);
    if (param.bounds && (param.bounds->clamp || param.learnable))
      value = fmt::format("clip({}, {}, {})", value, number(Type::Float, param.bounds->low),
                          number(Type::Float, param.bounds->high));
    return value;
  }

  static std::string number(Type type, double value) {
    if (type == Type::Float)
      return fmt::format("real(\"{:a}\")", value);
    return fmt::format("{}({})", type == Type::Int ? "whole" : "truth", static_cast<int64_t>(value));
  }

  std::string call(const std::string &function, const Expr &expr) {
    return fmt::format("{}({})", function, joined(expr.operands, [&](const Expr *operand) { return print(*operand); }));
  }

  std::string infix(const char *word, const Expr &expr) {
    return fmt::format("({} {} {})", print(*expr.operands[0]), word, print(*expr.operands[1]));
  }

  /// The surrogate's expressions are functions of its parameters.
  std::string ownSurrogate(const Expr &expr) {
    const SurrogateDefinition &definition = *expr.definition;
    const std::string parameters = joined(definition.parameters, [&](const Value *value) { return variable(value); });
    std::string gradients;
    for (const Value *parameter : definition.parameters) {
      std::string gradient = "None";
      for (const auto &[of, formula] : definition.gradients)
        if (of == parameter)
          gradient = fmt::format("lambda {}: {}", parameters, print(*formula));
      gradients += gradient + ", ";
    }
    return fmt::format("own_surrogate(lambda {}: {}, ({}), {})", parameters, print(*definition.value), gradients,
                       joined(expr.operands, [&](const Expr *operand) { return print(*operand); }));
  }

  std::string print(const Expr &expr) {
    static const std::map<Op, const char *> words = {
        {Op::Add, "+"},    {Op::Subtract, "-"},   {Op::Multiply, "*"}, {Op::Divide, "/"},
        {Op::Less, "<"},   {Op::LessEqual, "<="}, {Op::Greater, ">"},  {Op::GreaterEqual, ">="},
        {Op::Equal, "=="}, {Op::NotEqual, "!="},  {Op::And, "&"},      {Op::Or, "|"}};
    if (auto word = words.find(expr.op); word != words.end())
      return infix(word->second, expr);
    switch (expr.op) {
    case Op::Constant: return number(expr.type, expr.number);
    case Op::Read: return variable(expr.value);
    case Op::Negate: return fmt::format("(-{})", print(*expr.operands[0]));
    case Op::Not: return fmt::format("(~{})", print(*expr.operands[0]));
    case Op::FloorDivide: return call("floor_divide", expr);
    case Op::Remainder: return call("torch.remainder", expr);
    case Op::IntegerPower: return fmt::format("integer_power({}, {})", print(*expr.operands[0]), expr.integer);
    case Op::Select: return call("torch.where", expr);
    case Op::Call: return call(std::string(expr.function->name), expr);
    case Op::Spike:
      return fmt::format("spike(SURROGATES[\"{}\"], {}, {})", expr.surrogate->name, expr.strict ? "True" : "False",
                         joined(expr.operands, [&](const Expr *operand) { return print(*operand); }));
    case Op::Surrogate: return ownSurrogate(expr);
    case Op::Quant: return call("quant", expr);
    case Op::Detach: return fmt::format("{}.detach()", print(*expr.operands[0]));
    case Op::ScaleGradient: return call("gscale", expr);
    case Op::Cast:
      return call(expr.type == Type::Float ? "to_real" : expr.type == Type::Int ? "to_whole" : "to_truth", expr);
    case Op::Let:
      return fmt::format("(lambda {}: {})({})", variable(expr.value), print(*expr.operands[1]),
                         print(*expr.operands[0]));
    default: std::abort();
    }
  }

  const Model &model;
  std::map<const Value *, size_t> numbers;
  std::string text;
};

} // namespace

std::string printForPyTorch(const Model &model) { return Printer(model).run(); }

} // namespace flexsn::test
