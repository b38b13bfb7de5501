// Text, files and the command line's taking apart.
#include "tools/flexsnc/Failure.h"
#include "tools/flexsnc/File.h"
#include "tools/flexsnc/Options.h"
#include "tools/flexsnc/Text.h"
#include "tools/flexsnc/Value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>

#include <sys/stat.h>
#include <unistd.h>

using namespace flexsn::cli;
namespace fs = std::filesystem;

namespace {

// ---- Text ----

TEST(Text, NearestNames) {
  const std::vector<std::string> names = {"input", "--input", "--save", "--save-final", "LIF", "IF", "sigmoid", "v"};
  EXPECT_EQ(nearestName("--inptu", names), "--input");
  EXPECT_EQ(nearestName("--svae", names), "--save");
  EXPECT_EQ(nearestName("LFI", names), "LIF");
  EXPECT_EQ(nearestName("@LFI", {"@LI", "@LIF", "@IF"}), "@LIF"); // a swap is nearer than a letter too many
  EXPECT_EQ(nearestName("sigmod", names), "sigmoid");
  EXPECT_EQ(nearestName("--zzzz", names), std::nullopt);
  EXPECT_EQ(nearestName("", names), std::nullopt);
  EXPECT_EQ(nearestName("u", names), std::nullopt); // one letter is like every other
  EXPECT_EQ(nearestName(std::string(100000, 'a'), names), std::nullopt);
}

TEST(Text, Wrapping) {
  EXPECT_EQ(wrapped("one two three", 0, 2, 8), "one two\n  three");
  EXPECT_EQ(wrapped("one two", 6, 6, 10), "one\n      two");
  EXPECT_EQ(wrapped("unbreakable", 0, 0, 4), "unbreakable");
  EXPECT_EQ(wrapped("", 0, 0, 4), "");
}

TEST(Text, Counts) {
  EXPECT_EQ(counted(0, "spike"), "0 spikes");
  EXPECT_EQ(counted(1, "spike"), "1 spike");
  EXPECT_EQ(counted(1234567, "spike"), "1,234,567 spikes");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(durationText(12e-6), "12 us");
  EXPECT_EQ(durationText(0.0123), "12.3 ms");
  EXPECT_EQ(durationText(4.561), "4.56 s");
  EXPECT_EQ(bytesText(0), "0 B");
  EXPECT_EQ(bytesText(999), "999 B");
  EXPECT_EQ(bytesText(1000), "1.0 KiB");
  EXPECT_EQ(bytesText(12595), "12.3 KiB");
  EXPECT_EQ(bytesText(uint64_t{1} << 30), "1.0 GiB");
  EXPECT_EQ(bytesText(UINT64_MAX), "16777216.0 TiB");
  EXPECT_EQ(enumerate({"a"}), "a");
  EXPECT_EQ(enumerate({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(enumerate({"a", "b"}, "or"), "a or b");
  EXPECT_EQ(enumerate({}), "");
}

TEST(Values, AreNumbersOrTruth) {
  auto number = [](std::string_view text) { return parseValue(text, "--set v").value().number; };
  EXPECT_EQ(number(" -1.5e-3\t"), -1.5e-3);
  EXPECT_EQ(number("+.5"), 0.5);
  EXPECT_EQ(number("inf"), INFINITY);
  EXPECT_EQ(number("-inf"), -INFINITY);
  EXPECT_TRUE(std::isnan(number("nan")) && std::isnan(number("-nan")));
  EXPECT_TRUE(std::signbit(number("-0")));
  EXPECT_FALSE(parseValue("1", "").value().truth);
  EXPECT_TRUE(parseValue("true ", "").value().truth);
  EXPECT_EQ(number("true"), 1);
  EXPECT_EQ(number("false"), 0);
  for (const char *text : {"", " ", "-", "+-1", "--1", "1 2", "0x1", "1_0", "infinity", "nan(1)", "INF", "True",
                           "v.npy", "1e", "e1", "-true"})
    EXPECT_FALSE(parseValue(text, "--set v")) << text;
  for (const char *text : {"1e400", "-1e400", "1e-400"})
    EXPECT_THROW(parseValue(text, "--set v"), Failure) << text;
}

TEST(Text, NothingDrivesTheTerminal) {
  EXPECT_EQ(printable("a\x1b[2J\n\x7f"), "a\\x1b[2J\\x0a\\x7f");
  EXPECT_EQ(printable("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"), "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(printable("\xff\xc0\x80\xe2\x82"), "\\xff\\xc0\\x80\\xe2\\x82");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");          // CSI as a C1 control character
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80"); // a surrogate half
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Text, Numbers) {
  EXPECT_EQ(parseNumber("1.5e3"), 1500);
  EXPECT_EQ(parseNumber("+2"), 2);
  EXPECT_EQ(parseNumber("-0.5"), -0.5);
  for (const char *bad : {"", "x", "1x", "inf", "nan", "1e999", "0x10", " 1", "1 ", "+-1", "--1"})
    EXPECT_EQ(parseNumber(bad), std::nullopt) << bad;
  EXPECT_EQ(parseInteger("-7"), -7);
  for (const char *bad : {"", "1.0", "9223372036854775808", "1 "})
    EXPECT_EQ(parseInteger(bad), std::nullopt) << bad;
  EXPECT_EQ(splitList(" a, b ,,c"), (std::vector<std::string>{"a", "b", "", "c"}));
  EXPECT_TRUE(splitList("  ").empty());
}

// ---- Files ----

class Files : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "flexsnc-test.XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string contents(const fs::path &path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  size_t count() {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  std::string complaint(const std::function<void()> &action) {
    try {
      action();
    } catch (const Failure &failure) {
      EXPECT_EQ(failure.status, ExitStatus::Wrong);
      return failure.what();
    }
    return "";
  }

  fs::path folder;
};

TEST_F(Files, AppearOnlyWhenCommitted) {
  fs::path path = folder / "a.npy";
  {
    PendingFile dropped(path, "half");
  }
  EXPECT_EQ(count(), 0u);
  PendingFile file(path, "whole");
  EXPECT_FALSE(fs::exists(path));
  file.commit();
  EXPECT_EQ(contents(path), "whole");
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, ArePublishedTogetherOrNotAtAll) {
  auto results = [&] {
    std::vector<PendingFile> files;
    files.emplace_back((folder / "a").string(), "a");
    files.emplace_back("/dev/null", "b");
    return files;
  };
  EXPECT_THROW(publish(results(), [] { failWrong("standard output is full"); }), Failure);
  EXPECT_TRUE(fs::is_empty(folder));
  bool shown = false;
  publish(results(), [&] { shown = !fs::exists(folder / "a"); });
  EXPECT_TRUE(shown); // before any file had its name
  EXPECT_TRUE(fs::exists(folder / "a"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
}

TEST_F(Files, KeepOldContentsPermissionsAndLinks) {
  fs::path path = folder / "a.npy", link = folder / "link.npy";
  PendingFile(path, "old").commit();
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  fs::create_symlink(path, link);
  {
    PendingFile dropped(link, "new");
  }
  EXPECT_EQ(contents(path), "old");
  PendingFile(link, "new").commit();
  EXPECT_EQ(contents(path), "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0640));
}

TEST_F(Files, AppearWhereALinkPointsThatLeadsNowhereYet) {
  fs::path link = folder / "link.npy";
  fs::create_symlink("target.npy", link);
  PendingFile(link, "new").commit();
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(contents(folder / "target.npy"), "new");
  EXPECT_EQ(destination((folder / "." / "link.npy").string()), destination((folder / "target.npy").string()));

  fs::create_symlink("b", folder / "a");
  fs::create_symlink("a", folder / "b");
  EXPECT_EQ(complaint([&] { PendingFile((folder / "a").string(), "x"); }),
            "cannot write '" + (folder / "a").string() + "': Too many levels of symbolic links");
}

TEST_F(Files, NewOnesFollowTheUmask) {
  mode_t mask = ::umask(027);
  PendingFile(folder / "a", "x").commit();
  ::umask(mask);
  EXPECT_EQ(fs::status(folder / "a").permissions(), fs::perms(0640));
}

TEST_F(Files, SayWhyTheyCannotBeWritten) {
  EXPECT_EQ(complaint([&] { PendingFile(folder.string(), "x"); }),
            "cannot write '" + folder.string() + "': Is a directory");
  EXPECT_EQ(complaint([&] { PendingFile((folder / "no" / "a").string(), "x"); }),
            "cannot write '" + (folder / "no" / "a").string() + "': No such file or directory");
  EXPECT_EQ(complaint([] { PendingFile("/dev/full", "x").commit(); }),
            "cannot write '/dev/full': No space left on device");
  EXPECT_EQ(complaint([] { PendingFile("/dev/null", "x").commit(); }), "");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(Files, SayWhyTheyCannotBeRead) {
  std::string missing = (folder / "no.fsn").string();
  EXPECT_EQ(complaint([&] { readTextFile(missing, 100); }), "cannot open '" + missing + "': No such file or directory");
  EXPECT_EQ(complaint([&] { readTextFile(folder.string(), 100); }),
            "cannot read '" + folder.string() + "': Is a directory");
  EXPECT_EQ(complaint([] { readTextFile("/dev/zero", 100000); }),
            "'/dev/zero' has more than 100,000 bytes, which is no model text");
}

// ---- Options ----

Arguments parse(const std::vector<std::string> &words) {
  return parseArguments(
      words, {"--model", "--input", "--json", "--output", "--dtype", "--seed", "-Wno-", "-Werror=", "-Werror"}, "run");
}

std::string usage(const std::vector<std::string> &words) {
  try {
    parse(words);
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.status, ExitStatus::Usage);
    return failure.what();
  }
  return "";
}

TEST(Options, AllForms) {
  Arguments arguments = parse({"a.fsn", "--input", "x=1", "--input=y=2", "-nLIF", "-o", "-", "--json", "-q", "-",
                               "-Wno-unused-param", "-Werror=split-ode", "-Werror", "--", "--json"});
  EXPECT_EQ(arguments.positionals, (std::vector<std::string>{"a.fsn", "-", "--json"}));
  EXPECT_EQ(arguments.all("--input"), (std::vector<std::string>{"x=1", "y=2"}));
  EXPECT_EQ(arguments.get("--model"), "LIF");
  EXPECT_EQ(arguments.get("--output"), "-");
  EXPECT_EQ(arguments.all("-Wno-"), (std::vector<std::string>{"unused-param"}));
  EXPECT_EQ(arguments.all("-Werror="), (std::vector<std::string>{"split-ode"}));
  EXPECT_TRUE(arguments.has("-Werror") && arguments.has("--json") && arguments.has("--quiet"));
  EXPECT_FALSE(arguments.has("--verbose"));
  EXPECT_TRUE(parse({"--json", "--json"}).has("--json"));
}

TEST(Options, SayWhatIsWrong) {
  EXPECT_EQ(usage({"--inptu", "x"}), "unknown option '--inptu'; did you mean '--input'?");
  EXPECT_EQ(usage({"--zzzzzz"}), "unknown option '--zzzzzz'");
  EXPECT_EQ(usage({"-x"}), "unknown option '-x'");
  EXPECT_EQ(usage({"--\x1b[2J"}), "unknown option '--\\x1b[2J'");
  EXPECT_EQ(usage({"--arch", "native"}), "'run' has no option '--arch'");
  EXPECT_EQ(usage({"--input"}), "'--input' needs an argument: --input [NAME=]FILE");
  EXPECT_EQ(usage({"-n"}), "'-n' needs an argument: --model NAME");
  EXPECT_EQ(usage({"--json=yes"}), "'--json' takes no argument");
  EXPECT_EQ(usage({"--dtype", "f23"}), "'--dtype' is f32, f64, f16 or bf16, not 'f23'; did you mean 'f32'?");
  EXPECT_EQ(usage({"--dtype", "f32", "--dtype", "f64"}), "'--dtype' is given twice");
  EXPECT_EQ(usage({"--seed", "1"}), "'--seed': random numbers in models are not in this version");
}

TEST(Options, EachStandsOnceInTheList) {
  std::set<std::string> names;
  for (const OptionSpec &option : allOptions()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_TRUE(!option.letter || names.insert(option.letter).second) << option.name;
    std::string help = option.help;
    EXPECT_FALSE(help.empty() || help.back() == '.') << option.name;
  }
}

} // namespace
