// Where statements begin and end, and what is left of one with an error.
#include "compiler/frontend/Parser.h"

#include <algorithm>

namespace flexsn::syntax {

/// `dNAME/dt =`
bool Parser::odeBegins(size_t index) const {
  const auto token = [&](size_t i) -> const Token & { return tokens[std::min(index + i, tokens.size() - 1)]; };
  return token(0).kind == TokenKind::Name && token(1).kind == TokenKind::Slash && token(2).kind == TokenKind::Name &&
         text(token(2)) == "dt" && (token(3).kind == TokenKind::Assign || token(3).kind == TokenKind::EqualEqual);
}

/// Whether the token looks like the first of a statement; said of tokens at the start of a line or behind an
/// expression.
bool Parser::statementBegins(size_t index) const {
  const Token &token = tokens[index];
  if (token.kind == TokenKind::End)
    return true;
  if (token.kind != TokenKind::Name)
    return false;
  const std::string_view word = text(token);
  const TokenKind next = tokens[index + 1].kind; // the End is no Name, so there is a next
  const auto assigns = [](TokenKind kind) { return kind >= TokenKind::Assign && kind <= TokenKind::SlashAssign; };
  if (assigns(next) || (next == TokenKind::Semicolon && assigns(tokens[index + 2].kind))) // `a = b c ; = d`
    return true;
  if (word == "dt")
    return false;
  return contains(declarationWords(), word) || (next == TokenKind::Colon && contains(labelWords(), word)) ||
         odeBegins(index);
}

/// Whether the statement that is given up goes on behind what looks like its end: a '\\' that should continue the line,
/// or a misplaced ';' in front of what begins no statement.
bool Parser::continues() const {
  if (is(TokenKind::Newline) && at > 0 && text(tokens[at - 1]) == "\\")
    return !statementBegins(at + 1);
  if (!is(TokenKind::Semicolon))
    return false;
  const Token &next = peek(1);
  if (next.kind == TokenKind::Name)
    return !statementBegins(at + 1) && !isWord("dt", 1) && is(TokenKind::Name, 2);
  return next.kind != TokenKind::Newline && next.kind != TokenKind::End && next.kind != TokenKind::Semicolon;
}

/// Goes to the end of a statement that was given up.
void Parser::recover() {
  bool cut = false;
  while (!atStatementEnd() || continues()) {
    if (cut && statementBegins(at))
      break;
    cut |= is(TokenKind::Semicolon);
    if (is(TokenKind::LeftParen) || is(TokenKind::LeftBracket))
      open.push_back({at, true});
    else if ((is(TokenKind::RightParen) || is(TokenKind::RightBracket)) && !open.empty())
      open.pop_back();
    advance();
  }
  open.clear();
  panicking = guessed = false;
  inCondition = inRange = wordsEndExpression = false;
}

/// A name, and what is left of it without a word of the language that it may have grown together with.
static void mention(Statement &statement, const std::string &name, Span span) {
  statement.hold.push_back({name, span});
  for (std::string_view word : {"neuron", "channel", "step", "input", "output", "state", "param", "const"}) {
    if (name.size() > word.size() && name.ends_with(word))
      statement.hold.push_back({name.substr(0, name.size() - word.size()), span});
    if (name.size() > word.size() && name.starts_with(word))
      statement.hold.push_back({name.substr(word.size()), span});
  }
}

/// What a broken statement leaves for the checker: the names in it, which may have been declared there.
Statement Parser::mentionedNames(size_t begin) {
  Statement mentioned;
  mentioned.span = mentioned.keyword = cover(tokens[begin].span, previousSpan());
  for (size_t i = begin; i < at; ++i)
    if (tokens[i].kind == TokenKind::Name)
      mention(mentioned, spelledName(text(tokens[i])), tokens[i].span);
  const std::string_view word = text(tokens[begin]);
  if (nameless)
    mentioned.hold.push_back({word == "def" || word == "surrogate" ? "()" : "", mentioned.span});
  return mentioned;
}

/// Whether a statement is fit for the checker. Of a broken one no more is left than the names that it declares or
/// assigns: whatever else it says would be a second error for the same mistake.
bool Parser::complete(Statement &statement, bool broken) {
  switch (statement.kind) {
  case StatementKind::Assign:
  case StatementKind::Dt:
  case StatementKind::Ode:
    if (!statement.value || broken)
      statement.value = errorExpr();
    return statement.kind == StatementKind::Dt || !statement.name.text.empty();
  case StatementKind::Input:
  case StatementKind::Output:
  case StatementKind::State:
  case StatementKind::Param:
  case StatementKind::Const:
    for (Declared &declared : statement.declared) {
      if (!broken)
        break;
      declared.item.broken = true;
      declared.attributes = {};
      if (statement.kind >= StatementKind::State)
        declared.value = errorExpr();
    }
    return !statement.declared.empty();
  default:
    // Half a definition or half a choice would bring errors of its own; without it the model only lacks something.
    return statement.kind != StatementKind::Error && !broken;
  }
}

/// Whether a statement was read to its end; what stands behind it is reported.
bool Parser::endsWell() {
  if (!panicking && !atStatementEnd())
    reportTrailing();
  return !panicking;
}

} // namespace flexsn::syntax
