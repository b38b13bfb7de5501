// Tokens, brackets, and the outermost productions: files and models. ParserRecovery.cpp goes on behind errors.
#include "compiler/frontend/Parser.h"

#include <algorithm>
#include <utility>

namespace flexsn::syntax {

Parser::Parser(const Source &source, Diagnostics &diagnostics)
    : source(source), diagnostics(diagnostics), tokens(lex(source, diagnostics)) {}

// ---- Tokens ----

bool Parser::isAssignment(size_t ahead) const {
  const TokenKind kind = peek(ahead).kind;
  return kind >= TokenKind::Assign && kind <= TokenKind::SlashAssign;
}

bool Parser::atStatementEnd() const { return is(TokenKind::Newline) || is(TokenKind::Semicolon) || is(TokenKind::End); }

std::string Parser::describe(const Token &token) const {
  if (token.kind == TokenKind::End || (token.kind == TokenKind::Newline && token.span.begin == token.span.end))
    return "the end of the file";
  return token.kind == TokenKind::Newline ? "the line end" : fmt::format("'{}'", text(token));
}

/// The last token that is no line end.
Span Parser::previousSpan() const {
  size_t before = at;
  while (before > 0 && tokens[before - 1].kind == TokenKind::Newline)
    --before;
  return before == 0 ? Span{0, 0} : tokens[before - 1].span;
}

/// The place behind the last token, where something that is missing belongs; never on a later line than the statement.
Span Parser::behind() const { return {previousSpan().end, previousSpan().end}; }

/// To the next token. Inside brackets line ends do not count, unless a new statement plainly begins behind one.
void Parser::advance() {
  if (at + 1 < tokens.size())
    ++at;
  const size_t previous = at;
  while (!open.empty() && is(TokenKind::Newline)) {
    if (statementBegins(at + 1)) {
      const TokenKind before = tokens[previous - 1].kind;
      const bool keyword = tokens[at + 1].kind == TokenKind::Name && is(TokenKind::Assign, 2) && open.back().call &&
                           (before == TokenKind::Comma || before == TokenKind::LeftParen) &&
                           !reservedWord(text(tokens[at + 1]));
      if (!keyword)
        return; // the bracket is never closed
      if (!doubtfulLine)
        doubtfulLine = at;
    }
    ++at;
  }
}

bool Parser::consume(TokenKind kind) {
  if (!is(kind))
    return false;
  advance();
  return true;
}

void Parser::openBracket(bool call) {
  if (open.empty())
    doubtfulLine.reset();
  open.push_back({at, call});
  advance();
}

bool Parser::closeBracket(TokenKind closer) {
  if (panicking)
    return false;
  const Token &opener = tokens[open.back().token];
  const std::string_view wanted = closer == TokenKind::RightParen ? ")" : "]";
  const bool wrongCloser = is(TokenKind::RightParen) || is(TokenKind::RightBracket);
  if (is(closer) || wrongCloser) {
    if (!is(closer)) {
      Diagnostic &reported =
          error(diag::WrongCloser, peek().span, text(peek()), text(opener), source.position(opener.span.begin).column);
      reported.fix = Fix{peek().span, std::string(wanted)};
    }
    open.pop_back();
    advance();
    return true;
  }
  size_t end = at; // a closer further on says that something is wrong in front of it
  while (tokens[end].kind != TokenKind::Newline && tokens[end].kind != closer &&
         tokens[end].kind != TokenKind::Semicolon)
    ++end;
  if (tokens[end].kind == closer) {
    fail(diag::ExpectedInBrackets, peek().span, wanted, describe(peek()));
    return false;
  }
  reportUnclosed(open.back());
  return false;
}

void Parser::reportUnclosed(Open bracket) {
  const Span opener = tokens[bracket.token].span;
  fail(diag::Unclosed, opener, source.text(opener), source.position(opener.begin).column);
  // Lines that passed for keyword arguments were statements.
  if (doubtfulLine) {
    at = *std::exchange(doubtfulLine, std::nullopt);
    open.clear();
  }
}

// ---- file = { model | define } ----

bool Parser::atFileDefinition() const {
  return peek().unindented && (isWord("def") || isWord("surrogate")) && is(TokenKind::Name, 1);
}

/// A header, right or nearly right: `neuron NAME:`, `class NAME:`, or `NAME:` at the start of a line.
bool Parser::atModel(bool inside) const {
  if (isWord("neuron") && !isAssignment(1))
    return true;
  const bool mayBegin = peek().unindented || (!inside && peek().first);
  if (!mayBegin || !is(TokenKind::Name) || contains(labelWords(), text(peek())))
    return false;
  if (is(TokenKind::Colon, 1))
    return is(TokenKind::Newline, 2) && !nearest(text(peek()), {labelWords().begin(), labelWords().end()});
  return is(TokenKind::Name, 1) && is(TokenKind::Colon, 2) &&
         (isWord("neuron", 1) || !contains(declarationWords(), text(peek())));
}

File Parser::run() {
  File file;
  while (!is(TokenKind::End) && !diagnostics.full()) {
    if (is(TokenKind::Newline))
      advance();
    else
      parseFileItem(file);
  }
  return file;
}

void Parser::parseFileItem(File &file) {
  if (atModel(/*inside=*/false)) {
    parseModel(file);
  } else if (isWord("def") || isWord("surrogate")) {
    parseStatement(file.definitions);
    if (!file.definitions.empty() && file.definitions.back().kind == StatementKind::Surrogate)
      readmitSurrogate(file);
  } else {
    parseOutside(file);
  }
}

/// `surrogate atan(alpha=2)` at the start of a line: meant for the model above, though only a definition may stand
/// there.
void Parser::readmitSurrogate(File &file) {
  Statement statement = std::move(file.definitions.back());
  file.definitions.pop_back();
  Diagnostic &reported = error(diag::SurrogateOutside, statement.keyword);
  if (file.models.empty())
    return;
  reported.fix = Fix{{statement.span.begin, statement.span.begin}, "  "};
  file.models.back().statements.push_back(std::move(statement));
  parseStatements(file.models.back());
}

/// Statements that belong to no model. They are read all the same, for their own errors.
void Parser::parseOutside(File &file) {
  if (!file.models.empty() && !file.definitions.empty()) {
    const Statement &ender = file.definitions.back();
    error(diag::AfterDefinition, peek().span, text(peek()), source.text(ender.keyword), file.models.back().name.text)
        .label = Label{ender.keyword,
                       fmt::format("this '{}' is not indented and belongs to the file", source.text(ender.keyword))};
    return parseStatements(file.models.back());
  }
  if (is(TokenKind::Name) && reportForeignStatement()) // `import torch`: no model would make it right
    return recover();
  if (is(TokenKind::Name))
    error(diag::OutsideModel, peek().span, text(peek()));
  Model nowhere;
  parseStatements(nowhere);
}

// ---- model = "neuron" NAME ":" { stmt } ----

void Parser::parseModel(File &file) {
  Model model;
  model.span = peek().span;
  nodes = 0;
  oversized = false;
  const bool known = parseModelHeader(model);
  panicking = false;
  open.clear();
  parseStatements(model);
  model.span = cover(model.span, previousSpan());
  if (known) // a model without a readable name is read for its own errors alone
    file.models.push_back(std::move(model));
}

/// Reads to behind the colon; false if the name cannot be read.
bool Parser::parseModelHeader(Model &model) {
  const Token first = peek();
  if (is(TokenKind::Colon, 1) && !isWord("neuron")) {
    error(diag::HeaderWithoutNeuron, first.span, text(first)).fix =
        Fix{{first.span.begin, first.span.begin}, "neuron "};
  } else if (!isWord("neuron")) {
    if (isWord("neuron", 1)) {
      fail(diag::HeaderSwapped, cover(first.span, peek(1).span), text(first)).fix =
          Fix{cover(first.span, peek(1).span), fmt::format("neuron {}", text(first))};
      model.name = {spelledName(text(first)), first.span};
    } else {
      error(diag::HeaderWord, first.span, text(first)).fix = Fix{first.span, "neuron"};
    }
    advance();
  } else {
    advance();
  }
  if (model.name.text.empty())
    model.name = parseName("the model's name after 'neuron'");
  if (!is(TokenKind::Colon) && !panicking) {
    if (is(TokenKind::LeftParen))
      fail(diag::HeaderArguments, peek().span);
    else if (is(TokenKind::Newline) || statementBegins(at))
      mendColon();
    else
      fail(diag::HeaderEnd, peek().span, describe(peek()));
  }
  if (panicking)
    while (!atStatementEnd() && !is(TokenKind::Colon))
      advance();
  const bool colonInFront = is(TokenKind::Colon) && peek().first;
  if (consume(TokenKind::Colon) && panicking && is(TokenKind::Name) && is(TokenKind::Newline, 1)) // `neuron :NAME`
    advance();
  if (colonInFront && !statementBegins(at)) { // `neuron NAMEinput`, `: x`
    const size_t begin = at;
    recover();
    model.statements.push_back(mentionedNames(begin));
    consume(TokenKind::Semicolon);
  }
  return !model.name.text.empty();
}

/// A header without its colon; one that begins the next line is this one.
void Parser::mendColon() {
  error(diag::MissingColon, behind(), source.text(previousSpan())).fix = Fix{behind(), ":"};
  if (is(TokenKind::Newline) && is(TokenKind::Colon, 1))
    advance();
}

void Parser::parseStatements(Model &model) {
  foreignIf = false;
  while (!is(TokenKind::End) && !diagnostics.full()) {
    if (is(TokenKind::Newline)) {
      advance();
      continue;
    }
    if (atModel(/*inside=*/true) || atFileDefinition())
      return;
    parseStatement(model.statements);
  }
}

void Parser::parseStatement(std::vector<Statement> &into) {
  const size_t begin = at;
  if (is(TokenKind::Semicolon)) {
    error(diag::StraySemicolon, peek().span).fix = Fix{peek().span, ""};
    advance();
    return;
  }
  nameless = guessed = false;
  Statement statement = parseOneStatement();
  // A label's statement goes on behind its colon.
  const bool ends = statement.kind == StatementKind::Section ? !panicking : endsWell();
  const bool broken = !ends || guessed;
  if (!ends)
    recover();
  guessed = false;
  if (is(TokenKind::Semicolon) && statement.kind != StatementKind::Section)
    advance();
  if (at == begin) {
    // No production is written to stay where it began; if one does, say so rather than loop.
    diagnostics.report(diag::ExpectedStatement, peek().span, describe(peek()));
    advance();
  }
  statement.span = cover(tokens[begin].span, at > begin ? tokens[at - 1].span : tokens[begin].span);
  if (broken || nameless)
    into.push_back(mentionedNames(begin));
  if (complete(statement, broken))
    into.push_back(std::move(statement));
}

} // namespace flexsn::syntax

namespace flexsn {

syntax::File parse(const Source &source, Diagnostics &diagnostics) {
  if (source.text().size() > Limits::fileBytes) {
    diagnostics.report(diag::FileTooLarge, Span{0, 0}, Limits::fileBytes);
    return {};
  }
  return syntax::Parser(source, diagnostics).run();
}

} // namespace flexsn
