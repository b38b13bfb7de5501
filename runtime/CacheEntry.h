// One entry of the disk cache as a file: what is in it, and how damage is seen.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace flexsn {

/// What a cache keeps under a key. It knows nothing of what the payload means.
struct CacheEntry {
  std::string key;   ///< 64 hexadecimal digits
  std::string label; ///< what it is, for people: "LIF inference f32 linear"
  std::string payload;
};

/// An entry's file name: the key, and the format's number.
std::string cacheFileName(std::string_view key);
/// The key in a file name; empty if it is not an entry's name.
std::string_view keyOfCacheFile(std::string_view fileName);
/// Whether an entry's file is of this format. Other versions of the library, which share the folder, have others.
bool isOurFormat(std::string_view fileName);

/// The file: magic, format, SHA-256 of all behind it, then the lengths and bytes of key, label and payload.
std::string encodeEntry(const CacheEntry &entry);

/// Takes a file apart. Anything that encodeEntry did not write for this `key` is refused: false, and in `damage`, which
/// comes empty, what is wrong, in words.
bool decodeEntry(std::string_view file, std::string_view key, CacheEntry &entry, std::string &damage);

/// No entry is larger; what pretends to be is damaged.
constexpr uint64_t maxEntryBytes = uint64_t{256} << 20;

} // namespace flexsn
