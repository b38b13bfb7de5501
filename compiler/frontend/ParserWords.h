// The words of the language, each list once.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace flexsn {

/// Why a word cannot be a name.
enum class WordKind : uint8_t {
  Declaration, ///< begins a statement: state, param, ...
  Operator,    ///< and, or, not, if, else, true, false
  Function,    ///< Functions.def and CallForms.def
  Constant,    ///< pi, e, inf
  TimeStep,    ///< dt
};

/// The kind of a reserved word; nothing for a word that may be a name.
std::optional<WordKind> reservedWord(std::string_view word);

/// neuron, input, ... : the words that begin a declaration or a definition.
const std::vector<std::string_view> &declarationWords();
/// charge, fire, reset.
const std::vector<std::string_view> &labelWords();
/// learnable, frozen, as, in.
const std::vector<std::string_view> &attributeWords();
/// Whether one of these lists has the word.
bool contains(const std::vector<std::string_view> &words, std::string_view word);

} // namespace flexsn
