// input, output, state, param, const: items with their types, values and attributes.
#include "compiler/frontend/Parser.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace flexsn::syntax {

static bool isAttribute(std::string_view word) {
  return std::find(attributeWords().begin(), attributeWords().end(), word) != attributeWords().end();
}

/// decl = KEYWORD declared {"," declared}
Statement Parser::parseDeclaration(StatementKind kind) {
  Statement statement = beginStatement(kind);
  if (is(TokenKind::Colon) && is(TokenKind::Name, 1)) {
    error(diag::DeclarationColon, peek().span, source.text(statement.keyword)).fix = Fix{peek().span, ""};
    advance();
  }
  do {
    if (kind == StatementKind::Const && !statement.declared.empty())
      error(diag::ConstList, previousSpan()).fix = Fix{previousSpan(), "; const"};
    Declared declared = parseDeclared(kind);
    if (!declared.item.name.text.empty())
      statement.declared.push_back(std::move(declared));
  } while (!panicking && consume(TokenKind::Comma));
  return statement;
}

/// declared = item ["=" expr] attrs, with the parts that the kind of declaration has.
Declared Parser::parseDeclared(StatementKind kind) {
  const bool valued = kind == StatementKind::State || kind == StatementKind::Param || kind == StatementKind::Const;
  Declared declared;
  declared.span = peek().span;
  if (valued && is(TokenKind::Name) && isAttribute(text(peek())) && at > 0 && tokens[at - 1].kind == TokenKind::Comma &&
      (is(TokenKind::Comma, 1) || is(TokenKind::Newline, 1) || is(TokenKind::Semicolon, 1))) {
    fail(diag::CommaBeforeAttribute, previousSpan(), text(peek())).fix = Fix{previousSpan(), ""};
    return declared;
  }
  if (is(TokenKind::Name) && isAttribute(text(peek())) && is(TokenKind::Name, 1)) {
    fail(diag::AttributeInFront, peek().span, text(peek()), text(peek(1)));
    return declared;
  }
  declared.item = parseItem();
  if (!panicking)
    parseInitialValue(declared, kind);
  if (!panicking && valued)
    declared.attributes = parseAttributes();
  declared.span = cover(declared.span, previousSpan());
  return declared;
}

void Parser::parseInitialValue(Declared &declared, StatementKind kind) {
  const bool hasNoValue = kind == StatementKind::Input || kind == StatementKind::Output;
  if (hasNoValue) {
    if (is(TokenKind::Assign))
      fail(kind == StatementKind::Input ? diag::InputValue : diag::OutputValue, peek().span, declared.item.name.text);
    else if (kind == StatementKind::Output && !declared.item.dims.empty())
      error(diag::OutputDims, declared.item.dims.front().span, declared.item.name.text);
    return;
  }
  const bool ends = atStatementEnd() || is(TokenKind::Comma) || (is(TokenKind::Name) && isAttribute(text(peek())));
  if (ends) {
    if (kind != StatementKind::State)
      error(diag::MissingValue, declared.item.name.span, kind == StatementKind::Param ? "param" : "const",
            declared.item.name.text);
    if (kind != StatementKind::State)
      declared.value = errorExpr();
    return;
  }
  if (!expectAssign(declared.item.name.text))
    return;
  if (is(TokenKind::Name) && isAttribute(text(peek())) && (is(TokenKind::Number, 1) || is(TokenKind::Name, 1))) {
    fail(diag::AttributeInFront, peek().span, text(peek()), declared.item.name.text);
    return;
  }
  wordsEndExpression = true;
  declared.value = parseExpr();
  wordsEndExpression = false;
}

/// item = NAME ["[" dim {"," dim} "]"] [":" type]
Item Parser::parseItem() {
  constexpr std::string_view types[] = {"float", "int", "bool", "double", "real"};
  Item item;
  const bool type =
      is(TokenKind::Name) && std::find(std::begin(types), std::end(types), text(peek())) != std::end(types);
  if (type && is(TokenKind::Name, 1)) {
    const Span both = cover(peek().span, peek(1).span);
    const std::string_view kind = text(peek()) == "int" || text(peek()) == "bool" ? text(peek()) : "float";
    const std::string right = fmt::format("{}: {}", text(peek(1)), kind);
    error(diag::TypeInFront, peek().span, right).fix = Fix{both, right};
    advance();
  }
  item.name = parseName("a name");
  if (!panicking && is(TokenKind::LeftBracket))
    parseDims(item);
  if (panicking || !is(TokenKind::Colon))
    return item;
  if (is(TokenKind::Number, 1)) { // `tau: 2.0`, which expectAssign() mends
    return item;
  }
  advance();
  if (!is(TokenKind::Name)) {
    fail(diag::ExpectedType, peek().span, describe(peek()));
    return item;
  }
  item.type = Name{std::string(text(peek())), peek().span};
  advance();
  return item;
}

