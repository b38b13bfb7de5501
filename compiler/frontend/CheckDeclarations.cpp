// Declarations: names, types, dims, initial values (docs/language.md, rules 6 and 11).
#include "compiler/frontend/Check.h"

#include <algorithm>
#include <cmath>

namespace flexsn::checking {

using syntax::StatementKind;

// ---- Names, before anything is evaluated: declarations may stand in any order ----

void ModelChecker::declareNames() {
  for (const syntax::Statement &statement : tree.statements) {
    switch (statement.kind) {
    case StatementKind::Input: declareAll(statement, Symbol::Kind::Input); break;
    case StatementKind::State: declareAll(statement, Symbol::Kind::State); break;
    case StatementKind::Param: declareAll(statement, Symbol::Kind::Param); break;
    case StatementKind::Const: declareAll(statement, Symbol::Kind::Const); break;
    case StatementKind::Dt: {
      Symbol symbol;
      symbol.kind = Symbol::Kind::Param;
      symbol.isDt = true;
      declare({"dt", statement.keyword}, symbol);
      break;
    }
    case StatementKind::Define:
    case StatementKind::DefineSurrogate: declareDefinition(statement); break;
    case StatementKind::Error: // what it mentions may be what it should have declared
      for (const syntax::Name &name : statement.hold)
        brokenNames.insert(name.text);
      break;
    default: break;
    }
  }
  declareAssigned();
}

/// Names that are declared nowhere but assigned: known from the start, so that an early read can be explained.
void ModelChecker::declareAssigned() {
  for (const syntax::Statement &statement : tree.statements) {
    if (statement.kind == StatementKind::Assign && !symbolOf(statement.name.text))
      declare(statement.name, Symbol());
  }
}

void ModelChecker::declareAll(const syntax::Statement &statement, Symbol::Kind kind) {
  for (const syntax::Declared &declared : statement.declared) {
    Symbol symbol;
    symbol.kind = kind;
    symbol.declared = &declared;
    declare(declared.item.name, symbol);
  }
}

void ModelChecker::declare(const syntax::Name &name, Symbol symbol) {
  if (name.text.empty()) { // the parser reported it
    failed = true;
    return;
  }
  symbol.span = name.span;
  if (auto definition = definitions.find(name.text); definition != definitions.end()) {
    report(diag::DuplicateName, name.span, name.text).label =
        Label{definition->second.statement->name.span, "it is defined here"};
    return;
  }
  auto [found, fresh] = symbols.emplace(name.text, symbol);
  if (fresh) {
    symbolOrder.push_back(name.text);
    return;
  }
  report(diag::DuplicateName, name.span, name.text).label = Label{found->second.span, "the first one stands here"};
}

void ModelChecker::declareDefinition(const syntax::Statement &statement) {
  const std::string &name = statement.name.text;
  if (name.empty())
    return;
  Definition definition;
  definition.statement = &statement;
  const Symbol *symbol = symbolOf(name);
  auto [found, fresh] = definitions.emplace(name, definition);
  if (fresh && !symbol) {
    definitionOrder.push_back(name);
    if (statement.kind == StatementKind::Define)
      checkParameters(statement);
    return;
  }
  report(diag::DuplicateName, statement.name.span, name).label =
      Label{symbol ? symbol->span : found->second.statement->name.span, "the first one stands here"};
}

// ---- Types and dims ----

std::optional<Type> ModelChecker::typeOf(const syntax::Item &item) {
  if (!item.type || item.broken)
    return std::nullopt;
  const std::string &word = item.type->text;
  if (word == "float")
    return Type::Float;
  if (word == "int")
    return Type::Int;
  if (word == "bool")
    return Type::Bool;
  if (isUnit(word) || word == "1")
    report(diag::UnitAsType, item.type->span, word);
  else
    report(diag::UnknownType, item.type->span, word);
  return std::nullopt;
}

/// The dims of an item; `what` has the shape of the data and takes lanes alone, if it is not empty.
ModelChecker::Dims ModelChecker::dimsOf(const syntax::Item &item, std::string_view what) {
  Dims result;
  result.known = !item.broken;
  if (item.broken)
    return result;
  bool lanes = false;
  for (const syntax::Dim &dim : item.dims) {
    const bool word = dim.text == "neuron" || dim.text == "channel" || dim.text == "step";
    if (lanes) {
      report(diag::LanesLast, dim.span);
      result.known = false;
      return result;
    }
    if (!word) {
      std::optional<unsigned> number = lanesOf(dim);
      result.known = number.has_value();
      result.lanes = number.value_or(1);
      lanes = true;
    } else if (!what.empty()) {
      report(diag::LanesAlone, dim.span, what);
    } else {
      addDim(result.dims, dim.text == "neuron" ? Dim::Neuron : dim.text == "channel" ? Dim::Channel : Dim::Step, dim);
    }
  }
  return result;
}

void ModelChecker::addDim(std::vector<Dim> &dims, Dim dim, const syntax::Dim &written) {
  const auto has = [&](Dim other) { return std::find(dims.begin(), dims.end(), other) != dims.end(); };
  if (has(dim))
    report(diag::DimTwice, written.span, written.text);
  else if ((dim == Dim::Neuron && has(Dim::Channel)) || (dim == Dim::Channel && has(Dim::Neuron)))
    report(diag::DimInNeuron, written.span);
  else
    dims.insert(std::upper_bound(dims.begin(), dims.end(), dim), dim); // one order for one meaning
}

/// A number of lanes: a literal, or a constant with a whole value.
std::optional<unsigned> ModelChecker::lanesOf(const syntax::Dim &dim) {
  double number = static_cast<double>(dim.number);
  if (!dim.text.empty()) {
    Symbol *symbol = symbolOf(dim.text);
    if (!symbol && explained(dim.text))
      return std::nullopt;
    if (!symbol || symbol->kind != Symbol::Kind::Const) {
      report(diag::UnknownDim, dim.span, dim.text);
      return std::nullopt;
    }
    Typed value = constantValue(dim.text, *symbol);
    if (!value)
      return std::nullopt;
    number = value->number;
  }
  if (!wholeInside(number, "the number of lanes", 2, Limits::lanes, dim.span))
    return std::nullopt;
  return static_cast<unsigned>(number);
}

bool ModelChecker::wholeInside(double number, std::string_view what, unsigned low, unsigned high, Span span) {
  if (number != std::trunc(number)) {
    report(diag::NotWhole, span, what, number);
    return false;
  }
  if (number < low || number > high) {
    report(diag::NumberOutside, span, what, low, high, number);
    return false;
  }
  return true;
}

// ---- One declaration after the other ----

void ModelChecker::elaborate(const syntax::Statement &statement) {
  for (const syntax::Declared &declared : statement.declared) {
    // A second declaration of a name was reported; it changes nothing.
    Symbol *symbol = symbolOf(declared.item.name.text);
    if (statement.kind != StatementKind::Output && (!symbol || symbol->declared != &declared))
      continue;
    if (statement.kind != StatementKind::Param)
      refuseAttributes(declared, statement.kind);
    if (statement.kind == StatementKind::Input)
      elaborateInput(declared, *symbol);
    else if (statement.kind == StatementKind::State)
      elaborateState(declared, *symbol);
    else if (statement.kind == StatementKind::Const)
      elaborateConst(declared, *symbol);
    else if (statement.kind == StatementKind::Param)
      elaborateParam(declared, *symbol);
    else
      elaborateOutput(declared);
  }
  if (statement.kind == StatementKind::Dt)
    elaborateDt(statement);
}

void ModelChecker::refuseAttributes(const syntax::Declared &declared, StatementKind kind) {
  const syntax::Attributes &attributes = declared.attributes;
  const std::string_view what = kind == StatementKind::Input    ? "an input"
                                : kind == StatementKind::State  ? "a state"
                                : kind == StatementKind::Output ? "an output"
                                                                : "a constant";
  std::optional<Span> span = attributes.learnable ? attributes.learnable : attributes.frozen;
  if (!span && attributes.as)
    span = attributes.as->span;
  if (!span && attributes.in)
    span = attributes.in->span;
  if (span)
    report(diag::AttributeNotParam, *span, declared.item.name.text, what);
}

/// The version 0 of a declared name.
const Value *ModelChecker::declaredValue(const syntax::Item &item, Symbol &symbol, Value::Kind kind, const Dims &dims) {
  Value &value = addValue(kind, item.name.text, item.name.span);
  value.type = typeOf(item).value_or(Type::Float);
  value.lanes = dims.lanes;
  // With dims that are not known, whatever reads the name would be a second error.
  symbol.current = dims.known ? &value : nullptr;
  symbol.poisoned = !dims.known;
  if (kind == Value::Kind::State) {
    symbol.type = value.type;
    if (dims.known)
      symbol.lanes = dims.lanes;
  }
  return &value;
}

void ModelChecker::elaborateInput(const syntax::Declared &declared, Symbol &symbol) {
  Dims dims = dimsOf(declared.item, "an input");
  model->inputs.push_back({declaredValue(declared.item, symbol, Value::Kind::Input, dims)});
}

void ModelChecker::elaborateState(const syntax::Declared &declared, Symbol &symbol) {
  Dims dims = dimsOf(declared.item, "a state");
  State state;
  state.value = declaredValue(declared.item, symbol, Value::Kind::State, dims);
  state.span = declared.span;
  initials.emplace_back(&declared, model->states.size());
  model->states.push_back(state);
}

void ModelChecker::elaborateConst(const syntax::Declared &declared, Symbol &symbol) {
  if (!declared.item.dims.empty())
    report(diag::LanesAlone, declared.item.dims.front().span, "a constant");
  if (declared.value) // else the parser reported it
    constantValue(declared.item.name.text, symbol);
}

/// Initial values read parameters, so they come behind all declarations (rule 11).
void ModelChecker::initialValues() {
  Scoped<Place> initial(place, Place::Initial);
  for (auto &[declared, index] : initials) {
    State &state = model->states[index];
    const Value &value = *state.value;
    Typed checked = declared->value ? check(*declared->value)
                                    : constant(0, value.type, declared->item.name.span, value.type != Type::Bool);
    Symbol &symbol = *symbolOf(value.name);
    checked = toDeclared(checked, symbol, declared->item.name);
    if (checked)
      state.initial = checked.expr;
  }
}

} // namespace flexsn::checking
