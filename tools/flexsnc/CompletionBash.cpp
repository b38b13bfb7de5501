// The completion script for bash.
#include "tools/flexsnc/Completion.h"
#include "tools/flexsnc/Text.h"

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
    if (option->isPrefix()) // one word with its argument
      for (const std::string &value : splitList(valuesOf(*option), ' '))
        names += fmt::format(" {}{}", option->name, value);
    else
      names += fmt::format(" {}", option->name);
  return names;
}

std::string bashScript() {
  std::string script = opening;
  for (const OptionSpec &option : allOptions())
    if (!option.later && option.argument && !option.isPrefix())
      script += optionCase(option);
  script += "  esac\n  case $command in\n    -) ;;\n";
  for (const CommandSpec *command : presentCommands())
    script += fmt::format("    {}) words='{}{}' files={} ;;\n", command->name, wordsFor(*command),
                          optionNames(presentOptions(*command)), takesFiles(*command) ? "yes" : "no");
  script += fmt::format("    help) words='{}' ;;\n", commandWords());
  std::vector<const OptionSpec *> common;
  for (const std::string &name : commonOptions())
    common.push_back(&findOption(name));
  return script + fmt::format("    '') words='{} help{}' ;;\n", commandWords(), optionNames(common)) + closing;
}

} // namespace flexsn::cli