/// "[" dim {"," dim} "]"
void Parser::parseDims(Item &item) {
  openBracket(false);
  do {
    const Token token = peek();
    Dim dim;
    dim.span = token.span;
    if (token.kind == TokenKind::Name) {
      dim.text = spelledName(text(token));
    } else if (token.kind == TokenKind::Number && token.whole) {
      // What does not fit is far beyond every limit: the checker says which.
      const double bounded = std::min(token.number, 9.0e18);
      dim.number = token.bad ? 1 : static_cast<uint64_t>(bounded);
    } else {
      fail(diag::ExpectedDim, token.span, describe(token));
      return;
    }
    advance();
    item.dims.push_back(std::move(dim));
  } while (consume(TokenKind::Comma));
  closeBracket(TokenKind::RightBracket);
}

/// attrs = { "learnable" | "frozen" | "as" NAME | "in" range ["clamp"] }
Attributes Parser::parseAttributes() {
  Attributes attributes;
  while (!panicking && parseAttribute(attributes)) {
  }
  return attributes;
}

bool Parser::parseAttribute(Attributes &attributes) {
  if (!is(TokenKind::Name) || statementBegins(at) || isWord("unless"))
    return false;
  const Token token = peek();
  std::string word(text(token));
  if (!isAttribute(word)) {
    const std::optional<std::string> near = nearest(word, {attributeWords().begin(), attributeWords().end()});
    if (word == "clamp") {
      fail(diag::ClampWithoutRange, token.span);
    } else if (!near) {
      fail(diag::UnknownAttribute, token.span, word);
    } else {
      error(diag::UnknownAttributeHint, token.span, word, *near).fix = Fix{token.span, *near};
      word = *near;
    }
    if (panicking)
      return false;
  }
  const bool twice = (word == "learnable" && attributes.learnable) || (word == "frozen" && attributes.frozen) ||
                     (word == "as" && attributes.as) || (word == "in" && attributes.in);
  if (twice)
    error(diag::AttributeTwice, token.span, word);
  advance();
  if (word == "learnable")
    attributes.learnable = token.span;
  else if (word == "frozen")
    attributes.frozen = token.span;
  else if (word == "in")
    attributes.in = parseRange();
  else
    attributes.as = parseTransform();
  return !panicking;
}

/// The NAME behind `as`.
std::optional<Name> Parser::parseTransform() {
  const Token token = peek();
  if (!is(TokenKind::Name) || isAttribute(text(token))) {
    fail(diag::ExpectedTransform, atStatementEnd() ? behind() : token.span, describe(token));
    return std::nullopt;
  }
  advance();
  return Name{std::string(text(token)), token.span};
}

/// ("["|"(") expr "," expr ("]"|")") ["clamp"]
std::optional<Range> Parser::parseRange() {
  const Token opener = peek();
  if (!is(TokenKind::LeftParen) && !is(TokenKind::LeftBracket)) {
    fail(diag::ExpectedRange, atStatementEnd() ? behind() : opener.span, describe(opener));
    return std::nullopt;
  }
  Range range;
  range.lowOpen = opener.kind == TokenKind::LeftParen;
  openBracket(false);
  inRange = true; // two operands in a row miss a comma there, not an operator
  range.low = parseExpr();
  inRange = false;
  if (!panicking && !consume(TokenKind::Comma)) {
    if (atStatementEnd())
      closeBracket(TokenKind::RightBracket);
    else
      fail(diag::RangeComma, peek().span, describe(peek()));
  }
  if (!panicking)
    range.high = parseExpr();
  if (panicking)
    return std::nullopt;
  range.highOpen = is(TokenKind::RightParen);
  if (!closeBracket(range.highOpen ? TokenKind::RightParen : TokenKind::RightBracket))
    return std::nullopt;
  range.span = cover(opener.span, previousSpan());
  if (isWord("clamp")) {
    range.clamp = true;
    advance();
  }
  return range;
}

} // namespace flexsn::syntax
