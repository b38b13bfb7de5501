// flexsnc completion: scripts for shells, made from the lists of commands and options; those for zsh and fish.
#include "tools/flexsnc/Completion.h"
#include "tools/flexsnc/Text.h"

#include <flexsn/flexsn.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace flexsn::cli {

std::vector<const OptionSpec *> presentOptions(const CommandSpec &command) {
  std::vector<const OptionSpec *> options;
  for (const OptionSpec &option : allOptions()) {
    auto in = [&](const std::vector<std::string> &names) {
      return std::find(names.begin(), names.end(), option.name) != names.end();
    };
    if (!option.later && (in(command.options) || in(commonOptions())))
      options.push_back(&option);
  }
  return options;
}

std::vector<const CommandSpec *> presentCommands() {
  std::vector<const CommandSpec *> commands;
  for (const CommandSpec &command : allCommands())
    if (!command.later)
      commands.push_back(&command);
  return commands;
}

std::string commandWords() {
  std::string words;
  for (const CommandSpec *command : presentCommands())
    words += fmt::format("{}{}", words.empty() ? "" : " ", command->name);
  return words;
}

std::string wordsFor(const CommandSpec &command) {
  std::string_view name = command.name;
  if (name == "list")
    return "models surrogates functions lints stages sources";
  if (name == "completion")
    return "bash zsh fish";
  if (name == "cache")
    return "list path verify clear";
  if (name == "doctor")
    return "";
  std::string words;
  for (const flexsn::Entry &entry : flexsn::list(flexsn::List::models))
    words += (words.empty() ? "@" : " @") + entry.name;
  return words;
}

bool takesFiles(const CommandSpec &command) {
  std::string_view name = command.name;
  return name == "check" || name == "emit" || name == "run" || name == "explain" || name == "bench";
}

std::string valuesOf(const OptionSpec &option) {
  std::string values = option.values[0] ? option.values : option.offered;
  std::replace(values.begin(), values.end(), '|', ' ');
  auto add = [&](flexsn::List list) {
    for (const flexsn::Entry &entry : flexsn::list(list))
      values += (values.empty() ? "" : " ") + entry.name;
  };
  if (option.completion == Completion::Stages)
    add(flexsn::List::stages);
  if (option.completion == Completion::Lints)
    add(flexsn::List::lints);
  return values;
}

