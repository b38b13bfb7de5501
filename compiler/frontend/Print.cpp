// The canonical text of a checked model. What the checker derives from types (casts, lanes) is not written: types of
// declarations and the spelling of constants give it back, so that the text checks again to an equal model.
#include "compiler/frontend/PrintExpr.h"

#include "compiler/frontend/Frontend.h"

namespace flexsn {

namespace {
std::string_view typeSuffix(Type type) {
  switch (type) {
  case Type::Float: return "";
  case Type::Int: return ": int";
  case Type::Bool: return ": bool";
  }
  return {};
}

std::string_view methodName(Method method) {
  constexpr std::string_view names[] = {"euler", "expeuler", "exact", "rk2", "rk4", "heun"};
  return names[static_cast<size_t>(method)];
}

std::string_view transformName(Transform transform) {
  constexpr std::string_view names[] = {"", "sigmoid", "softplus", "exp", "tanh"};
  return names[static_cast<size_t>(transform)];
}

std::string_view dimName(Dim dim) {
  constexpr std::string_view names[] = {"step", "channel", "neuron"};
  return names[static_cast<size_t>(dim)];
}

std::string_view sectionLabel(Section section) {
  constexpr std::string_view labels[] = {"", "charge", "fire", "reset"};
  return labels[static_cast<size_t>(section)];
}

/// NAME[dims, lanes]: type
std::string item(const Value &value, const std::vector<Dim> &dims = {}) {
  std::vector<std::string> words;
  for (Dim dim : dims)
    words.emplace_back(dimName(dim));
  if (value.lanes != 1)
    words.push_back(fmt::format("{}", value.lanes));
  std::string brackets = words.empty() ? "" : fmt::format("[{}]", fmt::join(words, ", "));
  return fmt::format("{}{}{}", value.name, brackets, typeSuffix(value.type));
}

std::string equation(const Ode &ode) {
  std::string substeps = ode.substeps == 1 ? "" : fmt::format("(substeps={})", ode.substeps);
  return fmt::format("d{}/dt = {} method {}{}", ode.state->name, print(*ode.rate), methodName(ode.method), substeps);
}

class ModelPrinter {
public:
  ModelPrinter(const Model &model, bool keyOnly) : model(model), keyOnly(keyOnly) {}

  std::string run() {
    text = fmt::format("neuron {}:\n", model.name);
    for (const Input &input : model.inputs)
      line("input {}", item(*input.value));
    for (const State &state : model.states)
      line("state {} = {}", item(*state.value), print(*state.initial));
    for (const Param &param : model.params)
      parameter(param);
    for (const SurrogateDefinition &definition : model.surrogateDefinitions)
      surrogate(definition);
    for (const Refractory &refractory : model.refractory)
      line("refractory {} of {} hold {}", print(*refractory.steps), refractory.spike, fmt::join(refractory.hold, ", "));
    if (model.truncate)
      line("truncate {}", *model.truncate);
    steps();
    for (const Output &output : model.outputs)
      line("output {}{}", output.name, typeSuffix(output.type));
    return std::move(text);
  }

private:
  template <class... Args> void line(fmt::format_string<Args...> format, Args &&...args) {
    text += "  ";
    fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
    text += '\n';
  }

  void parameter(const Param &param) {
    const std::string number = keyOnly ? "" : " = " + printNumber(param.defaultValue, param.value->type);
    if (param.isDt) {
      line("dt{}", number);
      return;
    }
    std::string attributes = param.learnable ? " learnable" : param.frozen ? " frozen" : "";
    if (param.transform != Transform::None)
      attributes += fmt::format(" as {}", transformName(param.transform));
    if (const std::optional<Bounds> &bounds = param.bounds)
      attributes += fmt::format(" in {}{}, {}{}{}", bounds->lowOpen ? "(" : "[", printNumber(bounds->low, Type::Float),
                                printNumber(bounds->high, Type::Float), bounds->highOpen ? ")" : "]",
                                bounds->clamp ? " clamp" : "");
    line("param {}{}{}", item(*param.value, param.dims), number, attributes);
  }

  void surrogate(const SurrogateDefinition &definition) {
    std::vector<std::string> names, parts = {fmt::format("value = {}", print(*definition.value))};
    for (const Value *parameter : definition.parameters)
      names.push_back(parameter->name);
    for (const auto &[parameter, derivative] : definition.gradients)
      parts.push_back(fmt::format("grad {} = {}", parameter->name, print(*derivative)));
    if (definition.primitive)
      parts.push_back(fmt::format("primitive = {}", print(*definition.primitive)));
    line("surrogate {}({}): {}", definition.name, fmt::join(names, ", "), fmt::join(parts, ", "));
  }

  void steps() {
    Section section = Section::None;
    bool resets = false;
    for (const Statement &statement : model.statements) {
      if (statement.section != section)
        line("{}:", sectionLabel(section = statement.section));
      resets = resets || section == Section::Reset;
      if (statement.target)
        line("{}", print(statement));
      for (const Ode &ode : statement.system)
        line("{}", equation(ode));
    }
    if (model.hasReset && !resets) // an empty one still is what detach_reset asks for
      line("reset:");
  }

  const Model &model;
  const bool keyOnly;
  std::string text;
};
} // namespace

std::string print(const Model &model, bool keyOnly) { return ModelPrinter(model, keyOnly).run(); }

std::string print(const Statement &statement) {
  if (statement.target)
    return fmt::format("{} = {}", statement.target->name, print(*statement.value));
  std::string text;
  for (const Ode &ode : statement.system)
    text += fmt::format("{}d{}/dt = {}", text.empty() ? "" : "; ", ode.state->name, print(*ode.rate));
  return text;
}

} // namespace flexsn
