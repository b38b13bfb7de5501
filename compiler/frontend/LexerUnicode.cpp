// Characters from outside ASCII that people paste from papers, word processors and East Asian keyboards.
#include "compiler/frontend/Lexer.h"

#include "llvm/Support/ConvertUTF.h"

#include <algorithm>

namespace flexsn {

namespace {
struct Lookalike {
  std::string_view character, text;
};
} // namespace

/// `&&`, `||`, `!` and `'` are no part of the language either: the parser says what to write.
static constexpr Lookalike operators[] = {
    {"×", "*"}, {"·", "*"},   {"⋅", "*"},      {"∗", "*"},      {"÷", "/"},      {"∕", "/"},      {"−", "-"},
    {"–", "-"}, {"—", "-"},   {"≤", "<="},     {"≥", ">="},     {"≠", "!="},     {"∧", "&&"},     {"∨", "||"},
    {"¬", "!"}, {"←", "="},   {"\u00A0", " "}, {"\u3000", " "}, {"\u2009", " "}, {"\u202F", " "}, {"′", "'"},
    {"’", "'"}, {"²", "**2"}, {"³", "**3"},    {"、", ","},     {"。", "."},     {"【", "["},     {"】", "]"},
};

static constexpr Lookalike letters[] = {
    {"α", "alpha"},  {"β", "beta"},  {"γ", "gamma"}, {"δ", "delta"},   {"ε", "epsilon"}, {"ζ", "zeta"},
    {"η", "eta"},    {"θ", "theta"}, {"ι", "iota"},  {"κ", "kappa"},   {"λ", "lambda"},  {"μ", "mu"},
    {"µ", "mu"},     {"ν", "nu"},    {"ξ", "xi"},    {"ο", "omicron"}, {"π", "pi"},      {"ρ", "rho"},
    {"σ", "sigma"},  {"ς", "sigma"}, {"τ", "tau"},   {"υ", "upsilon"}, {"φ", "phi"},     {"ϕ", "phi"},
    {"χ", "chi"},    {"ψ", "psi"},   {"ω", "omega"}, {"Γ", "Gamma"},   {"Δ", "Delta"},   {"Θ", "Theta"},
    {"Λ", "Lambda"}, {"Ξ", "Xi"},    {"Π", "Pi"},    {"Σ", "Sigma"},   {"Φ", "Phi"},     {"Ψ", "Psi"},
    {"Ω", "Omega"},  {"∞", "inf"},
};

/// U+FF01 ... U+FF5E are ASCII in the width of an ideograph: EF BC 81 ... EF BD 9E.
static std::optional<char> fullWidth(std::string_view character) {
  if (character.size() != 3 || character[0] != '\xEF')
    return std::nullopt;
  const unsigned low = static_cast<unsigned char>(character[2]) & 0x3Fu;
  const unsigned middle = static_cast<unsigned char>(character[1]) & 0x3Fu;
  const unsigned code = 0xF000u | middle << 6 | low;
  if (code < 0xFF01 || code > 0xFF5E)
    return std::nullopt;
  return static_cast<char>(code - 0xFF01 + '!');
}

Substitute substituteFor(std::string_view character) {
  if (const std::optional<char> narrow = fullWidth(character))
    return {std::string(1, *narrow), isNameByte(*narrow)};
  const auto isIt = [&](const Lookalike &entry) { return entry.character == character; };
  if (const auto *found = std::find_if(std::begin(letters), std::end(letters), isIt); found != std::end(letters))
    return {std::string(found->text), true};
  if (const auto *found = std::find_if(std::begin(operators), std::end(operators), isIt); found != std::end(operators))
    return {std::string(found->text), false};
  return {};
}

size_t utf8Length(std::string_view text) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
  const unsigned length = llvm::getNumBytesForUTF8(*begin);
  return length <= text.size() && llvm::isLegalUTF8Sequence(begin, begin + length) ? length : 0;
}

size_t foreignLetter(std::string_view text) {
  if (text.empty() || !(text[0] & 0x80))
    return 0;
  const size_t length = utf8Length(text);
  const Substitute substitute = substituteFor(text.substr(0, length));
  if (length == 0 || !substitute.text.empty())
    return substitute.isName ? length : 0;
  // From U+00C0 the planes hold alphabets, and from U+3040 to U+D7A3 syllables and ideographs; between are signs.
  const auto lead = static_cast<unsigned char>(text[0]), second = static_cast<unsigned char>(text[1]);
  const bool alphabet = length == 2 && lead >= 0xC3;
  const bool syllable = length == 3 && (lead > 0xE3 || (lead == 0xE3 && second > 0x80)) && lead < 0xEE;
  return alphabet || syllable ? length : 0;
}

std::string spelledName(std::string_view word) {
  std::string result;
  for (size_t i = 0; i < word.size();) {
    const size_t length = std::max<size_t>(utf8Length(word.substr(i)), 1);
    const std::string_view character = word.substr(i, length);
    const Substitute substitute = length > 1 ? substituteFor(character) : Substitute();
    result += substitute.isName ? std::string_view(substitute.text) : character;
    i += length;
  }
  return result;
}

} // namespace flexsn
