// A subcommand is a file: what it is called and takes, then its run function.
#pragma once

#include "tools/flexsnc/Console.h"
#include "tools/flexsnc/Options.h"

#include <flexsn/flexsn.hpp>

#include <string>
#include <vector>

namespace flexsn::cli {

struct CommandSpec {
  const char *name;
  const char *sentence;              ///< one sentence: the first line of its help
  std::vector<std::string> usage;    ///< behind "flexsnc NAME", one form a line
  std::vector<std::string> examples; ///< whole command lines
  std::vector<std::string> options;  ///< names in allOptions(); the common ones are added
  ExitStatus (*run)(const Arguments &arguments, Console &console);
  const char *later = nullptr;     ///< the command is not in this version: why; then `run` is null
  std::string (*more)() = nullptr; ///< a section of help of its own, or null
};

CommandSpec checkCommand();
CommandSpec emitCommand();
CommandSpec runCommand();
CommandSpec benchCommand();
CommandSpec explainCommand();
CommandSpec doctorCommand();
CommandSpec listCommand();
CommandSpec showCommand();
CommandSpec completionCommand();
CommandSpec cacheCommand();

/// The disk cache in a line, for doctor.
flexsn::Entry cacheFact();

/// Every command, in the order of help.
const std::vector<CommandSpec> &allCommands();
/// The command of that name; a usage error with the nearest name if there is none.
const CommandSpec &findCommand(const std::string &name);

/// The page of `flexsnc --help`, of `flexsnc NAME --help`; 80 columns.
std::string mainHelp();
std::string commandHelp(const CommandSpec &command);

} // namespace flexsn::cli
