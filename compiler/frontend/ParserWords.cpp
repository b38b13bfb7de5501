#include "compiler/frontend/ParserWords.h"

#include <algorithm>

namespace flexsn {

const std::vector<std::string_view> &declarationWords() {
  static const std::vector<std::string_view> words = {"neuron", "def",    "input",      "output",
                                                      "state",  "param",  "const",      "surrogate",
                                                      "dt",     "method", "refractory", "truncate"};
  return words;
}

const std::vector<std::string_view> &labelWords() {
  static const std::vector<std::string_view> words = {"charge", "fire", "reset"};
  return words;
}

const std::vector<std::string_view> &attributeWords() {
  static const std::vector<std::string_view> words = {"learnable", "frozen", "as", "in"};
  return words;
}

std::optional<WordKind> reservedWord(std::string_view word) {
  static constexpr std::string_view operators[] = {"and", "or", "not", "if", "else", "true", "false"};
  static constexpr std::string_view constants[] = {"pi", "e", "inf"};
  static constexpr std::string_view functions[] = {
#define FLEXSN_FUNCTION(id, name, arity, rule, summary) name,
#include "compiler/frontend/Functions.def"
#define FLEXSN_CALL_FORM(id, name, signature, summary) name,
#include "compiler/frontend/CallForms.def"
  };
  const auto in = [&](const auto &list) { return std::find(std::begin(list), std::end(list), word) != std::end(list); };
  if (word == "dt")
    return WordKind::TimeStep;
  if (in(declarationWords()))
    return WordKind::Declaration;
  if (in(operators))
    return WordKind::Operator;
  if (in(constants))
    return WordKind::Constant;
  if (in(functions))
    return WordKind::Function;
  return std::nullopt;
}

} // namespace flexsn
