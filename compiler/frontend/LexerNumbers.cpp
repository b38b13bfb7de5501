// Python's decimal numbers, and the forms of other languages that get a hint.
#include "compiler/frontend/Lexer.h"

#include <algorithm>
#include <charconv>

namespace flexsn {

namespace {
/// One number as written: how far it reaches, its digits without '_', and what is wrong with it.
struct Scan {
  std::string_view text;
  size_t at = 0;
  std::string digits;
  bool misplaced = false; ///< a '_' that is not between two digits

  bool more() const { return at < text.size(); }
  char peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }

  void takeDigits() {
    while (isDigit(peek()) || peek() == '_') {
      if (peek() != '_')
        digits += peek();
      else if (at == 0 || !isDigit(text[at - 1]) || !isDigit(peek(1)))
        misplaced = true;
      ++at;
    }
  }
};
} // namespace

/// `0x10` and the like: the value in decimal if the digits fit the base and 64 bits.
static std::optional<std::string> decimalOf(std::string_view digits, char prefix) {
  const int base = prefix == 'x' || prefix == 'X' ? 16 : prefix == 'o' || prefix == 'O' ? 8 : 2;
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size())
    return std::nullopt;
  return std::to_string(value);
}

static void reportBased(std::string_view text, Span span, Diagnostics &diagnostics) {
  const std::optional<std::string> decimal = decimalOf(text.substr(2), text[1]);
  if (!decimal) {
    diagnostics.report(diag::NumberBase, span);
    return;
  }
  diagnostics.report(diag::NumberBaseHint, span, *decimal).fix = Fix{span, *decimal};
}

/// The word behind a number: a suffix of C's, a unit, or a name whose operator is missing. Only a name is left to the
/// parser. Returns how many bytes belong to the number.
static size_t takeSuffix(std::string_view number, std::string_view rest, uint32_t begin, Diagnostics &diagnostics) {
  constexpr std::string_view suffixes[] = {"f", "F", "d", "D", "l", "L", "u", "U", "ul", "UL", "j", "J", "f32", "f64"};
  constexpr std::string_view units[] = {"s",  "ms", "us", "ns", "mV", "V", "uV", "Hz", "kHz", "mA", "uA", "nA",
                                        "pA", "A",  "nS", "uS", "mS", "S", "pF", "nF", "uF",  "F",  "mM", "Ohm"};
  const size_t length = std::find_if_not(rest.begin(), rest.end(), isNameByte) - rest.begin();
  const std::string_view word = rest.substr(0, length);
  const Span span{begin + static_cast<uint32_t>(number.size()), begin + static_cast<uint32_t>(number.size() + length)};
  if (std::find(std::begin(suffixes), std::end(suffixes), word) != std::end(suffixes))
    diagnostics.report(diag::NumberSuffix, span, word, number).fix = Fix{span, ""};
  else if (std::find(std::begin(units), std::end(units), word) != std::end(units))
    diagnostics.report(diag::NumberUnit, span, word).fix = Fix{span, ""};
  else
    return 0;
  return length;
}

/// Fills in the value of a well-formed number, or says what is wrong with it.
static void evaluate(Token &token, std::string_view written, const Scan &scan, Diagnostics &diagnostics) {
  const std::string &digits = scan.digits;
  token.bad = true;
  if (scan.misplaced) {
    diagnostics.report(diag::NumberUnderscore, token.span);
    return;
  }
  const size_t zeros = std::min(digits.find_first_not_of('0'), digits.size());
  if (token.whole && zeros > 0 && zeros < digits.size()) {
    diagnostics.report(diag::NumberLeadingZero, token.span, digits.substr(zeros)).fix =
        Fix{token.span, digits.substr(zeros)};
    return;
  }
  // from_chars reads the same in every locale and rounds to nearest.
  if (std::from_chars(digits.data(), digits.data() + digits.size(), token.number).ec != std::errc())
    diagnostics.report(diag::NumberRange, token.span, written);
  else
    token.bad = false;
}

Token lexNumber(std::string_view text, uint32_t begin, Diagnostics &diagnostics) {
  Token token;
  token.kind = TokenKind::Number;
  const auto spanTo = [&](size_t length) { return Span{begin, begin + static_cast<uint32_t>(length)}; };
  Scan scan{text, 0, {}, false};
  if (text.size() > 2 && text[0] == '0' && std::string_view("xXoObB").find(text[1]) != std::string_view::npos &&
      isNameByte(text[2])) {
    const size_t length = std::find_if_not(text.begin(), text.end(), isNameByte) - text.begin();
    token.span = spanTo(length);
    token.bad = true;
    reportBased(text.substr(0, length), token.span, diagnostics);
    return token;
  }
  scan.takeDigits();
  token.whole = true;
  if (scan.peek() == '.') {
    token.whole = false;
    scan.digits += '.';
    ++scan.at;
    scan.misplaced |= scan.peek() == '_';
    scan.takeDigits();
  }
  if (const bool sign = scan.peek(1) == '+' || scan.peek(1) == '-';
      (scan.peek() == 'e' || scan.peek() == 'E') && isDigit(scan.peek(sign ? 2 : 1))) {
    token.whole = false;
    scan.digits += 'e';
    if (sign && scan.peek(1) == '-') // from_chars takes no '+'
      scan.digits += '-';
    scan.at += sign ? 2 : 1;
    scan.takeDigits();
  } else if ((scan.peek() == 'e' || scan.peek() == 'E') && !isNameByte(scan.peek(1))) {
    token.span = spanTo(scan.at + (sign ? 2 : 1));
    token.bad = true;
    diagnostics.report(diag::NumberExponent, token.span, text.substr(0, token.span.end - begin));
    return token;
  }
  const std::string_view written = text.substr(0, scan.at);
  if (!token.whole && scan.peek() == '.') {
    while (scan.peek() == '.' || isDigit(scan.peek()))
      ++scan.at;
    token.span = spanTo(scan.at);
    token.bad = true;
    diagnostics.report(diag::NumberPoints, token.span, text.substr(0, scan.at));
    return token;
  }
  token.span = spanTo(scan.at);
  evaluate(token, written, scan, diagnostics);
  if (isLetter(scan.peek()))
    token.span = spanTo(scan.at + takeSuffix(written, text.substr(scan.at), begin, diagnostics));
  return token;
}

} // namespace flexsn
