#include "compiler/frontend/Lexer.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace flexsn {

namespace {
struct Spelling {
  std::string_view text;
  TokenKind kind;
};

/// Longer spellings first, so that the first match is the longest.
constexpr Spelling spellings[] = {
    {"**=", TokenKind::OtherAssign}, {"//=", TokenKind::OtherAssign},
    {"===", TokenKind::EqualEqual},  {"!==", TokenKind::NotEqual},
    {"**", TokenKind::StarStar},     {"//", TokenKind::SlashSlash},
    {"<=", TokenKind::LessEqual},    {">=", TokenKind::GreaterEqual},
    {"==", TokenKind::EqualEqual},   {"!=", TokenKind::NotEqual},
    {"<>", TokenKind::NotEqual},     {"+=", TokenKind::PlusAssign},
    {"-=", TokenKind::MinusAssign},  {"*=", TokenKind::StarAssign},
    {"/=", TokenKind::SlashAssign},  {"%=", TokenKind::OtherAssign},
    {"^=", TokenKind::OtherAssign},  {"&=", TokenKind::OtherAssign},
    {"|=", TokenKind::OtherAssign},  {"&&", TokenKind::AmpersandAmpersand},
    {"||", TokenKind::PipePipe},     {"->", TokenKind::Arrow},
    {":=", TokenKind::Walrus},       {"+", TokenKind::Plus},
    {"-", TokenKind::Minus},         {"*", TokenKind::Star},
    {"/", TokenKind::Slash},         {"%", TokenKind::Percent},
    {"<", TokenKind::Less},          {">", TokenKind::Greater},
    {"=", TokenKind::Assign},        {"(", TokenKind::LeftParen},
    {")", TokenKind::RightParen},    {"[", TokenKind::LeftBracket},
    {"]", TokenKind::RightBracket},  {",", TokenKind::Comma},
    {":", TokenKind::Colon},         {";", TokenKind::Semicolon},
    {".", TokenKind::Dot},           {"?", TokenKind::Question},
    {"!", TokenKind::Bang},          {"&", TokenKind::Ampersand},
    {"|", TokenKind::Pipe},          {"^", TokenKind::Caret},
    {"~", TokenKind::Tilde},         {"'", TokenKind::Prime},
};

/// Spellings that other languages have for an operator of ours.
constexpr std::pair<std::string_view, std::string_view> foreign[] = {{"===", "=="}, {"!==", "!="}, {"<>", "!="}};

const Spelling *spellingAt(std::string_view text) {
  const auto *found = std::find_if(std::begin(spellings), std::end(spellings),
                                   [&](const Spelling &s) { return text.starts_with(s.text); });
  return found == std::end(spellings) ? nullptr : found;
}

class Lexer {
public:
  Lexer(const Source &source, Diagnostics &diagnostics) : text(source.text()), diagnostics(diagnostics) {}
  std::vector<Token> run();

private:
  std::string_view rest() const { return text.substr(at); }
  Span next(size_t length) const { return {at, at + static_cast<uint32_t>(length)}; }
  void push(Token token);
  void push(TokenKind kind, size_t length);
  bool lexSpace();
  void lexComment();
  void checkAllowance(std::string_view comment);
  void lexWord();
  void lexOperator();
  void lexQuoted(char quote);
  bool endsLine(size_t length) const;
  void lexOther();
  void lexSubstitute(const Substitute &substitute, size_t length);

  std::string_view text;
  Diagnostics &diagnostics;
  std::vector<Token> tokens;
  std::unordered_set<std::string_view> reportedWords;
  bool reportedEncoding = false, reportedControl = false, reportedReturn = false;
  uint32_t at = 0;
  uint32_t lineBegin = 0;
  bool lineIsEmpty = true;
  bool continued = false; ///< the line before ends with a '\\'
};
} // namespace

void Lexer::push(Token token) {
  token.first = lineIsEmpty;
  token.unindented = token.span.begin == lineBegin;
  lineIsEmpty = false;
  at = token.span.end;
  tokens.push_back(token);
}

void Lexer::push(TokenKind kind, size_t length) {
  Token token;
  token.kind = kind;
  token.span = next(length);
  push(token);
}

