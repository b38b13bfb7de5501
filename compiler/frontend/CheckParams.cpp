// Parameters: defaults, ranges, transforms, and dt (docs/language.md, rule 6).
#include "compiler/frontend/Check.h"

#include <algorithm>
#include <cmath>

namespace flexsn::checking {

Param *ModelChecker::paramOf(const Value *value) {
  auto found =
      std::find_if(model->params.begin(), model->params.end(), [&](const Param &p) { return p.value == value; });
  return found == model->params.end() ? nullptr : &*found;
}

void ModelChecker::elaborateParam(const syntax::Declared &declared, Symbol &symbol) {
  const syntax::Item &item = declared.item;
  const std::string &name = item.name.text;
  Dims dims = dimsOf(item, "");
  Param param;
  param.value = declaredValue(item, symbol, Value::Kind::Param, dims);
  param.dims = dims.dims;
  param.span = declared.span;
  applyDims(param, item);
  if (declared.value) { // else the parser reported it
    const std::string what = fmt::format("the default of '{}'", name);
    if (auto number = constantNumber(*declared.value, what, param.value->type, name)) {
      param.defaultValue = *number;
      checkAttributes(declared, param);
    }
  }
  finishParam(std::move(param), symbol);
}

void ModelChecker::finishParam(Param param, Symbol &symbol) {
  symbol.variesByStep = !param.dims.empty() && param.dims.front() == Dim::Step;
  if (param.dims.empty() && param.value->lanes == 1)
    invariantValues.insert(param.value);
  model->params.push_back(std::move(param));
}

void ModelChecker::checkAttributes(const syntax::Declared &declared, Param &param) {
  const syntax::Attributes &attributes = declared.attributes;
  const std::string &name = param.value->name;
  param.learnable = attributes.learnable.has_value();
  param.frozen = attributes.frozen.has_value();
  bool complete = true;
  if (param.learnable && param.frozen) {
    report(diag::LearnableFrozen, *attributes.frozen).label = Label{*attributes.learnable, "it is learnable here"};
    complete = false;
  }
  const std::string_view type = param.value->type == Type::Int ? "an int" : "a bool";
  const bool isFloat = param.value->type == Type::Float;
  if (!isFloat && (param.learnable || attributes.as)) {
    Span span = param.learnable ? *attributes.learnable : attributes.as->span;
    report(diag::LearnableNotFloat, span, name, type, param.learnable ? "learnable" : "transformed");
    complete = false;
  } else if (attributes.as) {
    complete = checkTransform(*attributes.as, param) && complete;
  }
  if (attributes.in)
    complete = checkRange(*attributes.in, param) && complete;
  if (!complete)
    brokenParams.insert(name);
}

bool ModelChecker::checkTransform(const syntax::Name &name, Param &param) {
  struct Entry {
    std::string_view word;
    Transform transform;
    double low, high;
    std::string_view range;
  };
  const double inf = HUGE_VAL;
  const Entry entries[] = {{"sigmoid", Transform::Sigmoid, 0, 1, "(0, 1)"},
                           {"softplus", Transform::Softplus, 0, inf, "(0, inf)"},
                           {"exp", Transform::Exp, 0, inf, "(0, inf)"},
                           {"tanh", Transform::Tanh, -1, 1, "(-1, 1)"}};
  const Entry *entry =
      std::find_if(std::begin(entries), std::end(entries), [&](const Entry &e) { return e.word == name.text; });
  if (entry == std::end(entries)) {
    report(diag::UnknownTransform, name.span, name.text);
    return false;
  }
  param.transform = entry->transform;
  const std::string &own = param.value->name;
  if (bool isInside = param.defaultValue > entry->low && param.defaultValue < entry->high; !isInside) {
    report(diag::TransformRange, name.span, param.defaultValue, own, entry->word, entry->range);
    return false;
  }
  if (const Symbol *taken = symbolOf(param.operandName())) {
    report(diag::RawNameTaken, taken->span, param.operandName(), own).label =
        Label{name.span, fmt::format("'{}' is transformed here", own)};
    return false;
  }
  return true;
}

bool ModelChecker::checkRange(const syntax::Range &range, Param &param) {
  const std::string what = fmt::format("the range of '{}'", param.value->name);
  std::optional<double> low = constantNumber(*range.low, what), high = constantNumber(*range.high, what);
  if (!low || !high)
    return false;
  // A learnable parameter is moved by an optimiser that knows no range: it clamps where it is used (rule 6).
  Bounds bounds{*low, *high, range.lowOpen, range.highOpen, range.clamp || param.learnable, range.span};
  param.bounds = bounds;
  const bool open = bounds.lowOpen || bounds.highOpen;
  if (*low > *high || (*low == *high && open)) {
    report(diag::EmptyRange, range.span, param.value->name);
    return false;
  }
  const double number = param.defaultValue;
  const bool below = bounds.lowOpen ? number <= *low : number < *low;
  const bool above = bounds.highOpen ? number >= *high : number > *high;
  if (below || above) {
    report(diag::DefaultOutsideRange, range.span, number, param.value->name);
    return false;
  }
  return true;
}

/// dt is a frozen parameter like any other, by a name of its own.
void ModelChecker::elaborateDt(const syntax::Statement &statement) {
  Symbol *symbol = symbolOf("dt");
  if (dt || !symbol)
    return; // a second declaration was reported
  dt = symbol->current = &addValue(Value::Kind::Param, "dt", statement.keyword);
  Param param;
  param.value = dt;
  param.frozen = true;
  param.isDt = true;
  param.span = statement.span;
  if (std::optional<double> number = constantNumber(*statement.value, "the value of dt")) {
    param.defaultValue = *number;
    if (bool isStep = *number > 0 && std::isfinite(*number); !isStep)
      report(diag::DtNotPositive, statement.value->span, *number);
  }
  finishParam(std::move(param), *symbol);
}

} // namespace flexsn::checking
