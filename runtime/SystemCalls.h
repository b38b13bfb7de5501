// Every call by which the disk cache reaches the file system, in one table, so that a test can let any of them fail.
#pragma once

#include <cstdint>

#include <dirent.h>
#include <sys/stat.h>
#include <sys/types.h>

namespace flexsn {

/// As POSIX has them: -1 (or null) and errno on failure.
struct SystemCalls {
  int (*makeFolder)(const char *path, mode_t mode);
  int (*openFolder)(const char *path);
  int (*open)(int folder, const char *name, int flags, mode_t mode);
  int (*status)(int file, struct stat *out);
  int (*statusAt)(int folder, const char *name, struct stat *out); ///< of a link itself
  ssize_t (*read)(int file, void *bytes, size_t size);
  ssize_t (*write)(int file, const void *bytes, size_t size);
  int (*sync)(int file);
  int (*close)(int file);
  int (*rename)(int folder, const char *from, const char *to);
  int (*remove)(int folder, const char *name, int flags);
  int (*touch)(int file);               ///< modified now
  int (*lock)(int file, int64_t place); ///< one byte, exclusively, without waiting; EAGAIN: another has it
  int (*unlock)(int file, int64_t place);
  DIR *(*list)(int folder); ///< takes the descriptor over
  dirent *(*next)(DIR *listing);
  int (*endList)(DIR *listing);

  static const SystemCalls system; ///< the kernel's
};

} // namespace flexsn
