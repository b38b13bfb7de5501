// Positions, the list of findings, and the rendering of single ones.
#include "compiler/frontend/Diagnostics.h"
#include "compiler/frontend/Lints.h"

#include <gtest/gtest.h>

using namespace flexsn;

TEST(Source, PositionsCountBytesFromOne) {
  const Source source("a.fsn", "ab\ncd\r\n\nτx");
  EXPECT_EQ(source.position(0).line, 1u);
  EXPECT_EQ(source.position(2).column, 3u);
  EXPECT_EQ(source.position(3).line, 2u);
  EXPECT_EQ(source.position(7).line, 3u);
  EXPECT_EQ(source.position(10).line, 4u);
  EXPECT_EQ(source.position(10).column, 3u); // behind the two bytes of τ
  EXPECT_EQ(source.line(1), "ab");
  EXPECT_EQ(source.line(2), "cd");
  EXPECT_EQ(source.line(3), "");
  EXPECT_EQ(source.line(4), "τx");
  EXPECT_EQ(source.line(0), "");
  EXPECT_EQ(source.line(5), "");
}

TEST(Source, ByteOrderMarkHasNoColumn) {
  const Source source("a.fsn", "\xEF\xBB\xBFneuron");
  EXPECT_EQ(source.text(), "neuron");
  EXPECT_EQ(source.position(0).column, 1u);
}

TEST(Diagnostics, SortedByPositionOverAllPhases) {
  const Source source("a.fsn", "abc\ndef\n");
  Diagnostics diagnostics(source);
  diagnostics.report(Severity::Error, {5, 6}, "third");
  diagnostics.report(Severity::Error, {1, 2}, "first");
  diagnostics.report(Severity::Warning, {1, 3}, "second");
  const std::vector<Diagnostic> sorted = diagnostics.sorted();
  ASSERT_EQ(sorted.size(), 3u);
  EXPECT_EQ(sorted[0].message, "first");
  EXPECT_EQ(sorted[1].message, "second");
  EXPECT_EQ(sorted[2].message, "third");
}

TEST(Diagnostics, OneFindingOfAKindAtAPlace) {
  const Source source("a.fsn", "abc\n");
  Diagnostics diagnostics(source);
  diagnostics.report(diag::Lambda, {0, 1});
  diagnostics.report(diag::Lambda, {0, 1}).fix = Fix{{0, 1}, "x"};
  diagnostics.report(diag::Lambda, {1, 2});
  ASSERT_EQ(diagnostics.sorted().size(), 2u);
  EXPECT_FALSE(diagnostics.sorted()[0].fix); // the dropped one's fix went nowhere
}

/// How a lint on line 1 of `text` comes out: nothing, or its severity.
static std::optional<Severity> lintOn(const std::string &text, LintOptions options) {
  const Source source("a.fsn", text);
  Diagnostics diagnostics(source, std::move(options));
  diagnostics.report(diag::LintUnusedInput, {0, 1}, std::string_view("x"));
  EXPECT_EQ(diagnostics.hasErrors(),
            !diagnostics.sorted().empty() && diagnostics.sorted()[0].severity == Severity::Error);
  return diagnostics.sorted().empty() ? std::nullopt : std::optional(diagnostics.sorted()[0].severity);
}

TEST(Diagnostics, LintsCanBeOffFatalOrAllowed) {
  EXPECT_EQ(lintOn("x\n", {}), Severity::Warning);
  EXPECT_EQ(lintOn("x\n", {{"unused-input"}, {}, false}), std::nullopt);
  EXPECT_EQ(lintOn("x\n", {{}, {"unused-input"}, false}), Severity::Error);
  EXPECT_EQ(lintOn("x\n", {{}, {}, true}), Severity::Error);
  EXPECT_EQ(lintOn("x\n", {{}, {"unused-param"}, false}), Severity::Warning);
  EXPECT_EQ(lintOn("x # flexsn: allow unused-input\n", {{}, {}, true}), std::nullopt);
  EXPECT_EQ(lintOn("x # flexsn: allow unused-param, unused-input\n", {}), std::nullopt);
  EXPECT_EQ(lintOn("x # flexsn: allow unused-param\n", {}), Severity::Warning);
  EXPECT_EQ(lintOn("x\n# flexsn: allow unused-input\n", {}), Severity::Warning);
  EXPECT_EQ(lintOn("x # allow unused-input\n", {}), Severity::Warning);
}

TEST(Diagnostics, LintNamesAreTheNamedLints) {
  const std::vector<std::string_view> names = lintNames();
  for (const char *name : {"tau-below-dt", "unwritten-state", "lost-gradient", "unused-input", "unused-param",
                           "split-ode", "unused-method", "unknown-lint"})
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
}

