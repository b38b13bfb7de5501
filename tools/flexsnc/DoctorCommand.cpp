// flexsnc doctor: what was found on this machine.
#include "tools/flexsnc/Command.h"
#include "tools/flexsnc/Json.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>

namespace flexsn::cli {

static ExitStatus runDoctor(const Arguments &arguments, Console &console) {
  if (!arguments.positionals.empty())
    failUsage(fmt::format("'doctor' takes no argument; '{}' is one", printable(arguments.positionals[0])));
  std::vector<flexsn::Entry> facts = flexsn::list(flexsn::List::facts);
  facts.push_back(cacheFact());
  if (arguments.has("--json")) {
    Json document = newDocument();
    document["facts"] = Json::object();
    for (const flexsn::Entry &fact : facts)
      document["facts"][fact.name] = {{"value", fact.usage}, {"note", fact.summary}};
    console.out(printed(document));
    return ExitStatus::Done;
  }
  size_t width = 0;
  for (const flexsn::Entry &fact : facts)
    width = std::max(width, fact.name.size());
  for (const flexsn::Entry &fact : facts) {
    std::string text = fact.usage;
    if (!fact.summary.empty())
      text += fmt::format("{}({})", text.empty() ? "" : " ", fact.summary);
    console.out(fmt::format("{:<{}}  {}\n", fact.name, width, wrapped(text, width + 2, width + 2)));
  }
  return ExitStatus::Done;
}

CommandSpec doctorCommand() {
  return {"doctor",        "Say what was found on this machine, and why something is missing.",
          {"[OPTION]..."}, {"flexsnc doctor", "flexsnc doctor --json", "flexsnc doctor > report.txt"},
          {"--json"},      runDoctor};
}

} // namespace flexsn::cli
