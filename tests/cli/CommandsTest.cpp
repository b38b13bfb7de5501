// The lists of commands and options against each other, in both directions, and what help looks like.
#include "tools/flexsnc/Command.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace flexsn::cli;

namespace {

TEST(Commands, NameOptionsThatExistAndNoneIsLeftOver) {
  std::set<std::string> known, taken(commonOptions().begin(), commonOptions().end());
  for (const OptionSpec &option : allOptions())
    known.insert(option.name);
  for (const CommandSpec &command : allCommands())
    for (const std::string &option : command.options) {
      EXPECT_TRUE(known.count(option)) << command.name << " " << option;
      taken.insert(option);
    }
  EXPECT_EQ(taken, known);
}

TEST(Commands, RunOrSayWhyNot) {
  std::set<std::string> names;
  for (const CommandSpec &command : allCommands()) {
    EXPECT_TRUE(names.insert(command.name).second) << command.name;
    EXPECT_NE(command.run != nullptr, command.later != nullptr) << command.name;
    std::string sentence = command.sentence;
    EXPECT_TRUE(sentence.back() == '.' && std::count(sentence.begin(), sentence.end(), '.') == 1) << sentence;
    if (command.later) {
      EXPECT_THROW(findCommand(command.name), Failure);
    } else {
      EXPECT_EQ(&findCommand(command.name), &command);
    }
  }
  // The commands of docs/cli.md.
  for (const char *name : {"check", "emit", "run", "explain", "bench", "bundle", "cache", "doctor", "list", "show"})
    EXPECT_TRUE(names.count(name)) << name;
}

TEST(Commands, HelpHasItsPartsInEightyColumns) {
  for (const CommandSpec &command : allCommands()) {
    if (command.later)
      continue;
    std::string help = commandHelp(command);
    EXPECT_EQ(command.examples.size(), 3u) << command.name;
    size_t at = 0;
    for (const std::string &part :
         {std::string(command.sentence), std::string("\nUsage: flexsnc "), std::string("\nExamples:\n"),
          std::string("\nGeneral options:\n"), std::string("\nEnvironment:\n"), std::string("\nExit codes:\n")}) {
      at = help.find(part, at);
      ASSERT_NE(at, std::string::npos) << command.name << ": " << part;
    }
    for (size_t begin = 0; begin < help.size(); begin = help.find('\n', begin) + 1)
      EXPECT_LE(help.find('\n', begin) - begin, 80u) << help.substr(begin, help.find('\n', begin) - begin);
  }
  EXPECT_NE(mainHelp().find("Examples:"), std::string::npos);
}

TEST(Commands, OfLaterVersionsStandInNoHelp) {
  for (const CommandSpec &command : allCommands()) {
    if (command.later) {
      EXPECT_EQ(mainHelp().find("\n  " + std::string(command.name) + " "), std::string::npos) << command.name;
      continue;
    }
    std::string help = commandHelp(command);
    for (const OptionSpec &option : allOptions()) {
      bool shown = help.find(std::string("  ") + option.name + " ") != std::string::npos;
      EXPECT_FALSE(option.later && shown) << option.name;
    }
  }
}

} // namespace
