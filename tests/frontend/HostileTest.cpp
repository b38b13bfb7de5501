// Texts that were written to break a front end: each gets its few errors in linear time, never a crash.
#include "tests/diagnostics/Expectations.h"

#include <gtest/gtest.h>

#include <random>

using namespace flexsn;

static std::string repeated(std::string_view piece, size_t times) {
  std::string result;
  result.reserve(piece.size() * times);
  for (size_t i = 0; i < times; ++i)
    result += piece;
  return result;
}

/// A model whose `v` has the given value.
static std::string model(const std::string &value) {
  return "neuron N:\n  input x\n  state v = 0\n  v = " + value + "\n  output v\n";
}

/// The messages about a text; every rendering is made as well, for it must hold with anything.
static std::vector<std::string> messages(std::string text, std::string name = "hostile.fsn") {
  const auto source = std::make_shared<const Source>(std::move(name), std::move(text));
  std::vector<std::string> result;
  for (const Diagnostic &diagnostic : test::findings(source, {}, {})) {
    EXPECT_LT(render(diagnostic, *source, true).size(), 5000u);
    EXPECT_LT(diagnostic.message.size(), 1000u);
    result.push_back(diagnostic.message);
  }
  return result;
}

using Messages = std::vector<std::string>;
static constexpr size_t million = 1'000'000;
static const Messages tooDeep = {"the expression is nested too deeply; at most 200 levels"};
static const Messages tooHigh = {"the expression has too many operators in a chain; at most 1000"};

TEST(Hostile, NestingIsLimited) {
  EXPECT_EQ(messages(model(repeated("(", million) + "x" + repeated(")", million))), tooDeep);
  EXPECT_EQ(messages(model(repeated("(", million))), tooDeep);
  EXPECT_EQ(messages(model(repeated("exp(", million))), tooDeep);
  EXPECT_EQ(messages(model(repeated("-", million) + "x")), tooDeep);
  EXPECT_EQ(messages(model(repeated("not ", million) + "x")), tooDeep);
  EXPECT_EQ(messages(model(repeated("x**", million) + "x")), tooDeep);
  EXPECT_EQ(messages(model(repeated("x if x > 0 else ", million / 8) + "x")), tooDeep);
  EXPECT_EQ(messages(model(repeated("x ? x : ", million / 8) + "x")), tooDeep);
}

TEST(Hostile, TheLimitItselfIsFine) {
  EXPECT_EQ(messages(model(repeated("(", 190) + "x" + repeated(")", 190))), Messages{});
  EXPECT_EQ(messages(model("v" + repeated(" + x", 900))), Messages{});
}

TEST(Hostile, ChainsAreLimited) {
  EXPECT_EQ(messages(model("v" + repeated(" + x", million))), tooHigh);
  EXPECT_EQ(messages(model("v" + repeated(" and x > 0", million / 4))), tooHigh);
  EXPECT_EQ(messages(model("v" + repeated(" < x", million / 40))).size(), 1u);
}

