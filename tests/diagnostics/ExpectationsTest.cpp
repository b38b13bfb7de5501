// The runner itself: what is right passes, and each way to be wrong is seen.
#include "tests/diagnostics/Expectations.h"

#include <gtest/gtest.h>

using namespace flexsn;
using namespace flexsn::test;

/// The complaints about a text with one fabricated finding: error `message` at the word `here`, with an optional fix.
static std::vector<std::string> complaintsAbout(const std::string &text, std::string message,
                                                std::optional<std::string> fix = std::nullopt) {
  const Source source("t.fsn", text);
  const auto at = static_cast<uint32_t>(text.find("here"));
  Diagnostic found;
  found.span = {at, at + 4};
  found.message = std::move(message);
  if (fix)
    found.fix = Fix{found.span, *fix};
  return compare(readTestFile(source), source, {found});
}

TEST(Expectations, MetOnEachKindOfLine) {
  EXPECT_TRUE(complaintsAbout("here # expected-error {{bad}}\n", "bad").empty());
  EXPECT_TRUE(complaintsAbout("# expected-error@+1 {{bad}}\nhere\n", "bad").empty());
  EXPECT_TRUE(complaintsAbout("# expected-error@+3 {{bad}}\n\n\nhere\n", "bad").empty());
  EXPECT_TRUE(complaintsAbout("here\n# expected-error@-1 {{bad}}\n", "bad").empty());
}

TEST(Expectations, FixMustBeThereExactlyIfOneIs) {
  EXPECT_TRUE(complaintsAbout("here # expected-error {{bad}} {{good}}\n", "bad", "good").empty());
  EXPECT_TRUE(complaintsAbout("here # expected-error {{bad}} {{}}\n", "bad", "").empty());
  EXPECT_EQ(complaintsAbout("here # expected-error {{bad}}\n", "bad", "good").size(), 2u);
  EXPECT_EQ(complaintsAbout("here # expected-error {{bad}} {{good}}\n", "bad").size(), 2u);
  EXPECT_EQ(complaintsAbout("here # expected-error {{bad}} {{better}}\n", "bad", "good").size(), 2u);
}

TEST(Expectations, UnexpectedFindingIsShown) {
  EXPECT_EQ(complaintsAbout("here\n", "bad"), std::vector<std::string>{"unexpected: line 1: error {{bad}}"});
}

TEST(Expectations, UnmetExpectationIsShown) {
  const Source source("t.fsn", "# expected-warning {{odd}} {{even}}\n");
  EXPECT_EQ(compare(readTestFile(source), source, {}),
            std::vector<std::string>{"not found: line 1: warning {{odd}} {{even}}"});
}

TEST(Expectations, WholeMessageSeverityLineAndNumberCount) {
  EXPECT_EQ(complaintsAbout("here # expected-error {{ba}}\n", "bad").size(), 2u);
  EXPECT_EQ(complaintsAbout("here # expected-error {{bad thing}}\n", "bad").size(), 2u);
  EXPECT_EQ(complaintsAbout("here # expected-warning {{bad}}\n", "bad").size(), 2u);
  EXPECT_EQ(complaintsAbout("# expected-error {{bad}}\nhere\n", "bad").size(), 2u);
  EXPECT_EQ(complaintsAbout("here # expected-error {{bad}} expected-error {{bad}}\n", "bad").size(), 1u);
}

TEST(Expectations, SeveralInOneComment) {
  const Source source("t.fsn", "x # expected-error {{a}} {{b}} expected-warning@+1 {{c}}\ny\n");
  const TestFile file = readTestFile(source);
  ASSERT_EQ(file.expectations.size(), 2u);
  EXPECT_EQ(file.expectations[0].fix, "b");
  EXPECT_EQ(file.expectations[1].line, 2u);
  EXPECT_EQ(file.expectations[1].severity, Severity::Warning);
  EXPECT_FALSE(file.expectations[1].fix);
}

TEST(Expectations, MalformedOnesAreNoSilentSuccess) {
  for (const char *text : {"# expected-eror {{a}}\n", "# expected-error a\n", "# expected-error {{a}\n",
                           "# expected-error@1 {{a}}\n", "# expected-error@-1 {{a}}\n", "# options: -Wfoo\n",
                           "# options: --const=D\n", "# options: --dims=tau=time\n"}) {
    const Source source("t.fsn", text);
    EXPECT_EQ(compare(readTestFile(source), source, {}).size(), 1u) << text;
  }
}

TEST(Expectations, OptionsReachTheRequest) {
  const Source source("t.fsn", "# options: -Wno-a -Werror=b --const=D=8 --surrogate=atan(alpha=3) "
                               "--dims=tau=step,channel --detach-reset\n");
  const TestFile file = readTestFile(source);
  EXPECT_TRUE(file.malformed.empty());
  EXPECT_TRUE(file.lints.disabled.contains("a"));
  EXPECT_TRUE(file.lints.errors.contains("b"));
  EXPECT_FALSE(file.lints.allErrors);
  EXPECT_EQ(file.check.constants.at("D"), 8);
  EXPECT_EQ(file.check.surrogate, "atan(alpha=3)");
  EXPECT_EQ(file.check.dims.at("tau"), (std::vector<Dim>{Dim::Step, Dim::Channel}));
  EXPECT_TRUE(file.check.detachReset);
}

TEST(Expectations, EachKindHasItsName) {
  EXPECT_EQ(diagnosticNames()[static_cast<size_t>(DiagnosticId::LaterPass)], "LaterPass");
  EXPECT_EQ(diagnosticNames()[static_cast<size_t>(DiagnosticId::Unclosed)], "Unclosed");
}
