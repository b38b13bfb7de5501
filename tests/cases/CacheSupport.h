// What the cases of the disk cache share: processes that start from nothing, and their folder.
#pragma once

#include "tests/cases/Support.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace flexsn::cases {

namespace fs = std::filesystem;

/// A cache of the case's own, which goes with its object. To be made before the library is used: the environment is
/// read once.
class CacheFolder {
public:
  CacheFolder() : name(fs::temp_directory_path() / "flexsn-case-XXXXXX") {
    if (!mkdtemp(name.data()))
      throw std::runtime_error("no temporary folder can be made");
    setenv("FLEXSN_CACHE_DIR", path().c_str(), 1);
    setenv("FLEXSN_CACHE", "on", 1);
    setenv("FLEXSN_LOG", "warn", 1);
  }
  CacheFolder(const CacheFolder &) = delete;
  CacheFolder &operator=(const CacheFolder &) = delete;
  ~CacheFolder() {
    std::error_code ignored;
    fs::remove_all(name, ignored);
  }
  std::string path() const { return name + "/cache"; }

  /// Names that end so.
  std::vector<std::string> files(std::string_view ending = "") const {
    std::vector<std::string> found;
    std::error_code gone;
    for (fs::directory_iterator at(path(), gone), end; !gone && at != end; at.increment(gone))
      if (std::string file = at->path().filename();
          file.size() >= ending.size() && file.compare(file.size() - ending.size(), ending.size(), ending) == 0)
        found.push_back(std::move(file));
    return found;
  }
  std::vector<std::string> entries() const { return files(".flexsn1"); }

private:
  std::string name;
};

/// Processes that have not used the library yet, and wait for each other before they begin. None may be left over.
class Crowd {
public:
  static constexpr int failed = -1;

  Crowd() {
    shared = static_cast<int *>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    if (shared == MAP_FAILED || pipe(gate) != 0)
      throw std::runtime_error("no memory for a crowd");
  }
  Crowd(const Crowd &) = delete;
  Crowd &operator=(const Crowd &) = delete;
  ~Crowd() {
    start();
    stop();
    close(gate[0]);
    munmap(shared, bytes);
  }

  /// A process more: `body` returns a number that `results` gives, or throws.
  template <class Body> void add(Body body) {
    children.push_back(fork([&, slot = children.size()] { shared[slot] = body(); }));
  }
  /// A process that does `body` again and again until the others are done.
  template <class Body> void disturb(Body body) {
    disturbers.push_back(fork([&] {
      for (;;) {
        body();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
    }));
  }

  /// Lets all begin, waits, and gives each one's number; `failed` for one that threw or crashed.
  std::vector<int> results() {
    start();
    std::vector<int> all;
    for (size_t i = 0; i < children.size(); ++i) {
      int status = 0;
      bool ended = waitpid(children[i], &status, 0) == children[i] && WIFEXITED(status) && WEXITSTATUS(status) == 0;
      all.push_back(ended ? shared[i] : failed);
    }
    children.clear();
    stop();
    return all;
  }

private:
  static constexpr size_t bytes = 4096;

  template <class Body> pid_t fork(Body body) {
    pid_t child = ::fork();
    if (child != 0)
      return child;
    close(gate[1]);
    char nothing;
    while (read(gate[0], &nothing, 1) > 0) {
    }
    try {
      body();
    } catch (const std::exception &error) {
      std::fprintf(stderr, "%s\n", error.what());
      _exit(1);
    }
    _exit(0);
  }
  void start() {
    if (gate[1] >= 0)
      close(std::exchange(gate[1], -1));
  }
  void stop() {
    for (pid_t process : disturbers) {
      kill(process, SIGKILL);
      waitpid(process, nullptr, 0);
    }
    disturbers.clear();
  }

  int *shared = nullptr;
  int gate[2] = {-1, -1};
  std::vector<pid_t> children, disturbers;
};

/// The number that one process of its own gives.
template <class Body> int inProcess(Body body) {
  Crowd crowd;
  crowd.add(body);
  return crowd.results()[0];
}

inline int compilations() { return static_cast<int>(statistics().compilations); }

} // namespace flexsn::cases
