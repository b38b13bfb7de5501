// docs/language.md is true: its examples check, and it has every function, surrogate, operator and lint.
#include "tests/frontend/check/Checked.h"

#include <fstream>
#include <iterator>

using namespace flexsn;
using namespace flexsn::test;

static const std::string &page() {
  static const std::string text = [] {
    std::ifstream stream(FLEXSN_SOURCE_DIR "/docs/language.md", std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }();
  return text;
}

/// The page has the word, and not only as a part of another one.
static bool mentions(std::string_view word) {
  const auto isLetter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t at = page().find(word); at != std::string::npos; at = page().find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !isLetter(page()[at - 1])) && (end == page().size() || !isLetter(page()[end])))
      return true;
  }
  return false;
}

TEST(LanguagePage, ExamplesCheckWithoutAFinding) {
  const std::string fence = "```fsn\n";
  size_t examples = 0;
  for (size_t at = page().find(fence); at != std::string::npos; at = page().find(fence, at + 1)) {
    const size_t begin = at + fence.size();
    const std::string text = page().substr(begin, page().find("```", begin) - begin);
    EXPECT_FALSE(checkAll(text).empty()) << text;
    ++examples;
  }
  EXPECT_GE(examples, 8u);
}

TEST(LanguagePage, HasEverythingThatHasAName) {
  for (const FunctionInfo &function : functions())
    EXPECT_TRUE(mentions(function.name)) << function.name;
  for (const CallFormInfo &form : callForms())
    EXPECT_TRUE(mentions(form.name)) << form.name;
  for (std::string_view lint : lintNames())
    EXPECT_TRUE(mentions(fmt::format("`{}`", lint)) || mentions(lint)) << lint;
}

TEST(LanguagePage, HasEverySurrogateWithItsDefaults) {
  for (const SurrogateInfo &surrogate : surrogates()) {
    std::string arguments;
    for (const SurrogateParameter &parameter : surrogate.parameters) {
      std::string number = fmt::format("{}", parameter.defaultValue);
      if (!parameter.count && number.find('.') == std::string::npos)
        number += ".0";
      arguments += fmt::format("{}{}={}", arguments.empty() ? "" : ", ", parameter.name, number);
    }
    std::string written = fmt::format("| `{}({})` |", surrogate.name, arguments);
    EXPECT_NE(page().find(written), std::string::npos) << written;
  }
}