/// White space, line ends and comments. False where something else begins.
bool Lexer::lexSpace() {
  const char c = text[at];
  if (c == ' ' || c == '\t' || c == '\f') {
    ++at;
    return true;
  }
  if (c == '#') {
    lexComment();
    return true;
  }
  if (c != '\n' && c != '\r')
    return false;
  const bool pair = rest().starts_with("\r\n");
  if (c == '\r' && !pair && !std::exchange(reportedReturn, true))
    diagnostics.report(diag::LoneReturn, next(1));
  continued = !tokens.empty() && text[tokens.back().span.begin] == '\\';
  push(TokenKind::Newline, pair ? 2 : 1);
  lineBegin = at;
  lineIsEmpty = true;
  return true;
}

/// A comment may hold anything but bytes that are no text: an editor would destroy those.
void Lexer::lexComment() {
  const size_t length = std::min(rest().find_first_of("\r\n"), rest().size());
  const uint32_t end = at + static_cast<uint32_t>(length);
  checkAllowance(rest().substr(0, length));
  while (at < end) {
    const size_t sequence = utf8Length(text.substr(at, end - at));
    if (sequence == 0 && !std::exchange(reportedEncoding, true))
      diagnostics.report(diag::InvalidUtf8, next(1));
    at += static_cast<uint32_t>(std::max<size_t>(sequence, 1));
  }
}

/// A misspelt name in `# flexsn: allow NAME` would silence nothing, in silence.
void Lexer::checkAllowance(std::string_view comment) {
  const std::optional<std::vector<std::string_view>> names = allowedLints(comment);
  if (!names)
    return;
  const std::vector<std::string> known(lintNames().begin(), lintNames().end());
  if (names->empty())
    diagnostics.report(diag::LintAllowance, next(comment.size()));
  for (std::string_view name : *names) {
    if (std::find(known.begin(), known.end(), name) != known.end())
      continue;
    const auto begin = at + static_cast<uint32_t>(name.data() - comment.data());
    const Span span{begin, begin + static_cast<uint32_t>(name.size())};
    if (const std::optional<std::string> near = nearest(name, known))
      diagnostics.report(diag::LintUnknownLintNear, span, name, *near).fix = Fix{span, *near};
    else
      diagnostics.report(diag::LintUnknownLint, span, name);
  }
}

void Lexer::lexWord() {
  size_t length = 0;
  bool foreignLetters = false, known = true;
  while (length < rest().size()) {
    const std::string_view here = rest().substr(length);
    if (isNameByte(here[0])) {
      ++length;
      continue;
    }
    const size_t sequence = foreignLetter(here);
    if (sequence == 0)
      break;
    known &= substituteFor(here.substr(0, sequence)).isName;
    foreignLetters = true;
    length += sequence;
  }
  const std::string_view word = rest().substr(0, length);
  const std::string spelled = foreignLetters ? spelledName(word) : std::string();
  const Span span = next(length);
  if (foreignLetters && reportedWords.insert(word).second) {
    if (known && isLetter(spelled[0]))
      diagnostics.report(diag::ForeignName, span, word, spelled).fix = Fix{span, spelled};
    else
      diagnostics.report(diag::ForeignLetters, span, word);
  } else if (word[0] == '_' && reportedWords.insert(word).second) {
    diagnostics.report(diag::LeadingUnderscore, span, word);
  }
  push(TokenKind::Name, length);
}

/// Text in quotes, to the closing one on the same line; in three quotes over many lines, as Python writes comments.
void Lexer::lexQuoted(char quote) {
  const std::string triple(3, quote);
  const bool three = rest().starts_with(triple);
  if (const size_t end = rest().find(triple, 3); three && end != std::string_view::npos) {
    diagnostics.report(diag::QuotedComment, next(3));
    return push(TokenKind::Bad, end + 3);
  }
  const std::string_view line = rest().substr(0, rest().find_first_of("\r\n"));
  const size_t close = three ? line.npos : line.find(quote, 1);
  const size_t length = close == line.npos ? line.size() : close + 1;
  diagnostics.report(diag::Quoted, next(length));
  push(TokenKind::Bad, length);
}

