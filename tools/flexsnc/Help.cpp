// Help pages: one sentence, usage, examples, options by group, variables, exit codes; 80 columns.
#include "tools/flexsnc/Command.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>

namespace flexsn::cli {

static constexpr size_t helpColumn = 28;

/// A name and its explanation, which begins at one column for all and is wrapped there.
static std::string entry(std::string_view name, std::string_view text) {
  std::string line = fmt::format("  {}", name);
  if (line.size() + 2 > helpColumn)
    line += "\n" + std::string(helpColumn, ' ');
  else
    line.resize(helpColumn, ' ');
  return line + wrapped(text, helpColumn, helpColumn) + "\n";
}

static std::string optionEntry(const OptionSpec &option) {
  std::string name = option.letter ? fmt::format("{}, {}", option.letter, option.name) : option.name;
  bool glued = option.isPrefix();
  if (option.argument)
    name += (glued ? "" : " ") + std::string(option.argument);
  return entry(name, option.help);
}

/// The options in groups, both in the order of the list. Those of later versions are left out.
static std::string optionSection(const std::vector<std::string> &names) {
  std::string text;
  std::string_view group;
  for (const OptionSpec &option : allOptions()) {
    if (option.later || std::find(names.begin(), names.end(), option.name) == names.end())
      continue;
    if (group != option.group) {
      group = option.group;
      text += fmt::format("\n{} options:\n", group);
    }
    text += optionEntry(option);
  }
  return text;
}

static std::string closing() {
  return "\nEnvironment:\n" + entry("NO_COLOR", "if set and not empty, no colours unless asked for by --color") +
         entry("COLUMNS", "width of plots that go to no terminal") +
         entry("FLEXSN_CACHE", "the disk cache: on (the default), read-only or off") +
         entry("FLEXSN_CACHE_DIR", "where it is; else $XDG_CACHE_HOME/flexsn or ~/.cache/flexsn") +
         entry("FLEXSN_CACHE_SIZE", "bytes that it may hold, also as 64K, 512M, 2G; 1G without it") +
         entry("FLEXSN_CACHE_ENTRIES", "entries that it may hold; 10000 without it") +
         entry("FLEXSN_LOG", "what is told of it: debug, info, warn (the default) or off") +
         entry("FLEXSN_NUM_THREADS", "threads of a large run; else one for each CPU") +
         entry("FLEXSN_NVRTC", "the libnvrtc that compiles for GPUs; else the first that is found") +
         "\nExit codes:\n" + entry("0", "done") + entry("1", "the model, the data or a file is wrong") +
         entry("2", "the command line makes no sense") + entry("3", "the device or the toolchain failed");
}

std::string mainHelp() {
  std::string text = "Compile spiking neurons, written as equations, and run them.\n\n"
                     "Usage: flexsnc COMMAND [ARGUMENT]...\n\n"
                     "Examples:\n"
                     "  flexsnc check lif.fsn\n"
                     "  flexsnc run @LIF --input 'x=poisson(rate=0.3, T=100, N=64)' --plot -\n"
                     "  flexsnc show @LIF\n\n"
                     "Commands:\n";
  for (const CommandSpec &command : allCommands())
    if (!command.later)
      text += entry(command.name, command.sentence);
  text +=
      "\n" +
      wrapped("A FILE is a text in the equation language (.fsn), '-' for standard input, or @NAME for a shipped model. "
              "'flexsnc COMMAND --help' says more.",
              0, 0) +
      "\n";
  return text + optionSection(commonOptions()) + closing();
}

std::string commandHelp(const CommandSpec &command) {
  std::string text = fmt::format("{}\n\n", command.sentence);
  for (size_t i = 0; i < command.usage.size(); ++i)
    text += fmt::format("{} flexsnc {} {}\n", i == 0 ? "Usage:" : "      ", command.name, command.usage[i]);
  text += "\nExamples:\n";
  for (const std::string &example : command.examples)
    text += fmt::format("  {}\n", example);
  std::vector<std::string> names = command.options;
  names.insert(names.end(), commonOptions().begin(), commonOptions().end());
  text += optionSection(names);
  if (command.more)
    text += "\n" + command.more();
  return text + closing();
}

} // namespace flexsn::cli
