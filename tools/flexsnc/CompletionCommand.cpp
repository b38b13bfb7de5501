// flexsnc completion: scripts for bash, zsh and fish, made from the lists of commands and options.
#include "tools/flexsnc/Command.h"
#include "tools/flexsnc/Text.h"

#include <flexsn/flexsn.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace flexsn::cli {

namespace {

/// The options of a command that are in this version, the common ones included.
std::vector<const OptionSpec *> optionsOf(const CommandSpec &command) {
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

std::string commandNames() {
  std::string names;
  for (const CommandSpec *command : presentCommands())
    names += (names.empty() ? "" : " ") + std::string(command->name);
  return names;
}

/// Words that may stand for a FILE or behind a command besides files.
std::string wordsFor(const CommandSpec &command) {
  std::string_view name = command.name;
  if (name == "list")
    return "models surrogates functions lints stages sources";
  if (name == "completion")
    return "bash zsh fish";
  if (name == "doctor")
    return "";
  std::string words;
  for (const flexsn::Entry &entry : flexsn::list(flexsn::List::models))
    words += (words.empty() ? "@" : " @") + entry.name;
  return words;
}

bool takesFiles(const CommandSpec &command) {
  std::string_view name = command.name;
  return name == "check" || name == "emit" || name == "run";
}

std::string valuesOf(const OptionSpec &option) {
  std::string values = option.values;
  std::replace(values.begin(), values.end(), '|', ' ');
  return values;
}

std::string bashScript() {
  std::string script = "# bash completion for flexsnc: source <(flexsnc completion bash)\n"
                       "_flexsnc() {\n"
                       "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words= files=no\n"
                       "  COMPREPLY=()\n"
                       "  case $previous in\n";
  for (const OptionSpec &option : allOptions()) {
    std::string names = option.letter ? fmt::format("{}|{}", option.name, option.letter) : option.name;
    if (option.later || !option.argument || option.name[1] == 'W')
      continue;
    if (option.completion == Completion::Values && option.values[0])
      script +=
          fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n", names, valuesOf(option));
    else if (option.completion == Completion::File)
      script += fmt::format("    {}) COMPREPLY=($(compgen -f -- \"${{word#*=}}\")); return ;;\n", names);
    else
      script += fmt::format("    {}) return ;;\n", names);
  }
  script += fmt::format("  esac\n"
                        "  if ((COMP_CWORD == 1)); then\n"
                        "    COMPREPLY=($(compgen -W '{}' -- \"$word\"))\n"
                        "    return\n"
                        "  fi\n"
                        "  case ${{COMP_WORDS[1]}} in\n",
                        commandNames());
  for (const CommandSpec *command : presentCommands()) {
    std::string names;
    for (const OptionSpec *option : optionsOf(*command))
      names += fmt::format(" {}", option->name);
    script += fmt::format("    {}) words='{}{}' files={} ;;\n", command->name, wordsFor(*command), names,
                          takesFiles(*command) ? "yes" : "no");
  }
  return script + "  esac\n"
                  "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                  "  [[ $files == yes && $word != -* ]] && COMPREPLY+=($(compgen -f -- \"$word\"))\n"
                  "}\n"
                  "complete -o filenames -F _flexsnc flexsnc\n";
}

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
  script += "  )\n"
            "  if ((CURRENT == 2)); then _describe command commands; return; fi\n"
            "  local command=$words[2]\n"
            "  shift words; ((CURRENT--))\n"
            "  case $command in\n";
  for (const CommandSpec *command : presentCommands()) {
    script += fmt::format("    {}) _arguments", command->name);
    for (const OptionSpec *option : optionsOf(*command)) {
      std::string action;
      if (option->argument)
        action = fmt::format(":{}:{}", zshQuoted(option->argument),
                             option->completion == Completion::File ? "_files"
                             : option->values[0]                    ? fmt::format("({})", valuesOf(*option))
                                                                    : " ");
      const char *glued = option->name[1] == 'W' && option->argument ? "-" : "";
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
    for (const OptionSpec *option : optionsOf(*command)) {
      std::string names =
          option->name[1] == '-' ? fmt::format("-l {}", option->name + 2) : fmt::format("-o {}", option->name + 1);
      if (option->letter)
        names += fmt::format(" -s {}", option->letter + 1);
      if (option->argument)
        names += option->completion == Completion::File ? " -r -F" : " -x";
      if (option->values[0])
        names += fmt::format(" -a {}", fishQuoted(valuesOf(*option)));
      script += fmt::format("{} {} -d {}\n", seen, names, fishQuoted(option->help));
    }
  }
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
