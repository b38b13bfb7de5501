// What a name means where it stands (docs/language.md, rules 1 and 14).
#include "compiler/frontend/Check.h"
#include "compiler/frontend/Lexer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flexsn::checking {

Symbol *ModelChecker::symbolOf(std::string_view name) {
  auto found = symbols.find(std::string(name));
  return found == symbols.end() ? nullptr : &found->second;
}

/// The definition that a call by this name means: a `def` of the file sees those of the file alone.
Definition *ModelChecker::definitionOf(std::string_view name) {
  if (!frame || !frame->definition->ofFile)
    if (auto found = definitions.find(name); found != definitions.end())
      return &found->second;
  auto found = file.definitions.find(name);
  if (found == file.definitions.end())
    return nullptr;
  return &fileDefinitions.emplace(found->first, found->second).first->second;
}

std::string ModelChecker::describe(const Symbol &symbol) const {
  switch (symbol.kind) {
  case Symbol::Kind::Input: return "an input";
  case Symbol::Kind::Param: return symbol.isDt ? "the time step" : "a parameter";
  case Symbol::Kind::State: return "a state";
  case Symbol::Kind::Const: return "a constant";
  case Symbol::Kind::Assigned: return "assigned in the step";
  }
  return {};
}

/// The rule that `place` follows, for the end of a message.
std::string ModelChecker::placeRule() const {
  switch (place) {
  case Place::Constant: return placeWords + " is a constant expression";
  case Place::Initial: return "an initial value is made of constants, parameters and random numbers";
  case Place::Invariant: return placeWords + " is made of constants and scalar parameters";
  case Place::SurrogateBody: return "a surrogate is made of its own arguments and constants, pass it as an argument";
  case Place::Refractory: return "a refractory time is made of constants and of parameters without the dim step";
  case Place::Step: break;
  }
  return {};
}

Typed ModelChecker::readName(const syntax::Expr &expr) {
  const syntax::Name &name = expr.name;
  if (frame)
    if (auto local = frame->locals.find(name.text); local != frame->locals.end())
      return local->second;
  constexpr double pi = 3.14159265358979323846, e = 2.71828182845904523536;
  if (name.text == "pi")
    return constant(pi, Type::Float, expr.span);
  if (name.text == "e")
    return constant(e, Type::Float, expr.span);
  if (name.text == "inf")
    return constant(std::numeric_limits<double>::infinity(), Type::Float, expr.span);
  Symbol *symbol = symbolOf(name.text);
  if (symbol && !(frame && frame->definition->ofFile))
    return readSymbol(name, *symbol);
  if (name.text == "dt") {
    if (frame && frame->definition->ofFile)
      report(diag::UnknownNameInDefine, name.span, name.text);
    else if (!explained("dt"))
      report(diag::DtMissing, name.span);
    return {};
  }
  unknownName(name);
  return {};
}

Typed ModelChecker::readSymbol(const syntax::Name &name, Symbol &symbol) {
  if (!readable(name, symbol))
    return {};
  if (symbol.kind == Symbol::Kind::Const) {
    Typed value = constantValue(name.text, symbol);
    return value ? constant(value->number, value->type, name.span, value.open) : Typed{};
  }
  if (symbol.current)
    return read(symbol.current, name.span);
  if (!symbol.poisoned && !isBroken(name.text)) {
    report(diag::ReadBeforeAssigned, name.span, name.text, name.text, name.text);
    symbol.poisoned = true;
  }
  return {};
}

bool ModelChecker::readable(const syntax::Name &name, const Symbol &symbol) {
  using Kind = Symbol::Kind;
  bool allowed = place == Place::Step || symbol.kind == Kind::Const;
  if (place == Place::Initial && symbol.kind == Kind::Param) {
    allowed = true;
    if (symbol.variesByStep) {
      report(diag::StepInInitial, name.span, name.text);
      return false;
    }
  }
  if (place == Place::Refractory && symbol.kind == Kind::Param)
    allowed = !symbol.variesByStep;
  if (place == Place::Invariant)
    allowed = allowed || (symbol.current && invariantValues.contains(symbol.current));
  if (!allowed && !isBroken(name.text))
    report(diag::NotReadableHere, name.span, name.text, describe(symbol), placeRule());
  return allowed;
}

Typed ModelChecker::read(const Value *value, Span span) {
  Expr *expr = make(Op::Read, value->type, span);
  expr->value = value;
  expr->lanes = value->lanes;
  return value->spikes ? detachedInReset({expr}, span) : Typed{expr};
}

/// The option detach_reset (rule 5).
Typed ModelChecker::detachedInReset(Typed value, Span span) {
  const bool inReset = section == flexsn::Section::Reset && place == Place::Step;
  if (!options.detachReset || !inReset)
    return value;
  return {make(Op::Detach, value->type, span, {value.expr})};
}

