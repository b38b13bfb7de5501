// What the parser makes of right texts: precedence, places, statements. Wrong ones are in tests/diagnostics.
#include "compiler/frontend/Frontend.h"

#include <gtest/gtest.h>

using namespace flexsn;
using syntax::ExprKind;
using syntax::StatementKind;

static constexpr std::string_view operatorNames[] = {"",   "+", "-",  "not", "+",  "-",  "*",  "/",   "//", "%",
                                                     "**", "<", "<=", ">",   ">=", "==", "!=", "and", "or"};

/// The tree with a bracket around every node.
static std::string shape(const syntax::Expr &expr) {
  const auto op = std::string(operatorNames[static_cast<size_t>(expr.op)]);
  switch (expr.kind) {
  case ExprKind::Error: return "?";
  case ExprKind::Number: return fmt::format("{}{}", expr.number, expr.whole ? "" : "f");
  case ExprKind::Boolean: return expr.number == 1 ? "true" : "false";
  case ExprKind::Name: return expr.name.text;
  case ExprKind::Unary: return "(" + op + " " + shape(*expr.operands[0]) + ")";
  case ExprKind::Binary: return "(" + shape(*expr.operands[0]) + " " + op + " " + shape(*expr.operands[1]) + ")";
  case ExprKind::Conditional:
    return "(" + shape(*expr.operands[0]) + " if " + shape(*expr.operands[1]) + " else " + shape(*expr.operands[2]) +
           ")";
  case ExprKind::Index: return fmt::format("{}[{}]", shape(*expr.operands[0]), expr.number);
  case ExprKind::Call: break;
  }
  std::string arguments;
  for (const syntax::Argument &argument : expr.arguments)
    arguments += (arguments.empty() ? "" : ", ") + (argument.keyword ? argument.keyword->text + "=" : "") +
                 shape(*argument.value);
  return expr.name.text + "(" + arguments + ")";
}

struct Parsed {
  Source source;
  Diagnostics diagnostics{source};
  syntax::File file;

  explicit Parsed(std::string text) : source("t.fsn", std::move(text)), file(parse(source, diagnostics)) {
    for (const Diagnostic &diagnostic : diagnostics.sorted())
      ADD_FAILURE() << render(diagnostic, source);
  }
  const syntax::Statement &statement(size_t i = 0) const { return file.models.at(0).statements.at(i); }
};

static std::string shapeOf(const std::string &expression) {
  return shape(*Parsed("neuron N:\n  v = " + expression + "\n").statement().value);
}

TEST(Parser, PrecedenceIsPythons) {
  EXPECT_EQ(shapeOf("-a**2"), "(- (a ** 2))");
  EXPECT_EQ(shapeOf("2**3**2"), "(2 ** (3 ** 2))");
  EXPECT_EQ(shapeOf("2**-1"), "(2 ** (- 1))");
  EXPECT_EQ(shapeOf("a - b - c"), "((a - b) - c)");
  EXPECT_EQ(shapeOf("a/b*c//d%f"), "((((a / b) * c) // d) % f)");
  EXPECT_EQ(shapeOf("a + b*c < d - f"), "((a + (b * c)) < (d - f))");
  EXPECT_EQ(shapeOf("not a < b and c or d"), "(((not (a < b)) and c) or d)");
  EXPECT_EQ(shapeOf("not not a"), "(not (not a))");
  EXPECT_EQ(shapeOf("a and not b"), "(a and (not b))");
  EXPECT_EQ(shapeOf("a if b else c if d else f"), "(a if b else (c if d else f))");
  EXPECT_EQ(shapeOf("a or b if c or d else f or g"), "((a or b) if (c or d) else (f or g))");
  EXPECT_EQ(shapeOf("a*-b"), "(a * (- b))");
  EXPECT_EQ(shapeOf("- -a"), "(- (- a))");
  EXPECT_EQ(shapeOf("(a + b)*c"), "((a + b) * c)");
}

TEST(Parser, Atoms) {
  EXPECT_EQ(shapeOf("f(a, k=2)[1]"), "f(a, k=2)[1]");
  EXPECT_EQ(shapeOf("uniform()"), "uniform()");
  EXPECT_EQ(shapeOf("w[0]*true"), "(w[0] * true)");
  EXPECT_EQ(shapeOf("1_000 + .5 + 5. + 1e3"), "(((1000 + 0.5f) + 5f) + 1000f)");
  EXPECT_EQ(shapeOf("max(a,\n\n   # a comment\n   b)"), "max(a, b)");
  EXPECT_EQ(shapeOf("atan(\n  alpha = 2)"), "atan(alpha=2)");
}

TEST(Parser, NumbersAreExact) {
  for (const auto &[text, value] :
       std::initializer_list<std::pair<const char *, double>>{{"0.1", 0.1},
                                                              {"4.9406564584124654e-324", 4.9406564584124654e-324},
                                                              {"1.7976931348623157e308", 1.7976931348623157e308},
                                                              {"1e-3", 1e-3},
                                                              {"9007199254740993", 9007199254740992.0},
                                                              {"2.5E+2", 250},
                                                              {"1_0.2_5", 10.25}}) {
    const Parsed parsed(std::string("neuron N:\n  v = ") + text);
    EXPECT_EQ(parsed.statement().value->number, value) << text;
  }
}

