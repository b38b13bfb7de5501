#include "tools/flexsnc/File.h"

#include "tools/flexsnc/Failure.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace flexsn::cli {

[[noreturn]] static void failSystem(const char *doing, const std::string &path, int error) {
  failWrong(fmt::format("cannot {} '{}': {}", doing, printable(path), std::strerror(error)));
}

InputFile::InputFile(const std::string &path)
    : shownName(path == "-" ? "standard input" : printable(path)), descriptor(STDIN_FILENO) {
  if (path == "-")
    return;
  descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    failSystem("open", path, errno);
}

InputFile::~InputFile() {
  if (descriptor != STDIN_FILENO)
    ::close(descriptor);
}

size_t InputFile::read(char *data, size_t size) {
  size_t done = 0;
  while (done < size) {
    ssize_t count = ::read(descriptor, data + done, size - done);
    if (count == 0)
      break;
    if (count > 0)
      done += static_cast<size_t>(count);
    else if (errno != EINTR)
      failSystem("read", shownName, errno);
  }
  return done;
}

std::string readTextFile(const std::string &path, size_t limit) {
  InputFile file(path);
  std::string text;
  char piece[65536];
  while (size_t count = file.read(piece, sizeof piece)) {
    text.append(piece, count);
    if (text.size() > limit)
      failWrong(fmt::format("'{}' has more than {} bytes, which is no model text", file.name(), grouped(limit)));
  }
  return text;
}

bool writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count >= 0)
      bytes.remove_prefix(static_cast<size_t>(count));
    else if (errno != EINTR)
      return false;
  }
  return true;
}

std::string destination(const std::string &path) {
  namespace fs = std::filesystem;
  std::error_code ignored; // what cannot be looked at is reported by the write itself
  fs::path target = path;
  for (int links = 0; fs::is_symlink(fs::symlink_status(target, ignored)); ++links) {
    if (links == 40) // the kernel's own limit
      failSystem("write", path, ELOOP);
    target = target.parent_path() / fs::read_symlink(target, ignored); // an absolute link replaces the folder
  }
  fs::path folder = fs::canonical(target.has_parent_path() ? target.parent_path() : fs::path("."), ignored);
  return folder.empty() ? target.string() : (folder / target.filename()).string();
}

/// The permissions that open(2) would have given a new file; mkstemp gives 0600.
static mode_t newFileMode() {
  mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

PendingFile::PendingFile(const std::string &file, std::string_view bytes) : name(file), path(destination(file)) {
  struct stat status{};
  bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    failSystem("write", name, EISDIR);
  if (exists && ::access(path.c_str(), W_OK) != 0)
    failSystem("write", name, errno); // a rename would replace a write-protected file
  if (exists && !S_ISREG(status.st_mode)) {
    inPlace = bytes;
    return;
  }
  std::string pattern = path + ".XXXXXX";
  int descriptor = ::mkostemp(pattern.data(), O_CLOEXEC);
  if (descriptor < 0)
    failSystem("write", name, errno);
  temporary = pattern;
  try {
    if (!writeAll(descriptor, bytes) || ::fchmod(descriptor, exists ? status.st_mode & 07777 : newFileMode()) != 0)
      failSystem("write", name, errno);
  } catch (...) {
    ::close(descriptor);
    ::unlink(temporary.c_str());
    throw;
  }
  if (::close(descriptor) != 0) {
    int error = errno;
    ::unlink(temporary.c_str());
    failSystem("write", name, error);
  }
}

PendingFile::PendingFile(PendingFile &&other) noexcept
    : name(std::move(other.name)), path(std::move(other.path)), temporary(std::exchange(other.temporary, {})),
      inPlace(std::move(other.inPlace)) {}

PendingFile::~PendingFile() {
  if (!temporary.empty())
    ::unlink(temporary.c_str());
}

void PendingFile::commit() {
  if (temporary.empty()) {
    int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
      failSystem("write", name, errno);
    std::string bytes = std::exchange(inPlace, {});
    int error = writeAll(descriptor, bytes) ? 0 : errno;
    ::close(descriptor);
    if (error)
      failSystem("write", name, error);
    return;
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0)
    failSystem("write", name, errno);
  temporary.clear();
}

void publish(std::vector<PendingFile> files, const std::function<void()> &show) {
  std::vector<PendingFile *> renamed; // looked at before the first commit, which changes the answer
  for (PendingFile &file : files)
    if (file.writesInPlace())
      file.commit();
    else
      renamed.push_back(&file);
  show();
  for (PendingFile *file : renamed)
    file->commit();
}

} // namespace flexsn::cli
