// Operators, names and forms of other languages inside expressions.
#include "compiler/frontend/Parser.h"

#include <algorithm>
#include <utility>

namespace flexsn::syntax {

namespace {
constexpr std::string_view modules[] = {"np", "numpy", "torch", "math", "jnp", "tf", "self", "F", "std"};
/// Operators that are words elsewhere.
struct WordOperator {
  std::string_view word, ours;
  Operator op;
};
constexpr WordOperator wordOperators[] = {
    {"AND", "and", Operator::And},     {"OR", "or", Operator::Or},        {"is", "==", Operator::Equal},
    {"mod", "%", Operator::Remainder}, {"xor", "!=", Operator::NotEqual},
};
} // namespace

/// Whether an operand stands where an operator belongs.
bool Parser::missingOperator() const {
  const Token &token = peek();
  if (inRange && open.size() == 1)
    return false;
  if (token.kind == TokenKind::Number)
    return true;
  if (token.kind == TokenKind::LeftParen)
    return !isWord("unless", 1);
  if (token.kind != TokenKind::Name)
    return false;
  const std::string_view word = text(token);
  if (word == "true" || word == "false")
    return true;
  if (reservedWord(word) == WordKind::Operator || findWord(wordOperators, word))
    return false;
  if (!open.empty())
    return reservedWord(word) != WordKind::Declaration || word == "dt";
  // Outside brackets a word may end the expression: an attribute, or the next statement on a line without its ';'.
  if (wordsEndExpression || statementBegins(at))
    return false;
  return word != "elif" && word != "unless" && !(is(TokenKind::Colon, 1) && contains(labelWords(), word));
}

void Parser::reportMissingOperator() {
  const Token token = peek();
  if (!open.empty() && open.back().call)
    error(diag::MissingInCall, token.span, text(token));
  else
    error(diag::MissingOperator, token.span, text(token)).fix = Fix{{token.span.begin, token.span.begin}, "* "};
  const bool product = token.kind == TokenKind::LeftParen && tokens[at - 1].kind == TokenKind::RightParen;
  guessed |= !product; // two brackets in a row can be nothing else
}

/// An operator of another language: reported, and read as ours.
std::optional<Operator> Parser::foreignOperator() {
  const Token token = peek();
  const auto mended = [&](std::string_view ours, Operator op) {
    error(diag::ForeignOperator, token.span, text(token), ours).fix = Fix{token.span, std::string(ours)};
    return op;
  };
  switch (token.kind) {
  case TokenKind::AmpersandAmpersand:
  case TokenKind::Ampersand: return mended("and", Operator::And);
  case TokenKind::PipePipe:
  case TokenKind::Pipe: return mended("or", Operator::Or);
  case TokenKind::Assign:
    // Outside brackets and conditions a second `=` is a second assignment.
    if (open.empty() && !inCondition)
      return std::nullopt;
    error(diag::AssignInExpression, token.span).fix = Fix{token.span, "=="};
    guessed |= !inCondition; // a keyword argument with one bracket too many looks like that as well
    return Operator::Equal;
  case TokenKind::Name:
    if (const WordOperator *word = findWord(wordOperators, text(token)); word && !isAssignment(1))
      return mended(word->ours, word->op);
    return std::nullopt;
  default: return std::nullopt;
  }
}

/// Whether the `//` here begins a comment: two words in a row are prose, unless one of them is a word of ours. In
/// brackets it divides.
bool Parser::commentBegins() const {
  const auto ours = [&](size_t ahead) {
    const std::string_view word = text(peek(ahead));
    return reservedWord(word) || contains(attributeWords(), word) || word == "of" || word == "hold";
  };
  return open.empty() && is(TokenKind::Name, 1) && is(TokenKind::Name, 2) && !ours(1) && !ours(2);
}

/// The brackets `[t]`, `[t - 1]`, `[n + 1]`, the first of them `ahead` tokens from here; nothing where others stand.
std::optional<Span> Parser::timeIndex(size_t ahead) const {
  const bool named = isWord("t", ahead + 1) || isWord("n", ahead + 1) || isWord("k", ahead + 1);
  const bool shifted = is(TokenKind::Minus, ahead + 2) || is(TokenKind::Plus, ahead + 2);
  const size_t end = ahead + (shifted ? 4 : 2);
  if (!is(TokenKind::LeftBracket, ahead) || !named || !is(TokenKind::RightBracket, end))
    return std::nullopt;
  return cover(peek(ahead).span, peek(end).span);
}

/// `!s` and `~s`. In arithmetic the other one of 0 and 1 is meant, in a condition `not`.
ExprPtr Parser::mendNot(const Token &sign, ExprPtr operand, bool arithmetic) {
  if (!arithmetic) {
    error(diag::ForeignOperator, sign.span, text(sign), "not").fix = Fix{sign.span, "not "};
    return makeUnary(Operator::Not, sign, std::move(operand));
  }
  const Span whole = cover(sign.span, operand->span);
  const std::string mended = fmt::format("(1 - {})", source.text(operand->span));
  error(diag::ForeignOperator, sign.span, text(sign), mended).fix = Fix{whole, mended};
  ExprPtr one = make(ExprKind::Number, sign.span);
  one->number = 1;
  one->whole = true;
  return makeBinary(Operator::Subtract, sign.span, std::move(one), std::move(operand));
}

/// `c ? a : b`
ExprPtr Parser::parseTernary(ExprPtr condition) {
  const Span question = peek().span;
  advance();
  ExprPtr value = parseExpr();
  if (!panicking && !is(TokenKind::Colon))
    fail(diag::TernaryWithoutColon, question);
  if (panicking)
    return errorExpr();
  advance();
  ExprPtr otherwise = parseExpr();
  if (panicking)
    return errorExpr();
  const Span whole = cover(condition->span, otherwise->span);
  const std::string mended = fmt::format("{} if {} else {}", source.text(value->span), source.text(condition->span),
                                         source.text(otherwise->span));
  error(diag::Ternary, whole, mended).fix = Fix{whole, mended};
  ExprPtr expr = make(ExprKind::Conditional, whole);
  expr->opSpan = question;
  adopt(*expr, std::move(value));
  adopt(*expr, std::move(condition));
  adopt(*expr, std::move(otherwise));
  return expr;
}

/// `True`, `np.exp`, `x.y`, `v'`, `lambda`; null where an ordinary name stands.
ExprPtr Parser::parseForeignName() {
  const Token token = peek();
  const std::string_view word = text(token);
  if (is(TokenKind::Prime, 1)) {
    fail(diag::PrimeInExpression, cover(token.span, peek(1).span));
    return errorExpr();
  }
  if (is(TokenKind::Dot, 1) && is(TokenKind::Name, 2)) {
    Span prefix = token.span;
    while (is(TokenKind::Dot, 1) && is(TokenKind::Name, 2)) {
      prefix = cover(prefix, peek(1).span);
      advance();
      advance();
    }
    const Span whole = cover(prefix, peek().span);
    if (contains(modules, word))
      error(diag::ModulePrefix, prefix, source.text(prefix), text(peek())).fix = Fix{prefix, ""};
    else
      fail(diag::Member, whole, source.text(whole));
    return panicking ? errorExpr() : parseNameOrCall();
  }
  if (is(TokenKind::LeftParen, 1))
    return nullptr;
  if (word == "True" || word == "False" || word == "TRUE" || word == "FALSE") {
    const std::string_view ours = word[0] == 'T' ? "true" : "false";
    error(diag::CapitalBoolean, token.span, word, ours).fix = Fix{token.span, std::string(ours)};
    advance();
    ExprPtr expr = make(ExprKind::Boolean, token.span);
    expr->number = ours == "true";
    return expr;
  }
  const bool argument = is(TokenKind::Name, 1) && !reservedWord(text(peek(1))); // `lambda if c else x` reads a name
  if (word == "lambda" && (argument || is(TokenKind::Colon, 1))) {
    fail(diag::Lambda, token.span);
    return errorExpr();
  }
  return nullptr;
}

/// `|v|`: false if no second bar stands on the line.
bool Parser::reportBars() {
  size_t end = 1;
  while (!is(TokenKind::Pipe, end) && !is(TokenKind::Newline, end) && !is(TokenKind::End, end))
    ++end;
  if (!is(TokenKind::Pipe) || !is(TokenKind::Pipe, end))
    return false;
  const Span whole = cover(peek().span, peek(end).span);
  const std::string mended = fmt::format("abs({})", source.text({whole.begin + 1, whole.end - 1}));
  fail(diag::AbsoluteBars, whole, mended).fix = Fix{whole, mended};
  return true;
}

/// An expression should begin here, and does not.
ExprPtr Parser::reportNoExpression() {
  const Token token = peek();
  if (atStatementEnd() && !open.empty())
    closeBracket(TokenKind::RightParen); // says that the bracket is never closed
  else if (isWord("if"))
    fail(diag::IfInFront, token.span);
  else if (reservedWord(text(token)) == WordKind::Declaration && is(TokenKind::Name))
    fail(diag::WordAsValue, token.span, text(token));
  else if (reportBars())
    return errorExpr();
  else if (is(TokenKind::LeftBracket))
    fail(diag::ListLiteral, token.span);
  else
    fail(diag::ExpectedExpression, atStatementEnd() ? behind() : token.span, source.text(previousSpan()),
         describe(token));
  return errorExpr();
}

} // namespace flexsn::syntax