TEST(Hostile, ModelsAreLimited) {
  const Messages found = messages(model("x" + repeated("\n  v = v + x", 200'000)));
  EXPECT_EQ(found, Messages{"the model is too large; at most 100000 operators, names and numbers"});
}

TEST(Hostile, FilesAreLimited) {
  const Messages tooLarge = {"the file is too large; at most 4194304 bytes are read"};
  EXPECT_EQ(messages(repeated("#", Limits::fileBytes + 1)), tooLarge);
  EXPECT_EQ(messages(repeated("#", Limits::fileBytes)), Messages{});
  EXPECT_EQ(messages(repeated(" ", Limits::fileBytes)), Messages{});
  EXPECT_EQ(messages(repeated("\n", Limits::fileBytes)), Messages{});
}

TEST(Hostile, OneLineOfFourMebibytes) {
  EXPECT_FALSE(messages(repeated("v=x;", million)).empty());
  EXPECT_FALSE(messages(model(repeated("x ", million))).empty());
  EXPECT_FALSE(messages(model(repeated("x,", million))).empty());
  EXPECT_FALSE(messages(model(repeated("x(", million))).empty());
  EXPECT_FALSE(messages(model("max(" + repeated("x,", million))).empty());
  EXPECT_FALSE(messages(model(repeated("a.", million))).empty());
  EXPECT_FALSE(messages(repeated("neuron ", million / 2)).empty());
  EXPECT_FALSE(messages(repeated("def f(", million / 2)).empty());
}

TEST(Hostile, ErrorsAreLimited) {
  const Messages found = messages("neuron N:\n  input x\n" + repeated("  v = = x\n", 100'000) + "  output x\n");
  ASSERT_EQ(found.size(), Limits::errors + 1u);
  EXPECT_EQ(found.back(), "too many errors; the rest is not shown");
}

TEST(Hostile, UnclosedBracketsOnEveryLine) {
  EXPECT_EQ(messages("neuron N:\n  input x\n" + repeated("  a = max(x,\n", 100'000) + "  output x\n").size(),
            Limits::errors + 1u);
}

TEST(Hostile, BytesThatAreNoText) {
  const std::string nul(1, '\0');
  EXPECT_EQ(messages(model("x" + repeated(nul, 1000))), Messages{"control byte \\x00 in the text"});
  EXPECT_EQ(messages(model("x\x01\x02")), Messages{"control byte \\x01 in the text"});
  const Messages invalid = {"this byte is not UTF-8; save the file as UTF-8 text"};
  EXPECT_EQ(messages(model("x # f\xFCr \xE9\xE9")), invalid);
  EXPECT_EQ(messages(model("x \xC0\xAF")), invalid);         // overlong
  EXPECT_EQ(messages(model("x \xED\xA0\x80")), invalid);     // a surrogate
  EXPECT_EQ(messages(model("x \xF4\x90\x80\x80")), invalid); // beyond U+10FFFF
  EXPECT_EQ(messages("neuron N:\n  input x\n  output x\n# \xE2\x82"), invalid);
}

TEST(Hostile, LineEnds) {
  EXPECT_EQ(messages("\xEF\xBB\xBFneuron N:\r\n  input x\r\n  output x\r\n"), Messages{});
  EXPECT_EQ(messages("neuron N:\n  input x\n  output x"), Messages{});
  EXPECT_EQ(messages("neuron N:\r  input x\r  output x\r"),
            Messages{"carriage return without a line feed; lines end in LF or CRLF"});
  EXPECT_EQ(messages(""), Messages{});
}

TEST(Hostile, LongWords) {
  const std::string name = repeated("a", million);
  EXPECT_EQ(messages(model(name)), Messages{"unknown name '" + repeated("a", 157) + "...'"});
  EXPECT_EQ(messages(model(repeated("9", million))).size(), 1u);
  EXPECT_EQ(messages(model("x + " + repeated("0", million) + ".5")), Messages{});
  EXPECT_EQ(messages(model("\"" + name)).size(), 1u);
  EXPECT_EQ(messages(model(repeated("τ", million))).size(), 2u); // the letters, and the unknown name
  EXPECT_FALSE(messages("@", repeated("\n\x1b", 300)).empty());
}

TEST(Hostile, Noise) {
  std::mt19937 random(1); // fixed: the same bytes every time
  for (int round = 0; round < 40; ++round) {
    std::string bytes(20'000, '\0');
    for (char &byte : bytes)
      byte = static_cast<char>(round % 2 ? random() : 0x20 + random() % 0x60);
    messages(std::move(bytes));
  }
}

TEST(Hostile, TokenSoup) {
  constexpr std::string_view pieces[] = {
      "neuron",     "def", "surrogate", "input",    "output", "state", "param", "const", "dt", "method",
      "refractory", "of",  "hold",      "truncate", "x",      "v",     "s",     "(",     ")",  "[",
      "]",          ",",   ":",         ";",        "\n",     "\n  ",  "=",     "==",    "+=", "<",
      "+",          "-",   "**",        "/",        "if",     "else",  "and",   "not",   "1",  "2.5",
      "spike",      "exp", "learnable", "as",       "in",     "clamp", "value", "grad",  "'",  "?",
      ".",          "&&",  "!",         "dv/dt",    "charge", "reset"};
  std::mt19937 random(2);
  for (int round = 0; round < 2'000; ++round) {
    std::string text = round % 2 ? "neuron N:\n  input x\n" : "";
    for (int i = 0; i < 60; ++i)
      text += std::string(pieces[random() % std::size(pieces)]) + " ";
    messages(std::move(text));
  }
}
