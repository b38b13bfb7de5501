// Constants: each `const`, and the numbers that must be known when a model is compiled.
#include "compiler/frontend/Check.h"

#include <cmath>

namespace flexsn::checking {

/// Evaluates a `const` when it is first read; it may stand behind its readers.
Typed ModelChecker::constantValue(const std::string &name, Symbol &symbol) {
  using Progress = Symbol::Progress;
  if (symbol.progress == Progress::Busy) {
    report(diag::ConstantCycle, symbol.span, name);
    return {};
  }
  if (symbol.progress != Progress::Pending)
    return symbol.constant;
  symbol.progress = Progress::Busy;
  {
    Scoped<Place> constants(place, Place::Constant);
    Scoped<std::string> words(placeWords, fmt::format("the value of '{}'", name));
    Scoped<Frame *> noArguments(frame, nullptr);
    if (symbol.declared->value)
      symbol.constant = check(*symbol.declared->value);
  }
  symbol.progress = Progress::Done;
  if (auto option = options.constants.find(name); option != options.constants.end() && symbol.constant) {
    if (std::isnan(option->second))
      report(diag::ConstantNaN, symbol.span, name);
    const bool open = symbol.constant.open && option->second == std::trunc(option->second);
    const Type type = symbol.constant.open && !open ? Type::Float : symbol.constant->type;
    symbol.constant = constant(option->second, type, symbol.span, open);
  }
  if (std::optional<Type> type = typeOf(symbol.declared->item))
    symbol.constant = typedConstant(symbol.constant, *type, name, symbol.declared->value->span);
  return symbol.constant;
}

void ModelChecker::reportNoBool(const Typed &value, const std::string &name) {
  const bool constant = value->op == Op::Constant;
  report(diag::NumberIntoBool, value->span, name,
         !constant            ? "a comparison such as x > 0"
         : value->number != 0 ? "true"
                              : "false");
}

Typed ModelChecker::typedConstant(Typed value, Type type, const std::string &name, Span span) {
  if (!value || value->type == type || type == Type::Float)
    return value ? convert(value, type, span) : value;
  if (type == Type::Bool) {
    reportNoBool(value, name);
    return {};
  }
  if (value->number != std::trunc(value->number)) {
    report(diag::NotWhole, span, fmt::format("the int '{}'", name), value->number);
    return {};
  }
  return intFits(value->number, span) ? convert(value, type, span) : Typed{};
}

std::optional<double> ModelChecker::constantNumber(const syntax::Expr &expr, const std::string &what, Type type,
                                                   const std::string &name) {
  Typed value;
  {
    Scoped<Place> constants(place, Place::Constant);
    Scoped<std::string> words(placeWords, what);
    value = check(expr);
  }
  if (value && value->op != Op::Constant) {
    report(diag::NotConstant, expr.span, what);
    return std::nullopt;
  }
  if (value && type != Type::Float)
    value = typedConstant(value, type, name, expr.span);
  if (!value)
    return std::nullopt;
  return value->number;
}

} // namespace flexsn::checking
