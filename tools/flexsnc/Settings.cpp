#include "tools/flexsnc/Settings.h"

#include "tools/flexsnc/ModelFile.h"
#include "tools/flexsnc/Text.h"
#include "tools/flexsnc/Value.h"

#include <fmt/format.h>

#include <algorithm>

namespace flexsn::cli {

bool contains(const std::vector<std::string> &names, const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> namesOf(const std::vector<flexsn::Part> &parts) {
  std::vector<std::string> names;
  for (const flexsn::Part &part : parts)
    names.push_back(part.name);
  return names;
}

flexsn::Type typeOf(const std::vector<flexsn::Part> &parts, const std::string &name) {
  auto part = std::find_if(parts.begin(), parts.end(),
                           [&](const flexsn::Part &part) { return part.name == name || part.operand == name; });
  return part == parts.end() ? flexsn::Type::floating : part->type;
}

std::optional<double> numberFor(const char *option, const std::string &name, flexsn::Type type,
                                const std::string &text) {
  std::optional<Value> value = parseValue(text, fmt::format("{} {}", option, name));
  if (value && value->truth && type != flexsn::Type::boolean)
    failUsage(fmt::format("'{} {}': {} is a bool, but '{}' is {}", option, name, trimmed(text), name,
                          type == flexsn::Type::integer ? "an int" : "a float"));
  return value ? std::optional(value->number) : std::nullopt;
}

void failName(const char *option, const std::string &model, const char *kind, const std::string &name,
              const std::vector<std::string> &known) {
  failUsage(fmt::format("'{}': {} has no {} '{}'{}", option, model, kind, printable(name), didYouMean(name, known)),
            known.empty() ? fmt::format("it has no {} at all", kind) : fmt::format("it has {}", enumerate(known)));
}

/// Whether a parameter has dims, by the text or by --dims.
static bool hasDims(const Arguments &arguments, const std::vector<flexsn::Part> &params, const std::string &name) {
  auto part = std::find_if(params.begin(), params.end(),
                           [&](const flexsn::Part &part) { return part.name == name || part.operand == name; });
  const std::vector<std::string> &given = arguments.all("--dims");
  return part != params.end() && (part->dims != 0 || std::any_of(given.begin(), given.end(), [&](const auto &text) {
                                    return splitAssignment("--dims", text).first == part->name;
                                  }));
}

std::vector<Setting> parseSettings(const Arguments &arguments, const flexsn::Model &model) {
  std::vector<Setting> settings;
  std::vector<flexsn::Part> params = model.params();
  std::vector<std::string> known;
  for (const flexsn::Part &part : params) {
    known.push_back(part.name);
    if (part.operand != part.name)
      known.push_back(part.operand);
  }
  for (const std::string &text : arguments.all("--set")) {
    auto [name, value] = splitAssignment("--set", text);
    if (!contains(known, name))
      failName("--set", model.name(), "parameter", name, known);
    for (const Setting &setting : settings)
      if (setting.name == name)
        failUsage(fmt::format("'--set {}' is given twice", name));
    std::optional<double> number = numberFor("--set", name, typeOf(params, name), value);
    if (!number && !hasDims(arguments, params, name))
      failUsage(fmt::format("'--set {}': '{}' is no number", name, printable(value)),
                value.ends_with(".npy") ? fmt::format("an array takes dims, e.g. --dims {}=channel", name) : "");
    settings.push_back({name, number, value});
  }
  return settings;
}

std::vector<std::pair<std::string, double>> parseNumbers(const Arguments &arguments, const flexsn::Model &model) {
  std::vector<std::pair<std::string, double>> numbers;
  for (const Setting &setting : parseSettings(arguments, model)) {
    if (!setting.number)
      failUsage(fmt::format("'--set {}': '{}' is no number", setting.name, printable(setting.file)));
    numbers.emplace_back(setting.name, *setting.number);
  }
  return numbers;
}

int64_t parseCount(const char *option, const std::string &text, int64_t least) {
  std::optional<int64_t> value = parseInteger(text);
  if (!value || *value < least)
    failUsage(fmt::format("'{}' is a whole number from {}, not '{}'", option, least, printable(text)));
  return *value;
}

std::vector<std::pair<std::string, flexsn::Type>> typesOfNames(const flexsn::Model &model) {
  std::vector<std::pair<std::string, flexsn::Type>> types;
  for (size_t i = 0, count = flexsn_model_part_count(model.capi(), FLEXSN_NAME); i < count; ++i) {
    flexsn_part part{};
    part.struct_size = sizeof part;
    flexsn::detail::check(flexsn_model_part(model.capi(), FLEXSN_NAME, i, &part));
    types.emplace_back(part.name, static_cast<flexsn::Type>(part.type));
  }
  return types;
}

} // namespace flexsn::cli
