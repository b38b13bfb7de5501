// Expressions: precedence climbing over one table of binding powers.
#include "compiler/frontend/Parser.h"

#include <algorithm>
#include <utility>

namespace flexsn::syntax {

namespace {
enum Power : unsigned { OrPower = 1, AndPower, NotPower, ComparePower, SumPower, TermPower, UnaryPower };

struct Infix {
  TokenKind token;
  std::string_view word; ///< for Name tokens
  Operator op;
  unsigned power;
};

/// All binary operators but `**`, which binds closer than the unary ones on its left.
constexpr Infix infixes[] = {
    {TokenKind::Name, "or", Operator::Or, OrPower},
    {TokenKind::Name, "and", Operator::And, AndPower},
    {TokenKind::Less, {}, Operator::Less, ComparePower},
    {TokenKind::LessEqual, {}, Operator::LessEqual, ComparePower},
    {TokenKind::Greater, {}, Operator::Greater, ComparePower},
    {TokenKind::GreaterEqual, {}, Operator::GreaterEqual, ComparePower},
    {TokenKind::EqualEqual, {}, Operator::Equal, ComparePower},
    {TokenKind::NotEqual, {}, Operator::NotEqual, ComparePower},
    {TokenKind::Plus, {}, Operator::Add, SumPower},
    {TokenKind::Minus, {}, Operator::Subtract, SumPower},
    {TokenKind::Star, {}, Operator::Multiply, TermPower},
    {TokenKind::Slash, {}, Operator::Divide, TermPower},
    {TokenKind::SlashSlash, {}, Operator::FloorDivide, TermPower},
    {TokenKind::Percent, {}, Operator::Remainder, TermPower},
};

const Infix *infixOf(TokenKind kind, std::string_view text) {
  const auto *found = std::find_if(std::begin(infixes), std::end(infixes), [&](const Infix &i) {
    return i.token == kind && (i.word.empty() || i.word == text);
  });
  return found == std::end(infixes) ? nullptr : found;
}

unsigned powerOf(Operator op) {
  const auto *found = std::find_if(std::begin(infixes), std::end(infixes), [&](const Infix &i) { return i.op == op; });
  return found == std::end(infixes) ? UnaryPower : found->power;
}
} // namespace

Parser::Nesting::Nesting(Parser &parser) : parser(parser) {
  if (++parser.depth != Limits::nesting + 1)
    return;
  if (parser.doubtfulLine) // so deep, the lines inside are statements behind an unclosed bracket
    parser.reportUnclosed(parser.open.front());
  else
    parser.fail(diag::TooDeep, parser.peek().span, Limits::nesting);
}

// ---- Nodes ----

ExprPtr Parser::make(ExprKind kind, Span span) {
  auto expr = std::make_unique<Expr>();
  expr->kind = kind;
  expr->span = span;
  if (++nodes > Limits::expressions) {
    if (!oversized)
      error(diag::TooManyExpressions, span, Limits::expressions);
    oversized = true;
    expr->kind = ExprKind::Error;
  }
  return expr;
}

ExprPtr Parser::errorExpr() { return make(ExprKind::Error, peek().span); }

void Parser::adopt(Expr &parent, ExprPtr child) {
  parent.height = std::max(parent.height, child->height + 1);
  parent.operands.push_back(std::move(child));
  limitHeight(parent);
}

void Parser::limitHeight(Expr &expr) {
  if (expr.height <= Limits::height)
    return;
  fail(diag::TooHigh, expr.opSpan.end != 0 ? expr.opSpan : expr.span, Limits::height);
  expr.kind = ExprKind::Error;
  expr.height = 1;
  expr.operands.clear();
  expr.arguments.clear();
}

ExprPtr Parser::makeBinary(Operator op, Span opSpan, ExprPtr left, ExprPtr right) {
  ExprPtr expr = make(ExprKind::Binary, cover(left->span, right->span));
  expr->op = op;
  expr->opSpan = opSpan;
  adopt(*expr, std::move(left));
  adopt(*expr, std::move(right));
  return expr;
}

ExprPtr Parser::makeUnary(Operator op, const Token &token, ExprPtr operand) {
  ExprPtr expr = make(ExprKind::Unary, cover(token.span, operand->span));
  expr->op = op;
  expr->opSpan = token.span;
  adopt(*expr, std::move(operand));
  return expr;
}

// ---- expr = or_e ["if" or_e "else" expr] ----

ExprPtr Parser::parseExpr() {
  const Nesting nesting(*this);
  if (!nesting.ok())
    return errorExpr();
  ExprPtr value = parseBinary(OrPower);
  if (panicking)
    return value;
  if (is(TokenKind::Question))
    return parseTernary(std::move(value));
  return isWord("if") ? parseCondition(std::move(value)) : std::move(value);
}

ExprPtr Parser::parseCondition(ExprPtr value) {
  const Span keyword = peek().span;
  advance();
  const bool outer = std::exchange(inCondition, true);
  ExprPtr condition = parseBinary(OrPower);
  inCondition = outer;
  if (panicking)
    return errorExpr();
  if (isWord("elif")) {
    fail(diag::ElifInExpression, peek().span);
  } else if (!isWord("else")) {
    fail(diag::IfWithoutElse, keyword);
  }
  if (panicking)
    return errorExpr();
  advance();
  ExprPtr otherwise = parseExpr();
  ExprPtr expr = make(ExprKind::Conditional, cover(value->span, otherwise->span));
  expr->opSpan = keyword;
  adopt(*expr, std::move(value));
  adopt(*expr, std::move(condition));
  adopt(*expr, std::move(otherwise));
  return expr;
}

// ---- or_e, and_e, not_e, cmp, sum, term ----

ExprPtr Parser::parseBinary(unsigned minimum) {
  ExprPtr left = parsePrefix(minimum);
  while (!panicking) {
    Span opSpan = peek().span;
    Operator op;
    if (const Infix *infix = infixOf(peek().kind, text(peek()))) {
      op = infix->op;
    } else if (missingOperator()) {
      if (minimum > TermPower)
        break;
      reportMissingOperator();
      left = makeBinary(Operator::Multiply, {opSpan.begin, opSpan.begin}, std::move(left), parsePrefix(TermPower + 1));
      continue;
    } else if (const std::optional<Operator> foreign = foreignOperator()) {
      op = *foreign;
    } else {
      break;
    }
    const unsigned power = powerOf(op);
    if (power < minimum)
      break;
    if (op == Operator::FloorDivide && commentBegins()) {
      fail(diag::CommentSign, opSpan, source.text(opSpan)).fix = Fix{opSpan, "#"};
      break;
    }
    if (power == ComparePower) {
      left = parseComparisonChain(std::move(left));
      continue;
    }
    advance();
    left = makeBinary(op, opSpan, std::move(left), parseBinary(power + 1));
  }
  return left;
}

/// cmp = sum [op sum]. A chain is read whole, to be shown as it should have been written; its value is its first part.
ExprPtr Parser::parseComparisonChain(ExprPtr first) {
  const auto comparison = [&]() -> std::optional<Operator> {
    const Infix *infix = infixOf(peek().kind, text(peek()));
    if (infix && infix->power == ComparePower)
      return infix->op;
    return infix ? std::nullopt : foreignOperator();
  };
  const Span begin = first->span;
  std::string written;
  ExprPtr result;
  Span leftSpan = first->span, end = first->span;
  unsigned links = 0;
  for (std::optional<Operator> op = comparison(); op && powerOf(*op) == ComparePower && !panicking; op = comparison()) {
    const Span opSpan = peek().span;
    advance();
    ExprPtr right = parseBinary(ComparePower + 1);
    end = right->span;
    if (written.size() < 200)
      written += fmt::format("{}{} {} {}", links ? " and " : "", source.text(leftSpan), source.text(opSpan),
                             source.text(right->span));
    leftSpan = right->span;
    if (links++ == 0)
      result = makeBinary(*op, opSpan, std::move(first), std::move(right));
  }
  if (links > 1 && !panicking) {
    const Span chain = cover(begin, end);
    Diagnostic &reported = error(diag::ChainedComparison, chain, written);
    if (written.size() < 200)
      reported.fix = Fix{chain, written};
    return errorExpr();
  }
  return result;
}

/// not_e = "not" not_e | cmp
ExprPtr Parser::parsePrefix(unsigned minimum) {
  if (!isWord("not"))
    return parseUnary(minimum);
  const Nesting nesting(*this);
  if (!nesting.ok())
    return errorExpr();
  const Token token = peek();
  if (minimum > NotPower)
    error(diag::NotNeedsBrackets, token.span);
  advance();
  return makeUnary(Operator::Not, token, isWord("not") ? parsePrefix(NotPower) : parseBinary(NotPower + 1));
}

// ---- unary = ("-"|"+") unary | power;  power = atom ["**" unary] ----

ExprPtr Parser::parseUnary(unsigned minimum) {
  const bool foreignNot = is(TokenKind::Bang) || is(TokenKind::Tilde);
  if (!is(TokenKind::Minus) && !is(TokenKind::Plus) && !foreignNot)
    return parsePower();
  const Nesting nesting(*this);
  if (!nesting.ok())
    return errorExpr();
  const Token sign = peek();
  advance();
  if (foreignNot)
    return mendNot(sign, parseUnary(minimum), minimum > ComparePower);
  return makeUnary(sign.kind == TokenKind::Minus ? Operator::Minus : Operator::Plus, sign, parseUnary(UnaryPower));
}

ExprPtr Parser::parsePower() {
  ExprPtr base = parseAtom();
  if (panicking || (!is(TokenKind::StarStar) && !is(TokenKind::Caret)))
    return base;
  const Nesting nesting(*this);
  if (!nesting.ok())
    return base;
  const Token token = peek();
  if (token.kind == TokenKind::Caret)
    error(diag::CaretForPower, token.span).fix = Fix{token.span, "**"};
  advance();
  ExprPtr exponent = parseUnary(UnaryPower);
  return makeBinary(Operator::Power, token.span, std::move(base), std::move(exponent));
}

// ---- atom ----

ExprPtr Parser::parseAtom() {
  switch (peek().kind) {
  case TokenKind::Number: return parseNumber();
  case TokenKind::Name: return parseNameOrCall();
  case TokenKind::LeftParen: return parseBracketed();
  default: return reportNoExpression();
  }
}

ExprPtr Parser::parseNumber() {
  const Token token = peek();
  advance();
  ExprPtr expr = make(token.bad ? ExprKind::Error : ExprKind::Number, token.span);
  expr->number = token.number;
  expr->whole = token.whole;
  return expr;
}

ExprPtr Parser::parseNameOrCall() {
  const Token token = peek();
  const std::string_view word = text(token);
  if (word == "true" || word == "false") {
    advance();
    ExprPtr expr = make(ExprKind::Boolean, token.span);
    expr->number = word == "true";
    return expr;
  }
  const std::optional<WordKind> reserved = reservedWord(word);
  if (reserved == WordKind::Operator || reserved == WordKind::Declaration)
    return reportNoExpression();
  if (ExprPtr foreign = parseForeignName())
    return foreign;
  advance();
  const bool call = is(TokenKind::LeftParen) && !isWord("unless", 1);
  ExprPtr expr = make(call ? ExprKind::Call : ExprKind::Name, token.span);
  expr->name = {spelledName(word), token.span};
  if (call) {
    openBracket(true);
    parseArguments(expr->arguments);
    for (const Argument &argument : expr->arguments)
      expr->height = std::max(expr->height, argument.value->height + 1);
    limitHeight(*expr);
    if (closeBracket(TokenKind::RightParen))
      expr->span.end = previousSpan().end;
    if (panicking)
      expr->kind = ExprKind::Error;
  }
  return !panicking && is(TokenKind::LeftBracket) ? parseIndex(std::move(expr)) : std::move(expr);
}

/// args = arg {"," arg};  arg = [NAME "="] expr
void Parser::parseArguments(std::vector<Argument> &arguments) {
  if (is(TokenKind::RightParen))
    return;
  do {
    if (!arguments.empty() && is(TokenKind::RightParen)) {
      error(diag::TrailingComma, previousSpan()).fix = Fix{previousSpan(), ""};
      guessed = true; // an argument may be missing
      return;
    }
    Argument argument;
    if (is(TokenKind::Name) && is(TokenKind::Assign, 1)) {
      argument.keyword = Name{spelledName(text(peek())), peek().span};
      advance();
      advance();
    }
    argument.value = parseExpr();
    arguments.push_back(std::move(argument));
  } while (!panicking && consume(TokenKind::Comma));
}

/// NAME "[" INT "]"
ExprPtr Parser::parseIndex(ExprPtr base) {
  const std::optional<Span> time = timeIndex(0);
  openBracket(false);
  const Token token = peek();
  if (!is(TokenKind::Number) || !token.whole) {
    if (base->kind == ExprKind::Name && time)
      fail(diag::TimeIndex, *time, base->name.text);
    else
      fail(diag::IndexNotWhole, token.span);
    return errorExpr();
  }
  advance();
  closeBracket(TokenKind::RightBracket);
  if (panicking)
    return errorExpr();
  ExprPtr expr = make(token.bad ? ExprKind::Error : ExprKind::Index, cover(base->span, previousSpan()));
  expr->number = token.number;
  adopt(*expr, std::move(base));
  return expr;
}

ExprPtr Parser::parseBracketed() {
  const Token opener = peek();
  openBracket(false);
  ExprPtr expr = parseExpr();
  if (!panicking)
    closeBracket(TokenKind::RightParen);
  if (panicking)
    return errorExpr();
  expr->span = {opener.span.begin, previousSpan().end};
  expr->bracketed = true;
  return is(TokenKind::LeftBracket) ? parseIndex(std::move(expr)) : std::move(expr);
}

} // namespace flexsn::syntax
