#include "compiler/frontend/Functions.h"

namespace flexsn {

const std::vector<FunctionInfo> &functions() {
  static const std::vector<FunctionInfo> list = {
#define FLEXSN_FUNCTION(id, name, arity, rule, summary) {Function::id, name, arity, FunctionTypes::rule, summary},
#include "compiler/frontend/Functions.def"
  };
  return list;
}

const FunctionInfo *findFunction(std::string_view name) {
  for (const FunctionInfo &function : functions())
    if (function.name == name)
      return &function;
  return nullptr;
}

const FunctionInfo &functionInfo(Function id) { return functions()[static_cast<size_t>(id)]; }

const std::vector<CallFormInfo> &callForms() {
  static const std::vector<CallFormInfo> list = {
#define FLEXSN_CALL_FORM(id, name, signature, summary) {CallForm::id, name, signature, summary},
#include "compiler/frontend/CallForms.def"
  };
  return list;
}

const CallFormInfo *findCallForm(std::string_view name) {
  for (const CallFormInfo &form : callForms())
    if (form.name == name)
      return &form;
  return nullptr;
}

} // namespace flexsn