TEST(Parser, SpansCoverWhatWasWritten) {
  const Parsed parsed("neuron N:\n  v = (a + f(b))*2\n");
  const syntax::Statement &statement = parsed.statement();
  EXPECT_EQ(parsed.source.text(statement.span), "v = (a + f(b))*2");
  EXPECT_EQ(parsed.source.text(statement.value->span), "(a + f(b))*2");
  EXPECT_EQ(parsed.source.text(statement.value->opSpan), "*");
  EXPECT_EQ(parsed.source.text(statement.value->operands[0]->span), "(a + f(b))");
  EXPECT_TRUE(statement.value->operands[0]->bracketed);
  EXPECT_EQ(parsed.source.text(statement.value->operands[0]->operands[1]->span), "f(b)");
}

TEST(Parser, Declarations) {
  const Parsed parsed("neuron N:\n  param a[neuron, 4]: float = 1 learnable as sigmoid in (0, 2] clamp, b = 2 frozen\n"
                      "  state n: int\n");
  const syntax::Declared &a = parsed.statement().declared.at(0);
  EXPECT_EQ(a.item.name.text, "a");
  ASSERT_EQ(a.item.dims.size(), 2u);
  EXPECT_EQ(a.item.dims[0].text, "neuron");
  EXPECT_EQ(a.item.dims[1].number, 4u);
  EXPECT_EQ(a.item.type->text, "float");
  EXPECT_TRUE(a.attributes.learnable && !a.attributes.frozen);
  EXPECT_EQ(a.attributes.as->text, "sigmoid");
  EXPECT_TRUE(a.attributes.in->lowOpen && !a.attributes.in->highOpen && a.attributes.in->clamp);
  EXPECT_TRUE(parsed.statement().declared.at(1).attributes.frozen);
  EXPECT_EQ(parsed.statement(1).declared.at(0).value, nullptr);
}

TEST(Parser, Statements) {
  const Parsed parsed("def f(a, b) = a*b\nsurrogate g(y, k=2): value = y > 0, grad y = 1/k, primitive = y\n"
                      "neuron N: input x; charge: h = x; v *= 2\n  dv/dt = -v method expeuler(substeps=2)\n"
                      "  refractory 3 of s hold v, w\n  truncate 8\n  surrogate atan(2.0)\n  dt = 1e-3; method exact\n"
                      "  surrogate k(y): value = y\n");
  ASSERT_EQ(parsed.file.definitions.size(), 2u);
  EXPECT_EQ(parsed.file.definitions[0].kind, StatementKind::Define);
  EXPECT_EQ(parsed.file.definitions[0].parameters.size(), 2u);
  EXPECT_EQ(parsed.file.definitions[1].kind, StatementKind::DefineSurrogate);
  EXPECT_NE(parsed.file.definitions[1].parameters[1].defaultValue, nullptr);
  EXPECT_EQ(parsed.file.definitions[1].gradients.size(), 1u);
  EXPECT_NE(parsed.file.definitions[1].primitive, nullptr);
  const StatementKind kinds[] = {
      StatementKind::Input, StatementKind::Section,    StatementKind::Assign,         StatementKind::Assign,
      StatementKind::Ode,   StatementKind::Refractory, StatementKind::Truncate,       StatementKind::Surrogate,
      StatementKind::Dt,    StatementKind::Method,     StatementKind::DefineSurrogate};
  ASSERT_EQ(parsed.file.models.at(0).statements.size(), std::size(kinds));
  for (size_t i = 0; i < std::size(kinds); ++i)
    EXPECT_EQ(parsed.statement(i).kind, kinds[i]) << i;
  EXPECT_EQ(parsed.statement(3).augmented, syntax::Operator::Multiply);
  EXPECT_EQ(parsed.statement(4).name.text, "v");
  EXPECT_EQ(parsed.statement(4).call->arguments.at(0).keyword->text, "substeps");
  EXPECT_EQ(parsed.statement(5).hold.size(), 2u);
}

TEST(Parser, ADefinitionBelongsToTheFileOnlyWhereUnindented) {
  const Parsed parsed("neuron A:\n  def f(a) = a\n  v = 1\ndef g(a) = a\nneuron B:\n  v = 2\n");
  EXPECT_EQ(parsed.file.definitions.size(), 1u);
  ASSERT_EQ(parsed.file.models.size(), 2u);
  EXPECT_EQ(parsed.file.models[0].statements.size(), 2u);
}

TEST(Parser, ABrokenStatementKeepsItsNames) {
  const Source source("t.fsn", "neuron N:\n  state a = 0, = 1, b = 2\n");
  Diagnostics diagnostics(source);
  const syntax::File file = parse(source, diagnostics);
  EXPECT_EQ(diagnostics.sorted().size(), 1u);
  const syntax::Statement &mentioned = file.models.at(0).statements.at(0);
  EXPECT_EQ(mentioned.kind, StatementKind::Error);
  ASSERT_EQ(mentioned.hold.size(), 4u); // state, a, b, and the one that is missing
  EXPECT_EQ(mentioned.hold[2].text, "b");
  EXPECT_EQ(mentioned.hold[3].text, "");
}