void Lexer::lexOperator() {
  const Spelling *spelling = spellingAt(rest());
  if (spelling->kind == TokenKind::Prime) {
    // `v'` is a derivative elsewhere; anywhere else a quote begins a string.
    if (at == 0 || !isNameByte(text[at - 1]))
      return lexQuoted('\'');
  }
  for (const auto &[theirs, ours] : foreign)
    if (spelling->text == theirs)
      diagnostics.report(diag::ForeignOperator, next(theirs.size()), theirs, ours).fix =
          Fix{next(theirs.size()), std::string(ours)};
  push(spelling->kind, spelling->text.size());
}

/// A character that stands for an operator, alone or with the signs behind it (`−=`): goes on as if that had been
/// written.
void Lexer::lexSubstitute(const Substitute &substitute, size_t length) {
  const Span span = next(length);
  constexpr size_t longest = 3; // of the spellings
  const std::string_view character = rest().substr(0, length);
  const std::string written = substitute.text + std::string(rest().substr(length, longest - 1));
  const Spelling *spelling = spellingAt(written);
  const size_t signs = spelling ? std::max(spelling->text.size(), substitute.text.size()) - substitute.text.size() : 0;
  const bool parserReports = spelling && (spelling->kind >= TokenKind::Dot);
  if (!spelling)
    diagnostics.report(diag::ForeignSpace, span).fix = Fix{span, substitute.text};
  else if (!parserReports)
    diagnostics.report(diag::ForeignSign, span, character, substitute.text).fix = Fix{span, substitute.text};
  if (spelling)
    push(spelling->kind, length + signs);
  if (substitute.text.starts_with("**") && substitute.text.size() == 3) { // a superscript digit
    Token power;
    power.kind = TokenKind::Number;
    power.whole = true;
    power.number = substitute.text[2] - '0';
    power.span = span;
    push(power);
  }
  at = std::max(at, span.end);
}

/// Whether nothing but blanks stands on the line behind the next `length` bytes.
bool Lexer::endsLine(size_t length) const {
  const std::string_view behind = rest().substr(length);
  const size_t end = behind.find_first_not_of(" \t\f");
  return end == behind.npos || behind[end] == '\n' || behind[end] == '\r';
}

void Lexer::lexOther() {
  const auto byte = static_cast<unsigned char>(text[at]);
  const size_t sequence = utf8Length(rest());
  if (sequence == 0) {
    if (!std::exchange(reportedEncoding, true))
      diagnostics.report(diag::InvalidUtf8, next(1));
    return push(TokenKind::Bad, 1);
  }
  if (byte < 0x20 || byte == 0x7F) {
    if (!std::exchange(reportedControl, true))
      diagnostics.report(diag::ControlByte, next(1), fmt::format("{:02X}", byte));
    return push(TokenKind::Bad, 1);
  }
  const std::string_view character = rest().substr(0, sequence);
  if (const Substitute substitute = substituteFor(character); !substitute.text.empty() && !substitute.isName)
    return lexSubstitute(substitute, sequence);
  if (character == "\u200B" || character == "\uFEFF") {
    diagnostics.report(diag::ForeignSpace, next(sequence)).fix = Fix{next(sequence), ""};
    at += static_cast<uint32_t>(sequence);
    return;
  }
  size_t length = sequence; // a run of the same character is one mistake
  while (rest().substr(length).starts_with(character))
    length += sequence;
  if (character == "\\" && endsLine(length)) {
    if (!continued) // a statement over many lines is one mistake
      diagnostics.report(diag::Backslash, next(length));
  } else if (character == "\"" || character == "“") {
    return lexQuoted('"');
  } else {
    diagnostics.report(diag::UnknownCharacter, next(length), character);
  }
  push(TokenKind::Bad, length);
}

std::vector<Token> Lexer::run() {
  tokens.reserve(text.size() / 3 + 2);
  while (at < text.size()) {
    if (lexSpace())
      continue;
    const char c = text[at];
    if ((isNameByte(c) && !isDigit(c)) || foreignLetter(rest()) != 0)
      lexWord();
    else if (isDigit(c) || (c == '.' && at + 1 < text.size() && isDigit(text[at + 1])))
      push(lexNumber(rest(), at, diagnostics));
    else if (spellingAt(rest()))
      lexOperator();
    else
      lexOther();
  }
  push(TokenKind::Newline, 0);
  push(TokenKind::End, 0);
  return tokens;
}

std::vector<Token> lex(const Source &source, Diagnostics &diagnostics) { return Lexer(source, diagnostics).run(); }

} // namespace flexsn
