// The functions of the language (docs/language.md, rule 9), from the one list Functions.def.
#pragma once

#include "compiler/frontend/Model.h"

#include <string_view>
#include <vector>

namespace flexsn {

enum class Function : uint8_t {
#define FLEXSN_FUNCTION(id, name, arity, rule, summary) id,
#include "compiler/frontend/Functions.def"
};

/// How a function's types follow from its arguments'.
enum class FunctionTypes : uint8_t {
  Real,     ///< float arguments (ints and bools are converted), float result
  Same,     ///< int arguments give int, else float: abs min max clip sign
  Rounding, ///< float to float, and allowed to be put into an int name: floor ceil round trunc
  Test,     ///< float argument, bool result: isnan
  Lanes,    ///< reduces lanes: sum dot
};

struct FunctionInfo {
  Function id;
  std::string_view name;
  unsigned arity;
  FunctionTypes types;
  std::string_view summary;
};

/// What is written like a function but is an operator of the checker (CallForms.def): where, spike, quant and the like.
enum class CallForm : uint8_t {
#define FLEXSN_CALL_FORM(id, name, signature, summary) id,
#include "compiler/frontend/CallForms.def"
};

struct CallFormInfo {
  CallForm id;
  std::string_view name;
  std::string_view signature;
  std::string_view summary;
};

/// Null if no function has this name. `where`, spike, quant and the like are operators of the checker, not in this
/// list.
const FunctionInfo *findFunction(std::string_view name);
const FunctionInfo &functionInfo(Function id);
/// Every function in the list's order.
const std::vector<FunctionInfo> &functions();
/// Null if no operator is called by this name.
const CallFormInfo *findCallForm(std::string_view name);
const std::vector<CallFormInfo> &callForms();

} // namespace flexsn
