// flexsnc list and flexsnc show: what comes with the library.
#include "tools/flexsnc/Command.h"
#include "tools/flexsnc/Json.h"
#include "tools/flexsnc/Sources.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>

namespace flexsn::cli {

namespace {

struct ListSpec {
  const char *name;
  flexsn::List list;
};
constexpr ListSpec libraryLists[] = {{"models", flexsn::List::models},
                                     {"surrogates", flexsn::List::surrogates},
                                     {"functions", flexsn::List::functions},
                                     {"lints", flexsn::List::lints},
                                     {"stages", flexsn::List::stages}};

/// The entries of a list by its name; the sources are this program's own.
std::vector<flexsn::Entry> entriesOf(const std::string &name) {
  std::vector<std::string> names;
  for (const ListSpec &spec : libraryLists) {
    if (name == spec.name)
      return flexsn::list(spec.list);
    names.emplace_back(spec.name);
  }
  names.emplace_back("sources");
  if (name != "sources")
    failUsage(fmt::format("there is no list of '{}'{}", printable(name), didYouMean(name, names)),
              fmt::format("lists are {}", enumerate(names)));
  std::vector<flexsn::Entry> entries;
  for (const SourceHelp &source : sourceHelp())
    entries.push_back({source.usage.substr(0, source.usage.find('(')), source.usage, source.meaning, ""});
  return entries;
}

ExitStatus runList(const Arguments &arguments, Console &console) {
  if (arguments.positionals.size() != 1)
    failUsage("one list at a time is shown", "flexsnc list models|surrogates|functions|lints|stages|sources");
  const std::string &name = arguments.positionals[0];
  std::vector<flexsn::Entry> entries = entriesOf(name);
  if (arguments.has("--json")) {
    Json document = newDocument();
    document[name] = Json::array();
    for (const flexsn::Entry &entry : entries)
      document[name].push_back({{"name", entry.name}, {"usage", entry.usage}, {"summary", entry.summary}});
    console.out(printed(document));
    return ExitStatus::Done;
  }
  auto shown = [&](const flexsn::Entry &entry) {
    return name == "models" ? "@" + entry.name : entry.usage.empty() ? entry.name : entry.usage;
  };
  size_t width = 0;
  for (const flexsn::Entry &entry : entries)
    width = std::max(width, std::min<size_t>(shown(entry).size(), 32));
  for (const flexsn::Entry &entry : entries) {
    std::string first = shown(entry);
    if (entry.summary.empty()) {
      console.out(first + "\n");
      continue;
    }
    std::string gap =
        first.size() <= width ? std::string(width + 2 - first.size(), ' ') : "\n" + std::string(width + 2, ' ');
    console.out(first + gap + wrapped(entry.summary, width + 2, width + 2) + "\n");
  }
  return ExitStatus::Done;
}

ExitStatus runShow(const Arguments &arguments, Console &console) {
  if (arguments.positionals.size() != 1)
    failUsage("one model at a time is shown", "flexsnc show @NAME");
  const std::string &wanted = arguments.positionals[0];
  std::vector<std::string> names;
  for (const flexsn::Entry &entry : flexsn::list(flexsn::List::models)) {
    names.push_back("@" + entry.name);
    if (names.back() == wanted) {
      console.out(entry.detail);
      return ExitStatus::Done;
    }
  }
  // Without the @, its letter would count as a mistake.
  std::string name = wanted.starts_with('@') ? wanted : "@" + wanted;
  failWrong(fmt::format("no model '{}' is shipped{}", printable(wanted), didYouMean(name, names)),
            "'flexsnc list models' shows them all");
}

} // namespace

CommandSpec listCommand() {
  return {"list",
          "List shipped models, built-in surrogates, functions and more.",
          {"[OPTION]... models|surrogates|functions|lints|stages|sources"},
          {"flexsnc list models", "flexsnc list functions", "flexsnc list surrogates --json"},
          {"--json"},
          runList};
}

CommandSpec showCommand() {
  return {"show",
          "Print the text of a shipped model.",
          {"[OPTION]... @NAME"},
          {"flexsnc show @LIF", "flexsnc show @Izhikevich > izhikevich.fsn", "flexsnc show @LIF | flexsnc check -"},
          {},
          runShow};
}

} // namespace flexsn::cli
