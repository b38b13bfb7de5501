// What a step leaves behind: outputs and next states (docs/language.md, rules 10 and 11).
#include "compiler/frontend/Check.h"

#include <algorithm>

namespace flexsn::checking {

void ModelChecker::elaborateOutput(const syntax::Declared &declared) {
  const syntax::Name &name = declared.item.name;
  if (name.text.empty())
    return;
  auto twin = std::find_if(outputs.begin(), outputs.end(),
                           [&](const syntax::Declared *other) { return other->item.name.text == name.text; });
  if (twin != outputs.end()) {
    report(diag::DuplicateOutput, name.span, name.text).label =
        Label{(*twin)->item.name.span, "the first one stands here"};
    return;
  }
  outputs.push_back(&declared);
  Symbol *symbol = symbolOf(name.text);
  if (symbol && symbol->kind == Symbol::Kind::Assigned)
    symbol->type = typeOf(declared.item);
}

void ModelChecker::finishOutputs() {
  for (const syntax::Declared *declared : outputs) {
    const syntax::Name &name = declared->item.name;
    Symbol *symbol = symbolOf(name.text);
    std::optional<Type> type = typeOf(declared->item);
    if (symbol && symbol->kind == Symbol::Kind::Const) {
      report(diag::OutputConstant, name.span, name.text);
    } else if (!symbol) {
      reportMissingOutput(name);
    } else if (symbol->current) {
      const Value &value = *symbol->current;
      if (type == Type::Int && value.type == Type::Float && !value.whole)
        report(diag::OutputNotInt, name.span, name.text);
      if (type == Type::Bool && value.type != Type::Bool)
        report(diag::OutputNotBool, name.span, name.text);
      model->outputs.push_back({name.text, &value, type.value_or(value.whole ? Type::Int : value.type), name.span});
    }
  }
}

void ModelChecker::reportMissingOutput(const syntax::Name &name) {
  failed = true;
  if (explained(name.text))
    return;
  if (std::optional<std::string> near = nearest(name.text, visibleNames()))
    report(diag::OutputNeverAssignedNear, name.span, name.text, *near).fix = Fix{name.span, *near};
  else
    report(diag::OutputNeverAssigned, name.span, name.text);
}

void ModelChecker::finishStates() {
  for (State &state : model->states)
    state.next = symbolOf(state.value->name)->current;
}

} // namespace flexsn::checking
