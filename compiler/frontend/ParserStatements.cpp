// Statements other than declarations of names: sections, assignments, equations, solver, refractoriness, definitions.
#include "compiler/frontend/Parser.h"

#include <algorithm>
#include <utility>

namespace flexsn::syntax {

/// stmt = section | decl | define | ode | assign
Statement Parser::parseOneStatement() {
  if (foreignIf && (isWord("else") || isWord("elif"))) {
    panicking = true; // the same mistake as the `if`
    return {};
  }
  if (!is(TokenKind::Name))
    return parseUnknownStatement();
  const std::string_view word = text(peek());
  const bool choice = (word == "method" || word == "surrogate") && is(TokenKind::Name, 2); // `method = euler`
  if (isAssignment(1) && !choice && (word != "dt" || !is(TokenKind::Assign, 1)))
    return parseAssignment();
  if (reservedWord(word) == WordKind::Declaration || word == "dt")
    return parseKeyword(word);
  const bool label = std::find(labelWords().begin(), labelWords().end(), word) != labelWords().end();
  if (label && (is(TokenKind::Colon, 1) || (is(TokenKind::Name, 1) && isAssignment(2))))
    return parseSection();
  if (is(TokenKind::Slash, 1) && isWord("dt", 2))
    return parseOde();
  return parseUnknownStatement();
}

/// A statement of the current word, which is read.
Statement Parser::beginStatement(StatementKind kind) {
  Statement statement;
  statement.kind = kind;
  statement.keyword = peek().span;
  advance();
  return statement;
}

/// A statement that begins with a word of its own; the word is given, for it may have been misspelt.
Statement Parser::parseKeyword(std::string_view word) {
  if (word == "input")
    return parseDeclaration(StatementKind::Input);
  if (word == "output")
    return parseDeclaration(StatementKind::Output);
  if (word == "state")
    return parseDeclaration(StatementKind::State);
  if (word == "param")
    return parseDeclaration(StatementKind::Param);
  if (word == "const")
    return parseDeclaration(StatementKind::Const);
  if (word == "dt")
    return parseDt();
  if (word == "method")
    return parseMethod();
  if (word == "refractory")
    return parseRefractory();
  if (word == "truncate")
    return parseTruncate();
  if (word == "def")
    return parseDefine();
  if (word == "surrogate")
    return parseSurrogate();
  return parseUnknownStatement();
}

/// `state state v = 0`
void Parser::skipDoubledWord() {
  const auto doubled = [&] {
    return at > 0 && is(TokenKind::Name) && is(TokenKind::Name, 1) && text(tokens[at - 1]) == text(peek()) &&
           reservedWord(text(peek())) == WordKind::Declaration;
  };
  while (doubled()) {
    error(diag::WordTwice, peek().span, text(peek())).fix = Fix{peek().span, ""};
    advance();
  }
}

/// A name that the user chooses.
Name Parser::parseName(std::string_view what) {
  skipDoubledWord();
  const Token token = peek();
  if (token.kind != TokenKind::Name) {
    nameless = true;
    fail(diag::ExpectedName, atStatementEnd() ? behind() : token.span, what, describe(token));
    return {};
  }
  if (reservedWord(text(token))) {
    reportReserved(token);
    if (is(TokenKind::Name, 1)) // two words in a row: what the second one means is open
      panicking = true;
  }
  advance();
  return {spelledName(text(token)), token.span};
}

std::vector<Name> Parser::parseNames(std::string_view what) {
  std::vector<Name> names;
  do
    names.push_back(parseName(what));
  while (!panicking && consume(TokenKind::Comma));
  return names;
}

/// The `=` behind a name that is given a value; other habits of writing it are mended.
bool Parser::expectAssign(std::string_view after) {
  if (consume(TokenKind::Assign))
    return true;
  const Token token = peek();
  const bool arrow = token.kind == TokenKind::Less && is(TokenKind::Minus, 1) && peek(1).span.begin == token.span.end;
  const bool colon = token.kind == TokenKind::Colon && is(TokenKind::Number, 1);
  if (arrow || colon || token.kind == TokenKind::EqualEqual || token.kind == TokenKind::Walrus || isAssignment(0)) {
    const Span span = arrow ? cover(token.span, peek(1).span) : token.span;
    error(diag::AssignSpelling, span, after, source.text(span)).fix = Fix{span, colon ? " =" : "="};
    advance();
    if (arrow)
      advance();
    return true;
  }
  if (token.kind == TokenKind::Number || token.kind == TokenKind::LeftParen) {
    error(diag::MissingAssign, token.span, after).fix = Fix{{token.span.begin, token.span.begin}, "= "};
    guessed = true;
    return true;
  }
  fail(diag::ExpectedAssign, atStatementEnd() ? behind() : token.span, after, describe(token));
  return false;
}

/// section = ("charge" | "fire" | "reset") ":"
Statement Parser::parseSection() {
  Statement statement = beginStatement(StatementKind::Section);
  statement.name = {std::string(source.text(statement.keyword)), statement.keyword};
  if (!consume(TokenKind::Colon))
    error(diag::MissingColon, behind(), statement.name.text).fix = Fix{behind(), ":"};
  return statement;
}

/// assign = NAME ("=" | "+=" | "-=" | "*=" | "/=") expr
Statement Parser::parseAssignment() {
  Statement statement;
  statement.kind = StatementKind::Assign;
  statement.keyword = peek().span;
  const Token target = peek();
  if (const std::optional<WordKind> reserved = reservedWord(text(target))) {
    reportReserved(target);
    if (reserved == WordKind::Declaration) // `state = 0` may miss the state's name
      nameless = panicking = true;
  }
  statement.name = {spelledName(text(target)), target.span};
  advance();
  switch (peek().kind) {
  case TokenKind::PlusAssign: statement.augmented = Operator::Add; break;
  case TokenKind::MinusAssign: statement.augmented = Operator::Subtract; break;
  case TokenKind::StarAssign: statement.augmented = Operator::Multiply; break;
  case TokenKind::SlashAssign: statement.augmented = Operator::Divide; break;
  default: break;
  }
  if (panicking)
    return {};
  if (statement.augmented != Operator::None)
    advance();
  else if (!expectAssign(statement.name.text))
    return statement;
  statement.value = parseExpr();
  return statement;
}

/// ode = "d" NAME "/dt" "=" expr ["method" method]
Statement Parser::parseOde() {
  Statement statement;
  statement.kind = StatementKind::Ode;
  statement.keyword = peek().span;
  const Token rate = peek();
  const std::string word = spelledName(text(rate));
  if (word.size() > 1 && word[0] == 'd') {
    statement.name = {word.substr(1), {rate.span.begin + 1, rate.span.end}};
  } else {
    error(diag::RateWithoutD, rate.span, word).fix = Fix{{rate.span.begin, rate.span.begin}, "d"};
    statement.name = {word, rate.span};
  }
  advance();
  advance();
  advance();
  if (!expectAssign(fmt::format("d{}/dt", statement.name.text)))
    return statement;
  statement.value = parseExpr();
  if (!panicking && isWord("method")) {
    advance();
    statement.call = parseNamedCall("a solver's name after 'method'");
  }
  return statement;
}

/// "dt" "=" expr
Statement Parser::parseDt() {
  Statement statement = beginStatement(StatementKind::Dt);
  if (expectAssign("dt"))
    statement.value = parseExpr();
  return statement;
}

/// NAME ["(" args ")"]
NamedCall Parser::parseNamedCall(std::string_view what) {
  NamedCall call;
  const Token token = peek();
  if (token.kind != TokenKind::Name) {
    nameless = true; // it may have been a definition
    fail(diag::ExpectedName, atStatementEnd() ? behind() : token.span, what, describe(token));
    return call;
  }
  call.name = {spelledName(text(token)), token.span};
  call.span = token.span;
  advance();
  if (!is(TokenKind::LeftParen))
    return call;
  openBracket(true);
  parseArguments(call.arguments);
  if (closeBracket(TokenKind::RightParen))
    call.span = cover(call.span, previousSpan());
  return call;
}

/// `method = euler`, `surrogate: atan`
void Parser::skipChoiceSign(std::string_view word) {
  if (!is(TokenKind::Assign) && !is(TokenKind::Colon))
    return;
  error(diag::DeclarationColon, peek().span, word).fix = Fix{peek().span, ""};
  advance();
}

Statement Parser::parseMethod() {
  Statement statement = beginStatement(StatementKind::Method);
  skipChoiceSign("method");
  statement.call = parseNamedCall("a solver's name after 'method'");
  return statement;
}

/// "refractory" expr ["of" NAME] ["hold" NAME {"," NAME}]
Statement Parser::parseRefractory() {
  Statement statement = beginStatement(StatementKind::Refractory);
  wordsEndExpression = true;
  statement.value = parseExpr();
  wordsEndExpression = false;
  if (!panicking && isWord("of")) {
    advance();
    statement.of = parseName("the spike's name after 'of'");
  }
  if (!panicking && isWord("hold")) {
    advance();
    statement.hold = parseNames("a state's name after 'hold'");
  }
  if (!panicking && isWord("of"))
    fail(diag::OfBehindHold, peek().span);
  return statement;
}

/// "truncate" INT
Statement Parser::parseTruncate() {
  Statement statement = beginStatement(StatementKind::Truncate);
  if (is(TokenKind::Number) && peek().whole)
    statement.value = parseNumber();
  else
    fail(diag::ExpectedCount, atStatementEnd() ? behind() : peek().span, describe(peek()));
  return statement;
}

// ---- define ----

/// "def" NAME "(" NAME {"," NAME} ")" "=" expr
Statement Parser::parseDefine() {
  Statement statement = beginStatement(StatementKind::Define);
  statement.name = parseName("the function's name after 'def'");
  if (panicking || !parseFormalParameters(statement))
    return statement;
  for (const FormalParameter &parameter : statement.parameters)
    if (parameter.defaultValue)
      error(diag::DefineDefault, parameter.name.span, parameter.name.text);
  if (is(TokenKind::Colon) || is(TokenKind::Arrow)) {
    const Token token = peek();
    error(diag::DefineBody, token.span, statement.name.text, text(token)).fix = Fix{token.span, " ="};
    advance();
    if (isWord("return"))
      advance();
    else if (atStatementEnd()) // Python's body on the lines that follow
      panicking = true;
    statement.value = panicking ? errorExpr() : parseExpr();
    return statement;
  }
  if (expectAssign(fmt::format("def {}(...)", statement.name.text)))
    statement.value = parseExpr();
  return statement;
}

/// "(" NAME ["=" expr] {"," NAME ["=" expr]} ")"
bool Parser::parseFormalParameters(Statement &statement) {
  if (!is(TokenKind::LeftParen)) {
    fail(diag::ExpectedParameters, atStatementEnd() ? behind() : peek().span, statement.name.text, describe(peek()));
    return false;
  }
  openBracket(true);
  if (is(TokenKind::RightParen)) {
    fail(diag::NoParameters, peek().span, statement.name.text);
    return false;
  }
  do {
    FormalParameter parameter;
    parameter.name = parseName("a parameter's name");
    if (!panicking && consume(TokenKind::Assign))
      parameter.defaultValue = parseExpr();
    statement.parameters.push_back(std::move(parameter));
  } while (!panicking && consume(TokenKind::Comma));
  return closeBracket(TokenKind::RightParen);
}

/// Whether a ':' stands behind the brackets that begin `ahead` tokens from here: a definition, not a choice.
bool Parser::definesSurrogate(size_t ahead) const {
  unsigned depth = 0;
  for (size_t i = at + ahead; i < tokens.size(); ++i) {
    const TokenKind kind = tokens[i].kind;
    if (kind == TokenKind::LeftParen)
      ++depth;
    else if (kind == TokenKind::RightParen && --depth == 0)
      return tokens[i + 1].kind == TokenKind::Colon;
    else if (kind == TokenKind::Newline || kind == TokenKind::Semicolon || kind == TokenKind::Colon)
      return kind == TokenKind::Colon; // of an unclosed '(': a definition all the same
  }
  return false;
}

/// "surrogate" NAME ["(" args ")"], or a definition
Statement Parser::parseSurrogate() {
  Statement statement = beginStatement(StatementKind::Surrogate);
  skipChoiceSign("surrogate");
  if (!is(TokenKind::Name) || !is(TokenKind::LeftParen, 1) || !definesSurrogate(1)) {
    statement.call = parseNamedCall("a surrogate's name after 'surrogate'");
    return statement;
  }
  statement.kind = StatementKind::DefineSurrogate;
  statement.name = parseName("the surrogate's name");
  if (!panicking && parseFormalParameters(statement)) {
    advance(); // the colon
    parseSurrogateBody(statement);
  }
  return statement;
}

/// "value" "=" expr {"," "grad" NAME "=" expr} ["," "primitive" "=" expr]
void Parser::parseSurrogateBody(Statement &statement) {
  if (!isWord("value")) {
    fail(diag::SurrogateValue, atStatementEnd() ? behind() : peek().span, describe(peek()));
    return;
  }
  advance();
  if (expectAssign("value"))
    statement.value = parseExpr();
  while (!panicking && consume(TokenKind::Comma)) {
    if (statement.primitive) {
      fail(diag::AfterPrimitive, peek().span);
    } else if (isWord("grad")) {
      advance();
      NamedExpr gradient;
      gradient.name = parseName("a parameter's name after 'grad'");
      if (!panicking && expectAssign(fmt::format("grad {}", gradient.name.text)))
        gradient.value = parseExpr();
      if (gradient.value)
        statement.gradients.push_back(std::move(gradient));
    } else if (isWord("primitive")) {
      advance();
      if (expectAssign("primitive"))
        statement.primitive = parseExpr();
    } else {
      fail(diag::SurrogatePart, atStatementEnd() ? behind() : peek().span, describe(peek()));
    }
  }
}

} // namespace flexsn::syntax
