// The completion script for bash.
#include "tools/flexsnc/Completion.h"

#include <fmt/format.h>

namespace flexsn::cli {

// Bash itself takes a command line apart at '=' and '@' too, so the line is read here: `before` are the words in front
// of the cursor, `word` is the one that it stands in, and `cut` the part of that which bash does not replace.
static constexpr const char *opening = R"(# bash completion for flexsnc: source <(flexsnc completion bash)
_flexsnc() {
  local line=${COMP_LINE:0:COMP_POINT} command= words= files=no at
  local -a before
  read -ra before <<< "$line"
  local word=${line##*[[:space:]]}
  [[ -n $word ]] && unset 'before[-1]'
  local cut= option=${before[-1]} value=$word
  [[ $COMP_WORDBREAKS == *=* && $word == *=* ]] && cut=${word%=*}=
  [[ $word == --*=* ]] && option=${word%%=*} value=${word#*=}
  for ((at = 1; at < ${#before[@]}; ++at)); do
    case ${before[at]} in
      --color) ((++at)) ;;
      -*) ;;
      *) command=${before[at]}; break ;;
    esac
  done
  COMPREPLY=()
  case $option in
)";

// Files are left to readline, which knows about blanks, quotes and `~`.
static constexpr const char *closing = R"(  esac
  if [[ $files == yes && $word != [-@]* ]]; then
    compopt -o default
    [[ -n $word ]] && return
    words=${words%% -*}
    mapfile -t COMPREPLY < <(compgen -f)
    compopt -o filenames
  fi
  COMPREPLY+=($(compgen -P "${word%"$value"}" -W "$words" -- "$value"))
  COMPREPLY=("${COMPREPLY[@]#"$cut"}")
}
complete -F _flexsnc flexsnc
)";

static std::string optionCase(const OptionSpec &option) {
  std::string names = option.letter ? fmt::format("{}|{}", option.name, option.letter) : option.name;
  if (option.completion == Completion::File)
    return fmt::format("    {}) compopt -o default; return ;;\n", names);
  std::string values = valuesOf(option);
  return values.empty() ? fmt::format("    {}) return ;;\n", names)
                        : fmt::format("    {}) words='{}' command=- ;;\n", names, values);
}

static std::string optionNames(const std::vector<const OptionSpec *> &options) {
  std::string names;
  for (const OptionSpec *option : options)
    names += fmt::format(" {}", option->name);
  return names;
}

std::string bashScript() {
  std::string script = opening;
  for (const OptionSpec &option : allOptions())
    if (!option.later && option.argument && option.name[1] != 'W')
      script += optionCase(option);
  script += "  esac\n  case $command in\n    -) ;;\n";
  std::string commands;
  for (const CommandSpec *command : presentCommands()) {
    commands += fmt::format("{} ", command->name);
    script += fmt::format("    {}) words='{}{}' files={} ;;\n", command->name, wordsFor(*command),
                          optionNames(presentOptions(*command)), takesFiles(*command) ? "yes" : "no");
  }
  std::vector<const OptionSpec *> common;
  for (const std::string &name : commonOptions())
    common.push_back(&findOption(name));
  return script + fmt::format("    '') words='{}{}' ;;\n", commands, optionNames(common)) + closing;
}

} // namespace flexsn::cli
