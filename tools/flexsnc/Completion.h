// What the completion scripts of all shells are made from.
#pragma once

#include "tools/flexsnc/Command.h"

#include <string>
#include <vector>

namespace flexsn::cli {

/// The commands, and the options of one of them (the common ones included), that are in this version.
std::vector<const CommandSpec *> presentCommands();
std::vector<const OptionSpec *> presentOptions(const CommandSpec &command);

/// The names of the commands, separated by blanks.
std::string commandWords();
/// Words that may stand behind a command besides files, separated by blanks.
std::string wordsFor(const CommandSpec &command);
/// Whether a FILE may stand there.
bool takesFiles(const CommandSpec &command);
/// The words that are offered as an option's argument, separated by blanks; empty if there are none to offer.
std::string valuesOf(const OptionSpec &option);

std::string bashScript();

} // namespace flexsn::cli
