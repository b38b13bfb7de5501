// The recursive-descent parser: one parseX per production of docs/language.md. Private to the front end.
//
// Parser.cpp            tokens, brackets; files and models
// ParserRecovery.cpp    where statements begin and end; what is left of a broken one
// ParserStatements.cpp  statements, definitions
// ParserDeclarations.cpp input, output, state, param, const and their attributes
// ParserExpressions.cpp expressions
// ParserHabits.cpp      statements of other languages
// ParserForeign.cpp     operators and names of other languages
#pragma once

#include "compiler/frontend/Frontend.h"
#include "compiler/frontend/Lexer.h"
#include "compiler/frontend/ParserWords.h"

namespace flexsn::syntax {

class Parser {
public:
  Parser(const Source &source, Diagnostics &diagnostics);
  File run();

private:
  struct Open {
    size_t token;
    bool call; ///< of a call, where `name = ` is a keyword argument
  };

  // ---- Tokens (Parser.cpp) ----
  const Token &peek(size_t ahead = 0) const { return tokens[std::min(at + ahead, tokens.size() - 1)]; }
  bool is(TokenKind kind, size_t ahead = 0) const { return peek(ahead).kind == kind; }
  bool isWord(std::string_view word, size_t ahead = 0) const {
    return is(TokenKind::Name, ahead) && text(peek(ahead)) == word;
  }
  bool isAssignment(size_t ahead) const;
  bool atStatementEnd() const;
  std::string_view text(const Token &token) const { return source.text(token.span); }
  std::string describe(const Token &token) const;
  Span previousSpan() const;
  Span behind() const;
  void advance();
  bool consume(TokenKind kind);
  void openBracket(bool call);
  bool closeBracket(TokenKind closer);
  void reportUnclosed(Open bracket);

  /// Reports unless the statement has an error already that makes everything behind it a guess.
  template <class... Args, class... Values>
  Diagnostic &error(const DiagnosticSpec<Args...> &spec, Span span, const Values &...values) {
    return panicking || guessed ? silent = {} : diagnostics.report(spec, span, values...);
  }
  /// Reports, and gives the statement up: recover() goes to its end.
  template <class... Args, class... Values>
  Diagnostic &fail(const DiagnosticSpec<Args...> &spec, Span span, const Values &...values) {
    if (is(TokenKind::Bad) || is(TokenKind::Bad, 1)) // the lexer said why
      panicking = true;
    Diagnostic &result = error(spec, span, values...);
    panicking = true;
    return result;
  }

  // ---- Files and models (Parser.cpp) ----
  bool atModel(bool inside) const;
  bool atFileDefinition() const;
  void parseFileItem(File &file);
  void readmitSurrogate(File &file);
  void parseOutside(File &file);
  void parseModel(File &file);
  bool parseModelHeader(Model &model);
  void mendColon();
  void parseStatements(Model &model);
  void parseStatement(std::vector<Statement> &into);

  // ---- Recovery (ParserRecovery.cpp) ----
  bool statementBegins(size_t index) const;
  bool odeBegins(size_t index) const;
  bool continues() const;
  void recover();
  bool endsWell();
  Statement mentionedNames(size_t begin);
  bool complete(Statement &statement, bool broken);

  // ---- Statements (ParserStatements.cpp) ----
  Statement beginStatement(StatementKind kind);
  Statement parseOneStatement();
  Statement parseKeyword(std::string_view word);
  Statement parseSection();
  Statement parseAssignment();
  Statement parseOde();
  Statement parseDt();
  Statement parseMethod();
  void skipChoiceSign(std::string_view word);
  Statement parseRefractory();
  Statement parseTruncate();
  Statement parseDefine();
  Statement parseSurrogate();
  void parseSurrogateBody(Statement &statement);
  bool parseFormalParameters(Statement &statement);
  bool definesSurrogate(size_t ahead) const;
  NamedCall parseNamedCall(std::string_view what);
  Name parseName(std::string_view what);
  void skipDoubledWord();
  std::vector<Name> parseNames(std::string_view what);
  bool expectAssign(std::string_view after);