namespace {

/// Text inside the single quotes of an _arguments specification.
std::string zshQuoted(std::string_view text) {
  std::string quoted;
  for (char c : text)
    quoted += c == '\'' ? "'\\''" : c == '[' || c == ']' || c == ':' ? std::string("\\") + c : std::string(1, c);
  return quoted;
}

std::string zshScript() {
  std::string script = "#compdef flexsnc\n"
                       "# zsh completion for flexsnc: flexsnc completion zsh > a folder of $fpath/_flexsnc\n"
                       "_flexsnc() {\n"
                       "  local -a commands=(\n";
  for (const CommandSpec *command : presentCommands())
    script += fmt::format("    '{}:{}'\n", command->name, zshQuoted(command->sentence));
  script += "    'help:Show the page of a command.'\n";
  // Options may stand before the command: they are dropped, --color with its argument.
  script += "  )\n"
            "  while ((CURRENT > 2)) && [[ $words[2] == -* ]]; do\n"
            "    [[ $words[2] == --color ]] && { shift words; ((CURRENT -= 1)) }\n"
            "    shift words; ((CURRENT -= 1))\n"
            "  done\n"
            "  if ((CURRENT == 2)); then _describe command commands; return; fi\n"
            "  local command=$words[2]\n"
            "  shift words; ((CURRENT--))\n"
            "  case $command in\n";
  for (const CommandSpec *command : presentCommands()) {
    script += fmt::format("    {}) _arguments", command->name);
    for (const OptionSpec *option : presentOptions(*command)) {
      std::string action;
      if (option->argument)
        action = fmt::format(":{}:{}", zshQuoted(option->argument),
                             option->completion == Completion::File ? "_files"
                             : !valuesOf(*option).empty()           ? fmt::format("({})", valuesOf(*option))
                                                                    : " ");
      const char *glued = option->isPrefix() ? "-" : "";
      script += fmt::format(" \\\n      '{}{}{}[{}]{}'", option->repeats ? "*" : "", option->name, glued,
                            zshQuoted(option->help), action);
    }
    std::string words = wordsFor(*command);
    if (takesFiles(*command))
      script +=
          fmt::format(" \\\n      '*:model:_alternative \"models:model:({})\" \"files:file:_files\"' ;;\n", words);
    else
      script += words.empty() ? " ;;\n" : fmt::format(" \\\n      '*:name:({})' ;;\n", words);
  }
  script += fmt::format("    help) _arguments '1:command:({})' ;;\n", commandWords());
  return script + "  esac\n}\n_flexsnc \"$@\"\n";
}

std::string fishQuoted(std::string_view text) {
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return quoted + "'";
}

std::string fishScript() {
  std::string script = "# fish completion for flexsnc: flexsnc completion fish | source\ncomplete -c flexsnc -f\n";
  for (const CommandSpec *command : presentCommands()) {
    script += fmt::format("complete -c flexsnc -n __fish_use_subcommand -a {} -d {}\n", command->name,
                          fishQuoted(command->sentence));
    std::string seen = fmt::format("complete -c flexsnc -n '__fish_seen_subcommand_from {}'", command->name);
    if (std::string words = wordsFor(*command); !words.empty())
      script += fmt::format("{}{} -a {}\n", seen, takesFiles(*command) ? " -F" : "", fishQuoted(words));
    for (const OptionSpec *option : presentOptions(*command)) {
      if (option->isPrefix()) { // one option for each argument: fish knows none that are glued
        for (const std::string &value : splitList(valuesOf(*option), ' '))
          script += fmt::format("{} -o {}{} -d {}\n", seen, option->name + 1, value, fishQuoted(option->help));
        continue;
      }
      std::string names =
          option->name[1] == '-' ? fmt::format("-l {}", option->name + 2) : fmt::format("-o {}", option->name + 1);
      if (option->letter)
        names += fmt::format(" -s {}", option->letter + 1);
      if (option->argument)
        names += option->completion == Completion::File ? " -r -F" : " -x";
      if (std::string values = valuesOf(*option); !values.empty())
        names += fmt::format(" -a {}", fishQuoted(values));
      script += fmt::format("{} {} -d {}\n", seen, names, fishQuoted(option->help));
    }
  }
  script += fmt::format("complete -c flexsnc -n __fish_use_subcommand -a help -d 'Show the page of a command.'\n"
                        "complete -c flexsnc -n '__fish_seen_subcommand_from help' -a {}\n",
                        fishQuoted(commandWords()));
  return script;
}

ExitStatus runCompletion(const Arguments &arguments, Console &console) {
  const std::vector<std::string> shells = {"bash", "zsh", "fish"};
  if (arguments.positionals.size() != 1)
    failUsage("one shell is wanted", "flexsnc completion bash|zsh|fish");
  const std::string &shell = arguments.positionals[0];
  if (std::find(shells.begin(), shells.end(), shell) == shells.end())
    failUsage(fmt::format("no script for '{}'{}", printable(shell), didYouMean(shell, shells)),
              fmt::format("there are scripts for {}", enumerate(shells)));
  console.out(shell == "bash" ? bashScript() : shell == "zsh" ? zshScript() : fishScript());
  return ExitStatus::Done;
}

} // namespace

CommandSpec completionCommand() {
  return {"completion",
          "Print a shell's completion script.",
          {"[OPTION]... bash|zsh|fish"},
          {"source <(flexsnc completion bash)", "flexsnc completion zsh > ~/.zfunc/_flexsnc",
           "flexsnc completion fish > ~/.config/fish/completions/flexsnc.fish"},
          {},
          runCompletion};
}

} // namespace flexsn::cli
