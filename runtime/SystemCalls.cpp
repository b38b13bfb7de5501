#include "runtime/SystemCalls.h"

#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

namespace flexsn {

/// Locks of an open file, not of the process as F_SETLK's: another thread that closes the file releases nothing.
static int setLock(int file, int64_t place, short type) {
  struct flock lock{};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = place;
  lock.l_len = 1;
  return ::fcntl(file, F_OFD_SETLK, &lock);
}

// NOLINTNEXTLINE(bugprone-throwing-static-initialization): constinit, so that none of the lambdas is called
constinit const SystemCalls SystemCalls::system = {
    .makeFolder = ::mkdir,
    .openFolder = [](const char *path) { return ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC); },
    .open = [](int folder, const char *name, int flags, mode_t mode) { return ::openat(folder, name, flags, mode); },
    .status = [](int file, struct stat *out) { return ::fstat(file, out); },
    .statusAt = [](int folder, const char *name,
                   struct stat *out) { return ::fstatat(folder, name, out, AT_SYMLINK_NOFOLLOW); },
    .read = ::read,
    .write = ::write,
    .sync = ::fsync,
    .close = ::close,
    .rename = [](int folder, const char *from, const char *to) { return ::renameat(folder, from, folder, to); },
    .remove = ::unlinkat,
    .touch = [](int file) { return ::futimens(file, nullptr); },
    .lock = [](int file, int64_t place) { return setLock(file, place, F_WRLCK); },
    .unlock = [](int file, int64_t place) { return setLock(file, place, F_UNLCK); },
    .list = ::fdopendir,
    .next = ::readdir,
    .endList = ::closedir,
};

} // namespace flexsn
