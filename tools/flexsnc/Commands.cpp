// The one list of commands.
#include "tools/flexsnc/Command.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

namespace flexsn::cli {

const std::vector<CommandSpec> &allCommands() {
  static const std::vector<CommandSpec> list = {
      checkCommand(),
      emitCommand(),
      runCommand(),
      explainCommand(),
      benchCommand(),
      cacheCommand(),
      doctorCommand(),
      listCommand(),
      showCommand(),
      completionCommand(),
      {"bundle", "Compile ahead of time.", {}, {}, {}, nullptr, "compiling ahead of time is a plan"},
  };
  return list;
}

const CommandSpec &findCommand(const std::string &name) {
  std::vector<std::string> names;
  for (const CommandSpec &command : allCommands()) {
    if (name == command.name) {
      if (command.later)
        failUsage(fmt::format("'{}' is not in this version: {}", name, command.later));
      return command;
    }
    if (!command.later)
      names.emplace_back(command.name);
  }
  failUsage(fmt::format("unknown command '{}'{}", printable(name), didYouMean(name, names)),
            fmt::format("commands are {}", enumerate(names)));
}

} // namespace flexsn::cli
