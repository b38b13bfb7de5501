#include "runtime/CacheFolder.h"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace flexsn {

namespace {

constexpr int64_t nanoseconds = 1'000'000'000; ///< in a second
constexpr std::string_view temporaryEnding = ".flexsn-tmp";

/// Calls again after a signal, but not for ever.
template <class Call> auto uninterrupted(Call call) {
  auto result = call();
  for (int attempt = 0; result == -1 && errno == EINTR && attempt < 100; ++attempt)
    result = call();
  return result;
}

/// A name that no other process, here or on another machine, takes at the same time; O_EXCL settles what is left.
std::string temporaryName(const std::string &name) {
  static std::atomic<uint32_t> count{0};
  auto now = static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  return fmt::format("{}.{}-{:x}-{}{}", name, ::getpid(), now, count.fetch_add(1), temporaryEnding);
}

/// Closes a file that was read. That cannot lose anything.
class Closer {
public:
  Closer(const SystemCalls &calls, int file) : calls(calls), file(file) {}
  Closer(const Closer &) = delete;
  Closer &operator=(const Closer &) = delete;
  ~Closer() { calls.close(file); }

private:
  const SystemCalls &calls;
  int file;
};

/// `ulimit -f` ends a process that writes more than it allows. While this lives, the write fails instead.
class FileSizeSignal {
public:
  FileSizeSignal() {
    sigemptyset(&signal);
    sigaddset(&signal, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal, &before);
  }
  FileSizeSignal(const FileSizeSignal &) = delete;
  FileSizeSignal &operator=(const FileSizeSignal &) = delete;
  ~FileSizeSignal() {
    int code = errno;
    if (!sigismember(&before, SIGXFSZ)) {
      timespec now{};
      while (sigtimedwait(&signal, nullptr, &now) == -1 && errno == EINTR) {
      }
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    errno = code;
  }

private:
  sigset_t signal{}, before{};
};

} // namespace

std::string CacheProblem::words() const {
  return code ? fmt::format("{} {}: {}", call, file, std::generic_category().message(code))
              : fmt::format("{}: {}", file, call);
}

bool CacheFolder::fail(CacheProblem &problem, const char *call, std::string_view name) const {
  int code = errno;
  problem = {call, name.empty() ? settings.folder : fmt::format("{}/{}", settings.folder, name), code};
  return false;
}

CacheFolder::CacheFolder(const SystemCalls &calls, const CacheSettings &settings, bool create, CacheProblem &problem)
    : calls(calls), settings(settings) {
  auto open = [&] { return uninterrupted([&] { return calls.openFolder(settings.folder.c_str()); }); };
  const char *call = "open";
  descriptor = open();
  if (descriptor < 0 && errno == ENOENT && create) {
    call = make() ? "open" : "mkdir";
    if (call == std::string_view("open"))
      descriptor = open();
  }
  if (descriptor < 0 && errno == ENOENT && isLink())
    problem = {"the folder is a link to nothing, so it is not used as a cache", settings.folder, 0};
  else if (descriptor < 0)
    fail(problem, call, "");
  else if (!settings.named && !trusted(problem))
    calls.close(std::exchange(descriptor, -1));
}

CacheFolder::~CacheFolder() {
  if (descriptor >= 0)
    calls.close(descriptor);
}

/// Makes the folder and, as far as they are missing, those above it: of the default one no more than ~/.cache, since a
/// home that is not there is not meant to be. One above may refuse to be made and yet be there, as on a read-only
/// system: the last one decides.
bool CacheFolder::make() const {
  const std::string &path = settings.folder;
  mode_t mode = settings.named ? 0777 : 0700;
  int above = ENOENT;
  size_t first = settings.named ? path.find('/', 1) : path.rfind('/');
  for (size_t end = first; end != std::string::npos; end = path.find('/', end + 1))
    if (calls.makeFolder(path.substr(0, end).c_str(), mode) != 0 && errno != EEXIST)
      above = errno;
  bool made = calls.makeFolder(path.c_str(), mode) == 0 || errno == EEXIST;
  if (!made && errno == ENOENT)
    errno = above; // why there is nothing to make it in
  return made;
}

/// Whether the name is that of a link: one to nothing can neither be opened nor made. Leaves errno as it is.
bool CacheFolder::isLink() const {
  int code = errno;
  struct stat about{};
  bool link = calls.statusAt(AT_FDCWD, settings.folder.c_str(), &about) == 0 && S_ISLNK(about.st_mode);
  errno = code;
  return link;
}

/// Whoever may write here may have his code run by us.
bool CacheFolder::trusted(CacheProblem &problem) const {
  struct stat about{};
  if (calls.status(descriptor, &about) != 0)
    return fail(problem, "fstat", "");
  const char *refusal = about.st_uid != ::geteuid() ? "the folder belongs to another user, so it is not used as a cache"
                        : (about.st_mode & 022) != 0 ? "others may write to the folder, so it is not used as a cache"
                                                     : nullptr;
  if (refusal)
    problem = {refusal, settings.folder, 0};
  return !refusal;
}

CacheRead CacheFolder::read(const std::string &name, uint64_t limit, bool touch, std::string &bytes,
                            CacheProblem &problem) const {
  constexpr time_t hour = 3600; // a write per hit would cost more than the order among hot entries is worth
  int file = uninterrupted(
      [&] { return calls.open(descriptor, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0); });
  if (file < 0) {
    if (errno == ENOENT)
      return CacheRead::Absent;
    if (errno == ELOOP || errno == ENXIO) // a link, a socket
      return CacheRead::NoFile;
    fail(problem, "open", name);
    return CacheRead::Failed;
  }
  Closer closer(calls, file);
  struct stat about{};
  if (calls.status(file, &about) != 0) {
    fail(problem, "fstat", name);
    return CacheRead::Failed;
  }
  if (!S_ISREG(about.st_mode) || static_cast<uint64_t>(about.st_size) > limit)
    return CacheRead::NoFile;
  bytes.resize(static_cast<size_t>(about.st_size));
  for (size_t done = 0; done < bytes.size();) {
    ssize_t got = uninterrupted([&] { return calls.read(file, bytes.data() + done, bytes.size() - done); });
    if (got < 0) {
      fail(problem, "read", name);
      return CacheRead::Failed;
    }
    if (got == 0)
      bytes.resize(done); // cut meanwhile; the checksum will say so
    done += static_cast<size_t>(got);
  }
  if (touch && about.st_mtime + hour < std::time(nullptr))
    calls.touch(file); // a hit all the same if that is not allowed
  return CacheRead::Done;
}

bool CacheFolder::writeBytes(int file, std::string_view bytes) const {
  FileSizeSignal held;
  while (!bytes.empty()) {
    ssize_t written = uninterrupted([&] { return calls.write(file, bytes.data(), bytes.size()); });
    if (written == 0)
      errno = EIO; // a file system that takes nothing and says nothing
    if (written <= 0)
      return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

/// Writes, syncs and closes a new file. The call that failed, with its errno, or null. Without fsync a crash of the
/// machine may leave the name with none of the bytes: the checksum would find that, at the price of a compilation.
const char *CacheFolder::fill(int file, std::string_view bytes) const {
  const char *failed = !writeBytes(file, bytes)                               ? "write"
                       : uninterrupted([&] { return calls.sync(file); }) != 0 ? "fsync"
                                                                              : nullptr;
  int code = errno;
  if (calls.close(file) != 0 && !failed)
    return "close";
  errno = code;
  return failed;
}

bool CacheFolder::write(const std::string &name, std::string_view bytes, CacheProblem &problem) const {
  std::string temporary = temporaryName(name);
  mode_t mode = settings.named ? 0666 : 0600;
  int file = uninterrupted([&] {
    return calls.open(descriptor, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
  });
  if (file < 0)
    return fail(problem, "create", temporary);
  const char *failed = fill(file, bytes);
  if (!failed && uninterrupted([&] { return calls.rename(descriptor, temporary.c_str(), name.c_str()); }) != 0)
    failed = "rename";
  if (!failed)
    return true;
  fail(problem, failed, temporary);
  CacheProblem unsaid; // the first failure is the one to tell
  remove(temporary, unsaid);
  return false;
}

bool CacheFolder::remove(const std::string &name, CacheProblem &problem) const {
  auto removed = [&](int flags) {
    return uninterrupted([&] { return calls.remove(descriptor, name.c_str(), flags); }) == 0 || errno == ENOENT;
  };
  // A folder answers EISDIR here, EPERM elsewhere.
  return removed(0) || ((errno == EISDIR || errno == EPERM) && removed(AT_REMOVEDIR)) || fail(problem, "remove", name);
}

bool CacheFolder::list(std::vector<CacheFile> &files, CacheProblem &problem) const {
  // A listing owns its descriptor and moves its offset: a second one, of the same folder.
  int second = calls.open(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (second < 0)
    return fail(problem, "open", "");
  DIR *listing = calls.list(second);
  if (!listing) {
    fail(problem, "list", "");
    calls.close(second);
    return false;
  }
  bool good = true;
  for (;;) {
    errno = 0;
    dirent *entry = calls.next(listing);
    if (!entry) {
      good = errno == 0 || fail(problem, "readdir", "");
      break;
    }
    std::string name = entry->d_name;
    struct stat about{};
    if (name == "." || name == ".." || calls.statusAt(descriptor, name.c_str(), &about) != 0)
      continue; // removed meanwhile
    files.push_back({std::move(name), static_cast<uint64_t>(about.st_size),
                     about.st_mtim.tv_sec * nanoseconds + about.st_mtim.tv_nsec});
  }
  calls.endList(listing);
  return good;
}

std::optional<int> CacheFolder::openLocks(CacheProblem &problem) const {
  mode_t mode = settings.named ? 0666 : 0600;
  int file = calls.open(descriptor, locksName, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode);
  if (file >= 0)
    return file;
  fail(problem, "open", locksName);
  return std::nullopt;
}

bool CacheFolder::isTemporary(std::string_view name) { return name.ends_with(temporaryEnding); }

} // namespace flexsn
