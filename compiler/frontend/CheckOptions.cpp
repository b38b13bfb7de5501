// What a request changes about a text: const values, dims, the default surrogate, detach_reset.
#include "compiler/frontend/Check.h"

#include <algorithm>
#include <cmath>

namespace flexsn::checking {

using syntax::ExprKind;

/// The option `surrogate` is a text of its own, read by the same parser.
void ModelChecker::surrogateOption() {
  Source optionSource("option", fmt::format("neuron option:\n  surrogate {}\n", options.surrogate));
  Diagnostics silent(optionSource);
  syntax::File file = parse(optionSource, silent);
  std::optional<Chosen> choice;
  const bool shaped = !silent.hasErrors() && file.models.size() == 1 && file.models[0].statements.size() == 1 &&
                      file.models[0].statements[0].kind == syntax::StatementKind::Surrogate;
  if (shaped)
    choice = optionChoice(*file.models[0].statements[0].call);
  if (choice)
    modelSurrogate = choice;
  else
    report(diag::OptionSurrogate, tree.name.span, options.surrogate);
}

/// Its arguments are numbers, so that no node points into the option's text.
std::optional<ModelChecker::Chosen> ModelChecker::optionChoice(const syntax::NamedCall &call) {
  Definition *definition = definitionOf(call.name.text);
  if (definition && definition->statement->kind == syntax::StatementKind::DefineSurrogate && call.arguments.empty())
    return userChoice(call.name, *definition, call.arguments, tree.name.span);
  const SurrogateInfo *info = findSurrogate(call.name.text);
  if (!info || call.arguments.size() > info->parameters.size())
    return std::nullopt;
  std::vector<double> numbers;
  for (const SurrogateParameter &parameter : info->parameters)
    numbers.push_back(parameter.defaultValue);
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const syntax::Argument &argument = call.arguments[i];
    size_t index = i;
    if (argument.keyword)
      for (index = 0; index < info->parameters.size() && info->parameters[index].name != argument.keyword->text;)
        ++index;
    std::optional<double> number = plainNumber(*argument.value);
    if (!number || index >= numbers.size() || !info->parameters[index].takes(*number))
      return std::nullopt;
    numbers[index] = *number;
  }
  Chosen choice;
  choice.builtin = info;
  for (double number : numbers)
    choice.arguments.push_back(constant(number, Type::Float, tree.name.span).expr);
  return choice;
}

/// A number with or without a minus sign.
std::optional<double> ModelChecker::plainNumber(const syntax::Expr &expr) {
  if (expr.kind == ExprKind::Number)
    return expr.number;
  if (expr.kind == ExprKind::Unary && expr.op == syntax::Operator::Minus && expr.operands[0]->kind == ExprKind::Number)
    return -expr.operands[0]->number;
  return std::nullopt;
}

/// Dims of a scalar parameter, given from outside.
void ModelChecker::applyDims(Param &param, const syntax::Item &item) {
  auto wanted = options.dims.find(param.value->name);
  if (wanted == options.dims.end() || wanted->second.empty() || wanted->second == param.dims)
    return;
  if (!item.dims.empty()) {
    report(diag::OptionDimsDeclared, item.name.span, param.value->name);
    return;
  }
  std::vector<Dim> dims = wanted->second; // in the order that the text would give them
  std::sort(dims.begin(), dims.end());
  dims.erase(std::unique(dims.begin(), dims.end()), dims.end());
  if (dims.size() > 1 && dims.back() == Dim::Neuron && dims[dims.size() - 2] == Dim::Channel)
    report(diag::DimInNeuron, item.name.span);
  param.dims = std::move(dims);
}

} // namespace flexsn::checking

namespace flexsn {

/// Options that no model of the file can use are mistakes of the request.
void reportUnusableOptions(const syntax::File &file, const CheckOptions &options, Diagnostics &diagnostics) {
  using syntax::StatementKind;
  const auto declares = [&](StatementKind kind, std::string_view name) {
    for (const syntax::Model &model : file.models)
      for (const syntax::Statement &statement : model.statements)
        for (const syntax::Declared &declared : statement.declared)
          if (statement.kind == kind && declared.item.name.text == name)
            return true;
    return false;
  };
  const Span begin = file.models.empty() ? Span{} : file.models.front().name.span;
  for (const auto &[name, value] : options.constants)
    if (!declares(StatementKind::Const, name))
      diagnostics.report(diag::OptionConstant, begin, name);
  for (const auto &[name, dims] : options.dims)
    if (!declares(StatementKind::Param, name))
      diagnostics.report(diag::OptionDims, begin, name);
  const bool resets = std::any_of(file.models.begin(), file.models.end(), [](const syntax::Model &model) {
    return std::any_of(model.statements.begin(), model.statements.end(), [](const syntax::Statement &statement) {
      return statement.kind == StatementKind::Section && statement.name.text == "reset";
    });
  });
  if (options.detachReset && !resets)
    diagnostics.report(diag::OptionDetachReset, begin);
}

} // namespace flexsn
