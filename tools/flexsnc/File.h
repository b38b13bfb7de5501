// Reading and writing of whole files. A file appears under its name complete or not at all.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace flexsn::cli {

/// Reads up to `size` bytes into `data` and returns how many; fewer than `size` only at the end.
using ReadBytes = std::function<size_t(char *data, size_t size)>;

/// An open file, or standard input for the name `-`. Failures name the file and what the system said.
class InputFile {
public:
  explicit InputFile(const std::string &path);
  ~InputFile();
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;

  size_t read(char *data, size_t size);
  const std::string &name() const { return shownName; }

private:
  std::string shownName; ///< safe for a message; "standard input" for `-`
  int descriptor;
};

/// The whole of a text file; a failure if it has more than `limit` bytes (endless devices, wrong files).
std::string readTextFile(const std::string &path, size_t limit);

/// Writes all of `bytes` to an open file; false with errno set if that fails.
bool writeAll(int descriptor, std::string_view bytes);

/// Where a file written to `path` comes to lie: absolute, through every link, also one whose target is not there yet. A
/// loop of links is a failure that names `path`.
std::string destination(const std::string &path);

/// A result on its way to `path`: written to a temporary file beside it at once, given its name by `commit`, removed
/// otherwise. So of several results either all appear or, if one cannot be written, none. What is no regular file
/// (/dev/null, a pipe) is written in place, at `commit`.
class PendingFile {
public:
  PendingFile(const std::string &file, std::string_view bytes);
  PendingFile(PendingFile &&other) noexcept;
  PendingFile &operator=(PendingFile &&) = delete;
  ~PendingFile();

  void commit();
  /// Whether `commit` writes in place, which may fail half way.
  bool writesInPlace() const { return temporary.empty(); }

private:
  std::string name; ///< as the user wrote it, for messages
  std::string path;
  std::string temporary; ///< empty once committed, and for what is written in place
  std::string inPlace;
};

/// Publishes the results of a command, so that a failure leaves none behind: first what is written in place and `show`,
/// which prints to standard output, for these cannot be taken back; then the files get their names.
void publish(std::vector<PendingFile> files, const std::function<void()> &show);

} // namespace flexsn::cli
