#include "runtime/CacheSettings.h"

#include "compiler/frontend/Names.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <optional>

namespace flexsn {

static constexpr std::string_view modeNames[] = {"off", "read-only", "on"};

std::string_view cacheModeName(CacheMode mode) { return modeNames[static_cast<size_t>(mode)]; }

/// "1000", "64K", "512M", "2G"; nothing for other texts and for what is too large.
static std::optional<uint64_t> amount(std::string_view text, bool suffixes) {
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  if (error != std::errc())
    return std::nullopt;
  if (unit.empty())
    return value;
  size_t power = std::string_view("KMG").find(unit);
  if (!suffixes || unit.size() != 1 || power == std::string_view::npos)
    return std::nullopt;
  unsigned shift = 10 * static_cast<unsigned>(power + 1);
  return value <= (UINT64_MAX >> shift) ? std::optional(value << shift) : std::nullopt;
}

namespace {

/// Reads the variables one by one and collects what is wrong with them.
class Reader {
public:
  explicit Reader(const Environment &environment) : environment(environment) {}

  CacheSettings read() {
    readMode();
    readFolder();
    readLimit("FLEXSN_CACHE_SIZE", environment.cacheSize, true, "a number of bytes, or with K, M or G",
              settings.maxBytes);
    readLimit("FLEXSN_CACHE_ENTRIES", environment.cacheEntries, false, "a number", settings.maxEntries);
    return std::move(settings);
  }

private:
  void complain(const std::string &words) { settings.problem += (settings.problem.empty() ? "" : "; ") + words; }

  void readMode() {
    const std::string &wanted = environment.cache;
    for (size_t i = 0; i < std::size(modeNames); ++i)
      if (lowered(wanted) == modeNames[i])
        settings.mode = static_cast<CacheMode>(i);
    if (!wanted.empty() && lowered(wanted) != cacheModeName(settings.mode))
      complain(fmt::format("FLEXSN_CACHE is '{}', but it is on, read-only or off; taken for on", wanted));
  }

  /// A relative name means the folder where the program started, wherever it goes later.
  void readFolder() {
    if (!environment.cacheDirectory.empty()) {
      std::error_code failed;
      std::filesystem::path absolute = std::filesystem::absolute(environment.cacheDirectory, failed);
      settings.folder = failed ? environment.cacheDirectory : absolute.lexically_normal().string();
      settings.named = true;
    } else if (environment.xdgCacheHome.starts_with('/')) { // its rules: a relative one is to be ignored
      settings.folder = environment.xdgCacheHome + "/flexsn";
    } else if (environment.home.starts_with('/')) {
      settings.folder = environment.home + "/.cache/flexsn";
    } else if (settings.mode != CacheMode::Off) {
      complain(fmt::format("there is no disk cache, since HOME is {}: set FLEXSN_CACHE_DIR, or FLEXSN_CACHE=off",
                           environment.home.empty() ? "not set" : "no absolute path"));
    }
  }

  void readLimit(std::string_view name, const std::string &text, bool suffixes, std::string_view form,
                 uint64_t &limit) {
    if (std::optional<uint64_t> value = amount(text, suffixes))
      limit = *value;
    else if (!text.empty())
      complain(fmt::format("{} is '{}', but it is {}; taken for {}", name, text, form, limit));
  }

  const Environment &environment;
  CacheSettings settings;
};

} // namespace

CacheSettings CacheSettings::from(const Environment &environment) { return Reader(environment).read(); }

} // namespace flexsn
