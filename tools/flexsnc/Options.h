// The one list of options, and the command line taken apart along it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flexsn::cli {

/// What a shell offers behind an option.
enum class Completion : unsigned char { None, File, Values, Stages, Lints };

/// One option. Commands take options by name; see CommandSpec.
struct OptionSpec {
  /// Whether the argument is glued to the name: -Wno-NAME, -Werror=NAME.
  bool isPrefix() const { return name[1] == 'W' && argument; }

  const char *name;     ///< "--model"; "-Wno-" for one whose argument follows directly
  const char *letter;   ///< "-n", or nullptr
  const char *argument; ///< how help calls the argument; nullptr for a switch
  const char *group;    ///< heading in help
  const char *help;     ///< one sentence, wrapped by help
  bool repeats = false; ///< may be given several times
  Completion completion = Completion::None;
  const char *values = "";     ///< the only words allowed, separated by '|'
  const char *later = nullptr; ///< the option is not in this version: why
  const char *offered = "";    ///< words that a shell offers where others are allowed too
};

/// All options of all commands, in the order of help.
const std::vector<OptionSpec> &allOptions();
/// The option with that long name, which exists.
const OptionSpec &findOption(std::string_view name);
/// Names of the options that every command takes.
const std::vector<std::string> &commonOptions();

/// A command line behind the command's name.
class Arguments {
public:
  bool has(std::string_view option) const { return values.contains(option); }
  /// The last value of an option, or nothing.
  std::optional<std::string> get(std::string_view option) const;
  /// Every value of an option that may be repeated, in order.
  const std::vector<std::string> &all(std::string_view option) const;

  std::vector<std::string> positionals;
  std::map<std::string, std::vector<std::string>, std::less<>> values;
};

/// Takes `words` apart. Options may stand anywhere, `--` ends them, `-` is a file name. Usage errors: an option that
/// the command lacks (with the nearest one), a missing or superfluous argument, a word that is not among the values,
/// one given twice, one that is not in this version. With `stopAtPositional`, parsing ends before the first word that
/// is no option, and `used` says how many words it took.
Arguments parseArguments(const std::vector<std::string> &words, const std::vector<std::string> &options,
                         const std::string &command, bool stopAtPositional = false, size_t *used = nullptr);

} // namespace flexsn::cli
