// flexsnc cache: the disk cache looked at, checked and emptied.
#include "tools/flexsnc/Command.h"
#include "tools/flexsnc/Json.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace flexsn::cli {

namespace {

/// The settings, of a cache that has a directory. One that is off is looked after all the same.
flexsn::CacheSettings requireSettings(Console &console) {
  flexsn::CacheSettings settings = flexsn::cache_settings();
  if (settings.directory.empty())
    failWrong(settings.problem.empty() ? "there is no disk cache: FLEXSN_CACHE is off, and no directory is set"
                                       : settings.problem);
  if (settings.mode == flexsn::CacheMode::off)
    console.note("FLEXSN_CACHE is off: nothing is read from this directory or kept in it");
  return settings;
}

const char *modeName(flexsn::CacheMode mode) {
  switch (mode) {
  case flexsn::CacheMode::off: return "off";
  case flexsn::CacheMode::read_only: return "read-only";
  case flexsn::CacheMode::on: return "on";
  }
  return "on";
}

uint64_t bytesOf(const std::vector<flexsn::CacheEntry> &entries) {
  uint64_t bytes = 0;
  for (const flexsn::CacheEntry &entry : entries)
    bytes += entry.bytes;
  return bytes;
}

/// "3 entries, 7.1 KiB"
std::string amount(const std::vector<flexsn::CacheEntry> &entries) {
  std::string count = entries.size() == 1 ? "1 entry" : grouped(entries.size()) + " entries";
  return fmt::format("{}, {}", count, bytesText(bytesOf(entries)));
}

/// "5 min", of a time in the past.
std::string ageText(int64_t since) {
  int64_t minutes = std::max<int64_t>(0, (static_cast<int64_t>(std::time(nullptr)) - since) / 60);
  if (minutes < 1)
    return "now";
  if (minutes < 60)
    return fmt::format("{} min", minutes);
  int64_t hours = minutes / 60;
  return hours < 48 ? fmt::format("{} h", hours) : fmt::format("{} days", hours / 24);
}

Json document(const flexsn::CacheSettings &settings, const std::vector<flexsn::CacheEntry> &entries) {
  Json json = newDocument();
  json["directory"] = settings.directory;
  json["mode"] = modeName(settings.mode);
  json["max_bytes"] = settings.max_bytes;
  json["max_entries"] = settings.max_entries;
  json["bytes"] = bytesOf(entries);
  json["entries"] = Json::array();
  for (const flexsn::CacheEntry &entry : entries)
    json["entries"].push_back({{"key", entry.key},
                               {"label", entry.label},
                               {"bytes", entry.bytes},
                               {"used", entry.used},
                               {"damage", entry.damage.empty() ? Json() : Json(entry.damage)},
                               {"removed", entry.removed}});
  return json;
}

/// "KEY: it is cut short, or its bytes have changed; removed" for each damaged entry.
void printDamage(const std::vector<flexsn::CacheEntry> &entries, Console &console) {
  for (const flexsn::CacheEntry &entry : entries)
    if (!entry.damage.empty())
      console.out(fmt::format("{}: {}; {}\n", entry.key, entry.damage, entry.removed ? "removed" : "not removed"));
}

void printList(const flexsn::CacheSettings &settings, const std::vector<flexsn::CacheEntry> &entries,
               Console &console) {
  for (const flexsn::CacheEntry &entry : entries)
    console.out(fmt::format("{}  {:>9}  {:>8}  {}\n", entry.key.substr(0, 12), bytesText(entry.bytes),
                            ageText(entry.used), entry.damage.empty() ? printable(entry.label) : entry.damage));
  console.note(
      fmt::format("{} of {} in {}", amount(entries), bytesText(settings.max_bytes), printable(settings.directory)));
}

ExitStatus runPath(const Arguments &arguments, Console &console) {
  flexsn::CacheSettings settings = requireSettings(console);
  Json json = newDocument();
  json["directory"] = settings.directory;
  console.out(arguments.has("--json") ? printed(json) : printable(settings.directory) + "\n");
  return ExitStatus::Done;
}

ExitStatus runList(const Arguments &arguments, Console &console) {
  flexsn::CacheSettings settings = requireSettings(console);
  std::vector<flexsn::CacheEntry> entries = flexsn::cache_inspect(flexsn::CacheAction::list);
  if (arguments.has("--json"))
    console.out(printed(document(settings, entries)));
  else
    printList(settings, entries, console);
  return ExitStatus::Done;
}

ExitStatus runVerify(const Arguments &arguments, Console &console) {
  flexsn::CacheSettings settings = requireSettings(console);
  std::vector<flexsn::CacheEntry> entries = flexsn::cache_inspect(flexsn::CacheAction::verify);
  auto isDamaged = [](const flexsn::CacheEntry &entry) { return !entry.damage.empty(); };
  auto damaged = static_cast<size_t>(std::count_if(entries.begin(), entries.end(), isDamaged));
  std::vector<flexsn::CacheEntry> left = entries;
  std::erase_if(left, [](const flexsn::CacheEntry &entry) { return entry.removed; });
  if (arguments.has("--json")) {
    console.out(printed(document(settings, entries)));
  } else {
    printDamage(entries, console);
    std::string found =
        damaged ? fmt::format("{} damaged, {} removed", grouped(damaged), grouped(entries.size() - left.size()))
                : "all as they were written";
    console.note(fmt::format("{} in {}: {}", amount(left), printable(settings.directory), found));
  }
  return damaged ? ExitStatus::Wrong : ExitStatus::Done;
}

ExitStatus runClear(const Arguments &arguments, Console &console) {
  flexsn::CacheSettings settings = requireSettings(console);
  std::vector<flexsn::CacheEntry> entries = flexsn::cache_inspect(flexsn::CacheAction::clear);
  if (arguments.has("--json"))
    console.out(printed(document(settings, entries)));
  else
    console.note(fmt::format("removed {} from {}", amount(entries), printable(settings.directory)));
  return ExitStatus::Done;
}

struct Action {
  const char *name;
  ExitStatus (*run)(const Arguments &arguments, Console &console);
};
constexpr Action actions[] = {{"list", runList}, {"path", runPath}, {"verify", runVerify}, {"clear", runClear}};

ExitStatus runCache(const Arguments &arguments, Console &console) {
  std::vector<std::string> names;
  if (arguments.positionals.size() != 1)
    failUsage("one action is wanted", "flexsnc cache list|path|verify|clear");
  for (const Action &action : actions) {
    if (arguments.positionals[0] == action.name)
      return action.run(arguments, console);
    names.emplace_back(action.name);
  }
  failUsage(fmt::format("'cache' cannot '{}'{}", printable(arguments.positionals[0]),
                        didYouMean(arguments.positionals[0], names)),
            fmt::format("actions are {}", enumerate(names)));
}

std::string actionHelp() {
  return "Actions:\n"
         "  list                      every entry: key, size, last use, what it is\n"
         "  path                      the directory\n"
         "  verify                    reads every entry; removes the damaged ones, and\n"
         "                            ends with 1 if there were any\n"
         "  clear                     removes every entry\n"
         "\n"
         "Limits are set by the variables FLEXSN_CACHE_SIZE (1G) and FLEXSN_CACHE_ENTRIES\n"
         "(10000); what was not used for longest goes first.\n";
}

} // namespace

flexsn::Entry cacheFact() {
  flexsn::CacheSettings settings = flexsn::cache_settings();
  if (settings.directory.empty())
    return {"cache", modeName(flexsn::CacheMode::off), settings.problem, ""};
  std::string note;
  try {
    note = fmt::format("{} of {}", amount(flexsn::cache_inspect(flexsn::CacheAction::list)),
                       bytesText(settings.max_bytes));
  } catch (const flexsn::Error &error) {
    note = error.message();
  }
  return {
      "cache", settings.directory,
      fmt::format("{}: {}{}{}", modeName(settings.mode), note, settings.problem.empty() ? "" : "; ", settings.problem),
      ""};
}

CommandSpec cacheCommand() {
  return {"cache",
          "Look after the disk cache of compiled programs.",
          {"[OPTION]... list|path|verify|clear"},
          {"flexsnc cache list", "flexsnc cache verify --json", "flexsnc cache clear"},
          {"--json"},
          runCache,
          nullptr,
          actionHelp};
}

} // namespace flexsn::cli