/// What the name could have been meant to be, nearest declarations first.
std::vector<std::string> ModelChecker::visibleNames() const {
  std::vector<std::string> names;
  if (frame)
    for (const syntax::FormalParameter &parameter : frame->definition->statement->parameters)
      names.push_back(parameter.name.text);
  if (!frame || !frame->definition->ofFile)
    names.insert(names.end(), symbolOrder.begin(), symbolOrder.end());
  return names;
}

std::vector<std::string> ModelChecker::definedNames() const {
  std::vector<std::string> names = definitionOrder;
  names.insert(names.end(), file.order.begin(), file.order.end());
  return names;
}

/// Whether an unknown name needs no report: it had one, also as a word that the lexer refuses, or the statement that
/// should have made it is one that the parser gave up. Past the last error that is shown, there is no use in looking
/// for what was meant.
bool ModelChecker::explained(const std::string &name, const std::string &unread) {
  return !std::all_of(name.begin(), name.end(), isNameByte) || name.starts_with('_') || isBroken(name, unread) ||
         diagnostics.full() || !reportedNames.insert(name).second;
}

/// The `//` in front of a name that ends its line: it begins a comment elsewhere.
static std::optional<Span> slashesBefore(const Source &source, Span name) {
  const std::string_view text = source.text(), behind = text.substr(name.end);
  const size_t next = behind.find_first_not_of(" \t\f"), last = text.find_last_not_of(" \t\f", name.begin - 1);
  const bool endsLine = next == behind.npos || behind[next] == '\n' || behind[next] == '\r';
  if (!endsLine || name.begin < 2 || last == text.npos || last == 0 || text.substr(last - 1, 2) != "//")
    return std::nullopt;
  return Span{static_cast<uint32_t>(last - 1), static_cast<uint32_t>(last + 1)};
}

void ModelChecker::unknownName(const syntax::Name &name) {
  failed = true;
  if (explained(name.text))
    return;
  std::optional<std::string> near = nearest(name.text, visibleNames());
  const bool otherCase = near && lowered(name.text) == lowered(*near); // `V` for a state v is no volt
  if (std::string_view hint = habitOfName(name.text); !hint.empty() && !otherCase) {
    report(diag::UnknownNameHint, name.span, name.text, hint);
    return;
  }
  if (findFunction(name.text) || findCallForm(name.text) || definitionOf(name.text)) {
    report(diag::FunctionAsName, name.span, name.text, name.text);
    return;
  }
  if (near)
    report(diag::UnknownNameNear, name.span, name.text, *near).fix = Fix{name.span, *near};
  else if (const std::optional<Span> slashes = slashesBefore(*source, name.span))
    report(diag::CommentSign, *slashes, text(*slashes)).fix = Fix{*slashes, "#"};
  else if (frame && frame->definition->ofFile)
    report(diag::UnknownNameInDefine, name.span, name.text);
  else
    report(diag::UnknownName, name.span, name.text);
}

/// A call of what cannot be called: a value (a product is meant), a surrogate, or nothing known.
void ModelChecker::unknownFunction(const syntax::Expr &call) {
  failed = true;
  const syntax::Name &name = call.name;
  const bool known = symbolOf(name.text) || name.text == "pi" || name.text == "e" || name.text == "inf" ||
                     name.text == "dt" || (frame && frame->locals.contains(name.text));
  if (known && call.arguments.size() == 1 && !call.arguments[0].keyword) {
    // The bracket as it was written, whatever stands in it.
    std::string factor = text({name.span.end, call.span.end});
    factor.erase(0, factor.find('('));
    std::string product = fmt::format("{} * {}", name.text, factor);
    report(diag::NotAFunctionProduct, name.span, name.text, name.text, factor).fix = Fix{call.span, product};
    return;
  }
  if (known) {
    report(diag::NotAFunction, name.span, name.text);
    return;
  }
  if (explained(name.text, "()"))
    return;
  if (std::string_view hint = habitOfFunction(name.text); !hint.empty()) {
    report(diag::UnknownFunctionHint, name.span, name.text, hint);
    return;
  }
  if (findSurrogate(name.text)) {
    report(diag::SurrogateAsFunction, name.span, name.text, name.text);
    return;
  }
  if (std::string_view hint = habitOfSurrogate(name.text); !hint.empty()) {
    report(diag::UnknownFunctionHint, name.span, name.text, hint);
    return;
  }
  std::vector<std::string> candidates = functionNames();
  const std::vector<std::string> own = definedNames();
  candidates.insert(candidates.begin(), own.begin(), own.end());
  if (std::optional<std::string> near = nearest(name.text, candidates))
    report(diag::UnknownFunctionNear, name.span, name.text, *near).fix = Fix{name.span, *near};
  else
    report(diag::UnknownFunction, name.span, name.text);
}

} // namespace flexsn::checking
