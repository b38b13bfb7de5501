// The words of the language, each list once.
#pragma once

#include <algorithm>
#include <iterator>
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
/// Whether a list has the word.
template <class List> bool contains(const List &words, std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}
/// The entry of a list whose member `word` it is, or null.
template <class List> auto findWord(const List &entries, std::string_view word) {
  const auto *found =
      std::find_if(std::begin(entries), std::end(entries), [&](const auto &entry) { return entry.word == word; });
  return found == std::end(entries) ? nullptr : found;
}

} // namespace flexsn
