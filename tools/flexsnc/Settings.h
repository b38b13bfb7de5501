// Values that the command line gives to names of a model.
#pragma once

#include "tools/flexsnc/Command.h"

#include <flexsn/flexsn.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace flexsn::cli {

/// Whether a name is among others.
bool contains(const std::vector<std::string> &names, const std::string &name);
std::vector<std::string> namesOf(const std::vector<flexsn::Part> &parts);

/// The type of the part that has that name, or that stored operand.
flexsn::Type typeOf(const std::vector<flexsn::Part> &parts, const std::string &name);

/// The number that a text gives to a name of the model; nothing if it is none. Only a bool is true or false.
std::optional<double> numberFor(const char *option, const std::string &name, flexsn::Type type,
                                const std::string &text);

/// A usage error: the model has no `kind` of that name, with the nearest one and all that there are.
[[noreturn]] void failName(const char *option, const std::string &model, const char *kind, const std::string &name,
                           const std::vector<std::string> &known);

/// One --set: a parameter under one of its names, and what it is set to.
struct Setting {
  std::string name;
  std::optional<double> number;
  std::string file; ///< where it is no number
};
/// The values of --set. Usage errors: a name that is no parameter, one given twice, what is no number for a parameter
/// without dims.
std::vector<Setting> parseSettings(const Arguments &arguments, const flexsn::Model &model);
/// The same where only numbers will do: a usage error for anything else.
std::vector<std::pair<std::string, double>> parseNumbers(const Arguments &arguments, const flexsn::Model &model);

/// A whole number from `least` on; a usage error for anything else.
int64_t parseCount(const char *option, const std::string &text, int64_t least);

/// The type of each name of the model that can be delivered.
std::vector<std::pair<std::string, flexsn::Type>> typesOfNames(const flexsn::Model &model);

} // namespace flexsn::cli
