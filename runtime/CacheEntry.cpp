#include "runtime/CacheEntry.h"

#include "runtime/Bytes.h"
#include "runtime/Hash.h"

#include <fmt/format.h>

namespace flexsn {

/// The line feed and the byte above 127 do not survive a transfer as text, so that one is noticed.
static constexpr std::string_view magic = "flexsn\x8a\n";
static constexpr std::string_view ending = ".flexsn";
static constexpr uint32_t format = 1;
static constexpr size_t keyDigits = 64;

std::string cacheFileName(std::string_view key) { return fmt::format("{}{}{}", key, ending, format); }

std::string_view keyOfCacheFile(std::string_view fileName) {
  auto all = [](std::string_view text, std::string_view digits) {
    return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
  };
  std::string_view key = fileName.substr(0, keyDigits), rest = fileName.substr(key.size());
  bool ours = key.size() == keyDigits && all(key, "0123456789abcdef") && rest.starts_with(ending) &&
              all(rest.substr(ending.size()), "0123456789");
  return ours ? key : std::string_view();
}

bool isOurFormat(std::string_view fileName) { return fileName == cacheFileName(keyOfCacheFile(fileName)); }

static std::string_view asText(const Sha256 &hash) {
  return {reinterpret_cast<const char *>(hash.data()), hash.size()};
}

std::string encodeEntry(const CacheEntry &entry) {
  ByteWriter body;
  body.text(entry.key);
  body.text(entry.label);
  body.text(entry.payload);
  ByteWriter file;
  file.raw(magic);
  file.number(format, 4);
  file.raw(asText(sha256(body.bytes)));
  file.raw(body.bytes);
  return std::move(file.bytes);
}

bool decodeEntry(std::string_view file, std::string_view key, CacheEntry &entry, std::string &damage) {
  ByteReader reader(file);
  bool known = reader.raw(magic.size()) == magic && reader.number(4) == format;
  std::string_view hash = reader.raw(Sha256().size());
  std::string_view body = file.substr(file.size() - reader.left());
  std::string_view storedKey = reader.text(), label = reader.text(), payload = reader.text();
  if (!known || !reader.finished() || hash != asText(sha256(body)))
    damage = "it is cut short, or its bytes have changed";
  else if (storedKey != key)
    damage = "it is the entry of another key";
  else
    entry = {std::string(storedKey), std::string(label), std::string(payload)};
  return damage.empty();
}

} // namespace flexsn
