// Text -> tokens. The lexer knows no grammar: line ends are tokens, and the parser decides which of them count.
#pragma once

#include "compiler/frontend/Diagnostics.h"

#include <string>
#include <string_view>
#include <vector>

namespace flexsn {

enum class TokenKind : uint8_t {
  End,
  Newline,
  Semicolon,
  Bad, ///< reported by the lexer; silences the statement
  Name,
  Number,
  // Operators and punctuation.
  Plus,
  Minus,
  Star,
  Slash,
  SlashSlash,
  Percent,
  StarStar,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  EqualEqual,
  NotEqual,
  Assign,
  PlusAssign,
  MinusAssign,
  StarAssign,
  SlashAssign,
  LeftParen,
  RightParen,
  LeftBracket,
  RightBracket,
  Comma,
  Colon,
  // No part of the language: read so that the parser can say what to write instead.
  Dot,
  Question,
  AmpersandAmpersand,
  PipePipe,
  Bang,
  Ampersand,
  Pipe,
  Caret,
  Tilde,
  Arrow,
  Prime,
  Walrus,
  OtherAssign, ///< `//=`, `%=`, `**=`, `^=`, `&=`, `|=`
};

struct Token {
  TokenKind kind = TokenKind::End;
  bool first = false;      ///< the first token of its line
  bool unindented = false; ///< at the very start of its line
  bool whole = false;      ///< a Number without point and exponent
  bool bad = false;        ///< a Number that was reported
  Span span;
  double number = 0;
};

/// All tokens of a text, the last one an End. Reports bytes, characters and numbers that the language does not have,
/// and where it is plain what was meant, goes on as if that had been written.
std::vector<Token> lex(const Source &source, Diagnostics &diagnostics);

inline bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool isDigit(char c) { return c >= '0' && c <= '9'; }
inline bool isNameByte(char c) { return isLetter(c) || isDigit(c) || c == '_'; }

/// Reads the number at the start of `text`, which begins with a digit or with a point and a digit; `begin` is its
/// offset. Includes wrong suffixes and second points, which are reported.
Token lexNumber(std::string_view text, uint32_t begin, Diagnostics &diagnostics);

/// What the language writes in place of a character from outside ASCII: an operator, or the name of a Greek letter;
/// empty for a character without a likely meaning. `character` is one UTF-8 sequence.
struct Substitute {
  std::string text;
  bool isName = false; ///< part of a name rather than an operator
};
Substitute substituteFor(std::string_view character);
/// The length of the letter from outside ASCII at the start of `text`, or 0 if something else stands there.
size_t foreignLetter(std::string_view text);
/// A name as the language spells it: `τ_m` is tau_m. Characters without a substitute stay.
std::string spelledName(std::string_view word);
/// The length of the well-formed UTF-8 sequence at the start of `text`, or 0.
size_t utf8Length(std::string_view text);

} // namespace flexsn
