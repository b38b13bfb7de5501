// Statements of people who come from Python, C, MATLAB or other simulators: recognised where they stand, answered with
// what to write here, and where that is certain, read as if it had been written. ParserForeign.cpp does so in
// expressions.
#include "compiler/frontend/Parser.h"

#include <algorithm>
#include <utility>

namespace flexsn::syntax {

namespace {
struct Habit {
  std::string_view word, hint;
};

/// Statements of other languages.
constexpr Habit foreignStatements[] = {
    {"if", "a choice is an expression: v = a if condition else b"},
    {"elif", "a choice is an expression: v = a if condition else b"},
    {"else", "a choice is an expression: v = a if condition else b"},
    {"unless", "write refractory n of s hold v, or a choice v = a if condition else b"},
    {"while", "a model is one time step; the loop over time is the compiler's"},
    {"for", "a model is one time step; the loop over time is the compiler's"},
    {"return", "what the model delivers is named by output"},
    {"import", "a file stands alone; every function is built in or a def"},
    {"from", "a file stands alone; every function is built in or a def"},
    {"include", "a file stands alone; every function is built in or a def"},
    {"print", "ask for any name of the model as an output instead"},
    {"assert", "a range is checked by in [low, high] behind a param"},
    {"pass", "an empty model needs no statement"},
    {"equations", "equations stand alone: dv/dt = ..."},
    {"threshold", "a spike is a name: s = spike(v - v_th)"},
};

constexpr std::string_view typeWords[] = {"float", "double", "real", "int", "bool",
                                          "long",  "auto",   "let",  "var", "num"};
} // namespace

void Parser::reportReserved(const Token &token) {
  const std::string_view word = text(token);
  const std::string_view what = word == "e"                                ? "Euler's number"
                                : word == "dt"                             ? "the time step, set by dt = ...,"
                                : reservedWord(word) == WordKind::Constant ? "a constant of the language"
                                : reservedWord(word) == WordKind::Function ? "a function of the language"
                                                                           : "a word of the language";
  error(diag::ReservedName, token.span, word, what);
}

// ---- Statements ----

/// A statement that no production begins with.
Statement Parser::parseUnknownStatement() {
  const Token token = peek();
  if (token.kind != TokenKind::Name) {
    if (is(TokenKind::RightParen) || is(TokenKind::RightBracket))
      fail(diag::NothingOpen, token.span, text(token)).fix = Fix{token.span, ""};
    else if (isAssignment(0)) {
      nameless = true;
      fail(diag::MissingTarget, token.span, text(token));
    } else if (is(TokenKind::SlashSlash))
      fail(diag::CommentSign, token.span, text(token)).fix = Fix{token.span, "#"};
    else
      fail(diag::ExpectedStatement, token.span, describe(token));
    return {};
  }
  if (is(TokenKind::Prime, 1))
    return parsePrime();
  if (reportForeignStatement())
    return {};
  if (is(TokenKind::Name, 1))
    return parseTwoWords();
  return parseOddTarget();
}

/// `v' = ...`: read as `dv/dt = ...`.
Statement Parser::parsePrime() {
  const Token name = peek();
  const Span span = cover(name.span, peek(1).span);
  const std::string rate = fmt::format("d{}/dt", spelledName(text(name)));
  if (!is(TokenKind::Assign, 2)) {
    fail(diag::PrimeInExpression, span);
    return {};
  }
  error(diag::PrimeDerivative, span, source.text(span), rate).fix = Fix{span, rate};
  Statement statement;
  statement.kind = StatementKind::Ode;
  statement.keyword = name.span;
  statement.name = {spelledName(text(name)), name.span};
  for (int i = 0; i < 3; ++i)
    advance();
  statement.value = parseExpr();
  return statement;
}

bool Parser::reportForeignStatement() {
  const Habit *habit = findWord(foreignStatements, text(peek()));
  // `print`, `from` and the like are good names: only what cannot be a statement of ours is one of theirs.
  const TokenKind next = peek(1).kind;
  const bool opens = next == TokenKind::Name || next == TokenKind::Number || next == TokenKind::LeftParen ||
                     next == TokenKind::Newline || next == TokenKind::Colon || next == TokenKind::Bang ||
                     next == TokenKind::Minus || next == TokenKind::Bad;
  if (!habit || !opens)
    return false;
  foreignIf |= habit->word == "if";
  fail(diag::ForeignStatement, peek().span, habit->word, habit->hint);
  return true;
}

/// Two names in a row: a misspelt word of ours, or a type in front of a name.
Statement Parser::parseTwoWords() {
  const Token token = peek();
  const std::string_view word = text(token);
  if (contains(typeWords, word) && isAssignment(2)) {
    error(diag::TypedAssignment, token.span, word).fix =
        Fix{cover(token.span, Span{token.span.begin, peek(1).span.begin}), ""};
    advance();
    return parseAssignment();
  }
  if (word == "d" && is(TokenKind::Slash, 2) && isWord("dt", 3)) {
    const Span span{token.span.begin, peek(1).span.end};
    fail(diag::SplitRate, span, text(peek(1))).fix = Fix{span, fmt::format("d{}", text(peek(1)))};
    return {};
  }
  std::vector<std::string> words(declarationWords().begin(), declarationWords().end());
  std::erase(words, "neuron");
  if (const std::optional<std::string> near = nearest(word, words); near && *near != "dt") {
    error(diag::UnknownStatementHint, token.span, word, *near).fix = Fix{token.span, *near};
    return parseKeyword(*near);
  }
  fail(diag::UnknownStatement, token.span, word);
  return {};
}

/// A name that begins no statement by what follows it.
Statement Parser::parseOddTarget() {
  const Token token = peek(), next = peek(1);
  const std::string_view word = text(token);
  switch (next.kind) {
  case TokenKind::Colon: {
    const std::optional<std::string> near = nearest(word, {labelWords().begin(), labelWords().end()});
    if (near) {
      error(diag::UnknownLabelHint, token.span, word, *near).fix = Fix{token.span, *near};
      Statement statement = parseSection();
      statement.name.text = *near;
      panicking |= isAssignment(0); // `chargeh : = v + x`
      return statement;
    }
    if (is(TokenKind::Name, 2) &&
        (is(TokenKind::Newline, 3) || is(TokenKind::Semicolon, 3) || is(TokenKind::LeftParen, 3)))
      fail(diag::DeclaredByColon, token.span, word);
    else
      fail(diag::UnknownLabel, token.span, word);
    return {};
  }
  case TokenKind::EqualEqual:
  case TokenKind::Walrus: return parseAssignment();
  case TokenKind::Less:
    if (is(TokenKind::Minus, 2) && peek(2).span.begin == next.span.end)
      return parseAssignment();
    break;
  case TokenKind::OtherAssign: {
    std::string op(text(next).substr(0, text(next).size() - 1));
    op = op == "^" ? "**" : op == "&" ? "and" : op == "|" ? "or" : op;
    fail(diag::OtherAugmented, next.span, text(next), fmt::format("{0} = {0} {1} ...", word, op));
    return {};
  }
  case TokenKind::Plus:
  case TokenKind::Minus:
    if (is(next.kind, 2) && (is(TokenKind::Newline, 3) || is(TokenKind::Semicolon, 3))) {
      const Span span = cover(next.span, peek(2).span);
      const std::string mended = fmt::format("{}= 1", text(next));
      fail(diag::Increment, span, source.text(span), fmt::format("{} {}", word, mended)).fix = Fix{span, " " + mended};
      return {};
    }
    break;
  case TokenKind::Slash: fail(diag::RateSpelling, cover(token.span, next.span)); return {};
  case TokenKind::LeftBracket:
    if (const std::optional<Span> index = timeIndex(1))
      fail(diag::TimeIndexTarget, *index, word);
    else
      fail(diag::LaneTarget, token.span, word);
    return {};
  case TokenKind::Comma: fail(diag::TupleTarget, cover(token.span, next.span)); return {};
  case TokenKind::Dot: fail(diag::MemberTarget, next.span, word); return {};
  default: break;
  }
  reportNoTarget();
  return {};
}

/// A statement that is an expression: a call whose result goes nowhere, or a function without `def`.
void Parser::reportNoTarget() {
  const Token token = peek();
  if (reservedWord(text(token)) == WordKind::Operator) {
    fail(diag::ExpectedStatement, token.span, describe(token));
    return;
  }
  if (is(TokenKind::LeftParen, 1)) {
    size_t i = at + 2;
    for (unsigned depth = 1; depth > 0 && tokens[i].kind != TokenKind::Newline && tokens[i].kind != TokenKind::End; ++i)
      depth += tokens[i].kind == TokenKind::LeftParen ? 1 : tokens[i].kind == TokenKind::RightParen ? -1 : 0;
    if (tokens[i].kind == TokenKind::Assign) {
      fail(diag::DefinitionWithoutDef, token.span, text(token)).fix = Fix{{token.span.begin, token.span.begin}, "def "};
      return;
    }
  }
  const std::optional<std::string> near = nearest(text(token), {declarationWords().begin(), declarationWords().end()});
  if (near && *near != "dt" && !is(TokenKind::LeftParen, 1))
    fail(diag::UnknownStatementHint, token.span, text(token), *near);
  else
    fail(diag::NoTarget, token.span);
}

// ---- Behind a statement ----

/// Something stands behind a whole statement. Goes on where it is plain what was meant; else gives the statement up.
void Parser::reportTrailing() {
  const Token token = peek();
  const bool nextStatement = token.kind == TokenKind::Name &&
                             (statementBegins(at) || (is(TokenKind::Colon, 1) && contains(labelWords(), text(token))));
  if (nextStatement) {
    reportMissingSeparator();
    return;
  }
  if (reportTrailingUnit()) {
    panicking = !atStatementEnd();
    return;
  }
  switch (token.kind) {
  case TokenKind::RightParen:
  case TokenKind::RightBracket: fail(diag::NothingOpen, token.span, text(token)).fix = Fix{token.span, ""}; return;
  case TokenKind::Assign: fail(diag::ChainedAssignment, token.span); return;
  case TokenKind::Name:
    if (text(token) == "else") {
      fail(diag::ElseWithoutIf, token.span);
      return;
    }
    break;
  default: break;
  }
  fail(diag::Trailing, token.span, describe(token));
}

/// The next statement begins without a sign between, or with its first word in front of the sign.
void Parser::reportMissingSeparator() {
  const Token token = peek();
  Diagnostic &reported = error(diag::MissingSeparator, token.span, text(token));
  reported.fix = Fix{{token.span.begin, token.span.begin}, "; "};
  if (!is(TokenKind::Semicolon, 1) || (!is(TokenKind::Name, 2) && !isAssignment(2)))
    return;
  reported.fix = Fix{cover(token.span, peek(1).span), fmt::format("; {}", text(token))};
  std::swap(tokens[at], tokens[at + 1]);
}

/// `: volt`, `: 1`, `: volt/second`: a colon and what stands behind it up to the end, without brackets and assignments.
bool Parser::atUnit() const {
  if (!is(TokenKind::Colon) || (!is(TokenKind::Name, 1) && !is(TokenKind::Number, 1)))
    return false;
  for (size_t i = 2;; ++i) {
    const TokenKind kind = peek(i).kind;
    if (kind == TokenKind::Newline || kind == TokenKind::Semicolon || kind == TokenKind::End ||
        kind == TokenKind::LeftParen)
      return true;
    if (kind >= TokenKind::Assign && kind <= TokenKind::SlashAssign)
      return false;
  }
}

/// Brian's `: volt` and `(unless refractory)` behind an equation.
bool Parser::reportTrailingUnit() {
  bool found = false;
  if (atUnit()) {
    const Token colon = peek();
    Span span = colon.span;
    while (!atStatementEnd() && !is(TokenKind::LeftParen)) {
      span = cover(span, peek().span);
      advance();
    }
    error(diag::TrailingUnit, span, source.text(span)).fix = Fix{span, ""};
    found = true;
  }
  if (is(TokenKind::LeftParen) && isWord("unless", 1)) {
    Span span = peek().span;
    while (!atStatementEnd() && !is(TokenKind::RightParen)) {
      span = cover(span, peek().span);
      advance();
    }
    if (is(TokenKind::RightParen)) {
      span = cover(span, peek().span);
      advance();
    }
    error(diag::UnlessRefractory, span).fix = Fix{span, ""};
    found = true;
  }
  return found;
}

} // namespace flexsn::syntax
