#include "tools/flexsnc/Options.h"

#include "tools/flexsnc/Failure.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace flexsn::cli {

const OptionSpec &findOption(std::string_view name) {
  for (const OptionSpec &option : allOptions())
    if (name == option.name)
      return option;
  std::abort(); // a command names an option that is not in the list; the list's test finds it first
}

std::optional<std::string> Arguments::get(std::string_view option) const {
  auto found = values.find(option);
  return found == values.end() ? std::nullopt : std::optional(found->second.back());
}

const std::vector<std::string> &Arguments::all(std::string_view option) const {
  static const std::vector<std::string> none;
  auto found = values.find(option);
  return found == values.end() ? none : found->second;
}

namespace {

/// What other programs call a value of ours: no slip of the fingers, so that distance finds nothing.
struct Alias {
  std::string_view theirs, ours;
};
constexpr Alias aliases[] = {{"float32", "f32"}, {"fp32", "f32"}, {"float", "f32"},    {"single", "f32"},
                             {"float64", "f64"}, {"fp64", "f64"}, {"double", "f64"},   {"float16", "f16"},
                             {"fp16", "f16"},    {"half", "f16"}, {"bfloat16", "bf16"}};

/// `; did you mean 'NAME'?` for a word that is none of the values, or nothing.
std::string meantValue(const std::string &word, const std::vector<std::string> &values) {
  const auto *known = std::find_if(std::begin(aliases), std::end(aliases), [&](const Alias &alias) {
    return alias.theirs == word && std::find(values.begin(), values.end(), alias.ours) != values.end();
  });
  return didYouMean(known == std::end(aliases) ? word : std::string(known->ours), values);
}

class ArgumentParser {
public:
  ArgumentParser(const std::vector<std::string> &words, const std::vector<std::string> &options,
                 const std::string &command)
      : words(words), command(command) {
    for (const std::string &name : options)
      specs.push_back(&findOption(name));
    for (const std::string &name : commonOptions())
      specs.push_back(&findOption(name));
  }

  Arguments parse(bool stopAtPositional) {
    bool optionsEnded = false;
    while (next < words.size()) {
      const std::string &word = words[next];
      bool option = !optionsEnded && word.size() > 1 && word[0] == '-';
      if (!option && stopAtPositional)
        break;
      ++next;
      if (!option)
        result.positionals.push_back(word);
      else if (word == "--")
        optionsEnded = true;
      else
        parseOption(word);
    }
    return std::move(result);
  }

  size_t used() const { return next; }

private:
  [[noreturn]] void fail(const std::string &message) {
    failUsage(message, fmt::format("'flexsnc{}{} --help' shows what there is", command.empty() ? "" : " ", command));
  }

  void parseOption(const std::string &word) {
    size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    std::string name = word.substr(0, equals);
    std::optional<std::string> value;
    if (equals != std::string::npos)
      value = word.substr(equals + 1);
    const OptionSpec *spec = find(name, value);
    if (!spec)
      failUnknown(name);
    if (spec->later)
      failLater(*spec);
    if (!spec->argument && value)
      fail(fmt::format("'{}' takes no argument", spec->name));
    if (spec->argument && !value) {
      if (next >= words.size())
        fail(fmt::format("'{}' needs an argument: {} {}", name, spec->name, spec->argument));
      value = words[next++];
    }
    take(*spec, value.value_or(""));
  }

  /// The option that a word names. A letter's argument may be glued to it (-oFILE), a prefix's always is.
  const OptionSpec *find(const std::string &name, std::optional<std::string> &value) {
    for (const OptionSpec *spec : specs)
      if (name == spec->name || (spec->letter && name == spec->letter))
        return spec->isPrefix() ? nullptr : spec;
    for (const OptionSpec *spec : specs) {
      bool glued = spec->isPrefix() ? name.starts_with(spec->name)
                                    : spec->letter && spec->argument && name.starts_with(spec->letter);
      if (glued) {
        value = name.substr(std::string_view(spec->isPrefix() ? spec->name : spec->letter).size());
        return spec;
      }
    }
    return nullptr;
  }

  /// Also where the command will not take the option: that it is not there yet is the nearer reason.
  [[noreturn]] static void failLater(const OptionSpec &spec) {
    failUsage(fmt::format("'{}': {}", spec.name, spec.later));
  }

  [[noreturn]] void failUnknown(const std::string &name) {
    std::vector<std::string> names;
    for (const OptionSpec *spec : specs)
      names.emplace_back(spec->name);
    for (const OptionSpec &spec : allOptions())
      if (spec.later && name == spec.name)
        failLater(spec);
      else if (name == spec.name || (spec.letter && name == spec.letter))
        fail(command.empty() ? fmt::format("option '{}' stands behind the command's name", name)
                             : fmt::format("'{}' has no option '{}'", command, name));
    fail(fmt::format("unknown option '{}'{}", printable(name), didYouMean(name, names)));
  }

  void take(const OptionSpec &spec, const std::string &value) {
    std::vector<std::string> words = splitList(spec.values, '|');
    if (!words.empty() && std::find(words.begin(), words.end(), value) == words.end())
      fail(fmt::format("'{}' is {}, not '{}'{}", spec.name, enumerate(words, "or"), printable(value),
                       meantValue(value, words)));
    std::vector<std::string> &values = result.values[spec.name];
    if (!values.empty() && !spec.repeats && spec.argument)
      fail(fmt::format("'{}' is given twice", spec.name));
    values.push_back(value);
  }

  const std::vector<std::string> &words;
  const std::string &command;
  std::vector<const OptionSpec *> specs;
  Arguments result;
  size_t next = 0;
};

} // namespace

Arguments parseArguments(const std::vector<std::string> &words, const std::vector<std::string> &options,
                         const std::string &command, bool stopAtPositional, size_t *used) {
  ArgumentParser parser(words, options, command);
  Arguments result = parser.parse(stopAtPositional);
  if (used)
    *used = parser.used();
  return result;
}

} // namespace flexsn::cli