  // ---- Declarations (ParserDeclarations.cpp) ----
  Statement parseDeclaration(StatementKind kind);
  Declared parseDeclared(StatementKind kind);
  void parseInitialValue(Declared &declared, StatementKind kind);
  Item parseItem();
  void parseDims(Item &item);
  Attributes parseAttributes();
  bool parseAttribute(Attributes &attributes);
  std::optional<Range> parseRange();
  std::optional<Name> parseTransform();

  // ---- Expressions (ParserExpressions.cpp) ----
  ExprPtr parseExpr();
  ExprPtr parseBinary(unsigned minimum);
  ExprPtr parsePrefix(unsigned minimum);
  ExprPtr parseUnary(unsigned minimum = 0);
  ExprPtr parsePower();
  ExprPtr parseAtom();
  ExprPtr parseNumber();
  ExprPtr parseNameOrCall();
  ExprPtr parseIndex(ExprPtr base);
  ExprPtr parseBracketed();
  ExprPtr parseCondition(ExprPtr value);
  ExprPtr parseComparisonChain(ExprPtr first);
  void parseArguments(std::vector<Argument> &arguments);
  ExprPtr make(ExprKind kind, Span span);
  ExprPtr makeBinary(Operator op, Span opSpan, ExprPtr left, ExprPtr right);
  ExprPtr errorExpr();
  ExprPtr makeUnary(Operator op, const Token &token, ExprPtr operand);
  void adopt(Expr &parent, ExprPtr child);
  void limitHeight(Expr &expr);

  // ---- Habits from elsewhere (ParserHabits.cpp, ParserForeign.cpp) ----
  void reportReserved(const Token &token);
  Statement parseUnknownStatement();
  Statement parseTwoWords();
  Statement parseOddTarget();
  Statement parsePrime();
  bool reportForeignStatement();
  void reportNoTarget();
  void reportTrailing();
  void reportMissingSeparator();
  bool reportTrailingUnit();
  bool atUnit() const;
  std::optional<Span> timeIndex(size_t ahead) const;
  bool commentBegins() const;
  bool missingOperator() const;
  void reportMissingOperator();
  std::optional<Operator> foreignOperator();
  ExprPtr mendNot(const Token &sign, ExprPtr operand, bool arithmetic);
  ExprPtr parseTernary(ExprPtr condition);
  ExprPtr parseForeignName();
  ExprPtr reportNoExpression();
  bool reportBars();

  /// Counts the recursion of one production; not ok beyond Limits::nesting, which it reports.
  class Nesting {
  public:
    explicit Nesting(Parser &parser);
    ~Nesting() { --parser.depth; }
    bool ok() const { return parser.depth <= Limits::nesting; }

  private:
    Parser &parser;
  };

  const Source &source;
  Diagnostics &diagnostics;
  std::vector<Token> tokens;
  size_t at = 0;
  std::vector<Open> open;             ///< brackets around `at`
  std::optional<size_t> doubtfulLine; ///< a line end in `open` behind which `name =` may be a statement after all
  bool inRange = false;               ///< between the brackets of `in [low, high]`
  bool wordsEndExpression = false;    ///< attributes, `of` and `hold` follow the statement's expression
  bool panicking = false;
  bool guessed = false;     ///< something was mended that may have been meant otherwise: no more is said of it
  bool nameless = false;    ///< the statement should have named something, and the name is missing
  bool inCondition = false; ///< between `if` and `else`: a `=` there compares
  bool foreignIf = false;   ///< the model has a foreign `if`: its `else` is the same mistake
  bool oversized = false;   ///< the model has too many nodes, which was reported
  unsigned depth = 0;
  unsigned nodes = 0; ///< of the current model
  Diagnostic silent;  ///< where the fix of a silenced error goes
};

} // namespace flexsn::syntax