TEST(Diagnostics, EveryLintHasASummary) {
  std::vector<std::string_view> names;
  for (const LintInfo &lint : lintInfos()) {
    names.push_back(lint.name);
    EXPECT_FALSE(lint.summary.empty()) << lint.name;
  }
  EXPECT_EQ(names, lintNames());
}

TEST(Diagnostics, NearestIsASlipOfTheFingers) {
  const std::vector<std::string> words = {"spike", "sigmoid", "state", "tau", "v"};
  EXPECT_EQ(nearest("spke", words), "spike");
  EXPECT_EQ(nearest("sipke", words), "spike");
  EXPECT_EQ(nearest("Tau", words), "tau");
  EXPECT_EQ(nearest("V", words), "v");
  EXPECT_EQ(nearest("sigmiod", words), "sigmoid");
  EXPECT_EQ(nearest("x", words), std::nullopt);
  EXPECT_EQ(nearest("threshold", words), std::nullopt);
  EXPECT_EQ(nearest("spike", {"spike"}), std::nullopt); // the word itself is no correction
  EXPECT_EQ(nearest(std::string(100'000, 's'), words), std::nullopt);
}

TEST(Render, ControlBytesAndInvalidBytesAreEscaped) {
  EXPECT_EQ(printable("a\x1b[31m\x7f\xFF"), "a\\x1B[31m\\x7F\\xFF");
  EXPECT_EQ(printable("τ\t≥"), "τ\t≥");
  EXPECT_EQ(printable("\xE2\x82"), "\\xE2\\x82");
}

TEST(Render, CharactersThatATerminalObeysOrHidesAreEscaped) {
  EXPECT_EQ(printable("a\u202Eb\u2066c\u200B\uFEFF"), "a\\u{202E}b\\u{2066}c\\u{200B}\\u{FEFF}");
  EXPECT_EQ(printable("\xC2\x80 \xC2\x9B \xC2\xA0"), "\\u{0080} \\u{009B} \xC2\xA0");
  EXPECT_EQ(printable("\u2028\U000E0041"), "\\u{2028}\\u{E0041}");
  EXPECT_EQ(printable("é 漢 ∞ \u2027\u202F"), "é 漢 ∞ \u2027\u202F");
}

TEST(Render, ExcerptKeepsWholeCharacters) {
  EXPECT_EQ(excerpt("short"), "short");
  std::string greek;
  for (int i = 0; i < 100; ++i)
    greek += "τ";
  EXPECT_EQ(excerpt(greek).size(), 156u + 3u);
  EXPECT_EQ(printable(excerpt(greek)), excerpt(greek));
}

/// The rendering of one error over `span`.
static std::string rendered(const std::string &text, Span span, bool color = false) {
  const Source source("a.fsn", text);
  Diagnostics diagnostics(source);
  diagnostics.report(Severity::Error, span, "message");
  return render(diagnostics.sorted()[0], source, color);
}

TEST(Render, MarksStandUnderTheSpan) {
  EXPECT_EQ(rendered("  v = spke(x)\n", {6, 10}), "a.fsn:1:7: error: message\n"
                                                  "    1 |   v = spke(x)\n"
                                                  "      |       ^~~~\n");
  EXPECT_EQ(rendered("τ = x\n", {5, 6}), "a.fsn:1:6: error: message\n"
                                         "    1 | τ = x\n"
                                         "      |     ^\n");
  EXPECT_EQ(rendered("\tv = x\n", {5, 6}), "a.fsn:1:6: error: message\n"
                                           "    1 | \tv = x\n"
                                           "      | \t    ^\n");
  EXPECT_EQ(rendered("v = x", {5, 5}), "a.fsn:1:6: error: message\n"
                                       "    1 | v = x\n"
                                       "      |      ^\n");
}

TEST(Render, LongLinesAreCutAroundTheSpan) {
  const std::string text = std::string(1000, 'a') + " spke " + std::string(1000, 'b') + "\n";
  const std::string shown = rendered(text, {1001, 1005});
  EXPECT_LT(shown.size(), 600u);
  EXPECT_NE(shown.find("..." + std::string(65, 'a') + " spke bbb"), std::string::npos) << shown;
  EXPECT_NE(shown.find("b...\n"), std::string::npos);
  EXPECT_NE(shown.find("^~~~\n"), std::string::npos);
}

TEST(Render, ColorsWrapAndChangeNoWord) {
  std::string colored = rendered("  v = spke(x)\n", {6, 10}, true);
  EXPECT_NE(colored.find("\033[1;31m"), std::string::npos);
  for (size_t at = colored.find('\033'); at != colored.npos; at = colored.find('\033'))
    colored.erase(at, colored.find('m', at) - at + 1);
  EXPECT_EQ(colored, rendered("  v = spke(x)\n", {6, 10}));
}
