// What the disk cache's tests share: a folder for the moment, entries, and what was logged.
#pragma once

#include "runtime/Cache.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace flexsn::test {

namespace fs = std::filesystem;

/// A folder that goes with its object.
class TemporaryFolder {
public:
  TemporaryFolder() : name(fs::temp_directory_path() / "flexsn-cache-XXXXXX") {
    if (!mkdtemp(name.data()))
      throw std::runtime_error("no temporary folder can be made");
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(name, ignored);
  }
  const std::string &path() const { return name; }

private:
  std::string name;
};

/// A cache in that folder, as FLEXSN_CACHE_DIR would have it.
inline CacheSettings settingsFor(const std::string &folder, CacheMode mode = CacheMode::On) {
  CacheSettings settings;
  settings.mode = mode;
  settings.folder = folder;
  settings.named = true;
  return settings;
}

/// 64 hexadecimal digits.
inline std::string keyNumber(unsigned number) { return fmt::format("{:08x}{:056x}", number, 7); }

/// Bytes of every value, different for each key.
inline std::string payloadOf(const std::string &key, size_t size = 300) {
  std::string payload = key;
  while (payload.size() < size)
    payload += static_cast<char>(payload.size() * 37);
  return payload;
}

inline CacheEntry entryNumber(unsigned number, size_t size = 300) {
  std::string key = keyNumber(number);
  return {key, fmt::format("entry {}", number), payloadOf(key, size)};
}

inline std::string fileOf(const std::string &folder, const std::string &key) {
  return folder + "/" + cacheFileName(key);
}

inline std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void writeFile(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// Names in a folder that end so, or all of them.
inline std::vector<std::string> namesIn(const std::string &folder, std::string_view ending = "") {
  std::vector<std::string> names;
  if (fs::exists(folder))
    for (const fs::directory_entry &entry : fs::directory_iterator(folder))
      if (entry.path().string().ends_with(ending))
        names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

inline std::vector<std::string> temporariesIn(const std::string &folder) { return namesIn(folder, "-tmp"); }

/// The lines that `body` logs.
template <class Body> std::vector<std::string> loggedBy(Body body) {
  testing::internal::CaptureStderr();
  body();
  std::string text = testing::internal::GetCapturedStderr();
  std::vector<std::string> lines;
  for (size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  return lines;
}

/// Sets back when a file was last used.
inline void age(const std::string &path, std::chrono::seconds by) {
  fs::last_write_time(path, fs::last_write_time(path) - by);
}

} // namespace flexsn::test
