// Every system call of the cache fails, in every way, at every place: results stay right, one line is logged, and no
// temporary file is left. N is raised until no call is left to fail.
#include "tests/cache/FaultyCalls.h"
#include "tests/cache/Support.h"

#include <sys/wait.h>
#include <unistd.h>

namespace flexsn::test {
namespace {

constexpr int codes[] = {ENOSPC, EIO, ESTALE, EBUSY, EACCES, EINTR};

/// The states of the cache in which a program may find it.
enum class Before { NoFolder, Empty, Entry, OldEntry, Damaged, Folder, Full };
constexpr Before allBefore[] = {Before::NoFolder, Before::Empty,  Before::Entry, Before::OldEntry,
                                Before::Damaged,  Before::Folder, Before::Full};

class CacheFault : public testing::TestWithParam<Before> {
protected:
  void prepare() {
    fs::remove_all(path);
    if (GetParam() == Before::NoFolder)
      return;
    fs::create_directories(path);
    Cache cache(settings, quickCalls);
    if (GetParam() != Before::Empty)
      cache.put(entry);
    if (GetParam() == Before::OldEntry)
      age(file, std::chrono::hours(5));
    if (GetParam() == Before::Damaged)
      fs::resize_file(file, 50);
    if (GetParam() == Before::Folder) {
      fs::remove(file);
      fs::create_directory(file);
    }
    if (GetParam() == Before::Full) { // of old entries, and not of ours
      fs::remove(file);
      for (unsigned i = 2; i <= 4; ++i) {
        cache.put(entryNumber(i));
        age(fileOf(path, keyNumber(i)), std::chrono::hours(5));
      }
    }
  }

  /// What the runtime does for a program: looks, claims, looks again, makes it, keeps it. True if it was there.
  bool work() const {
    Cache cache(settings, faultyCalls);
    auto found = [&] {
      std::optional<std::string> got = cache.get(entry.key);
      EXPECT_TRUE(!got || *got == entry.payload);
      return got.has_value();
    };
    if (found())
      return true;
    CacheClaim claim = cache.claim(entry.key);
    if (claim && found())
      return true;
    cache.put(entry);
    return false;
  }

  /// Whether a cache without faults has the entry now. What it has is right, and what it has not it takes.
  bool afterwards() const {
    Cache cache(settings, quickCalls);
    std::optional<std::string> got;
    loggedBy([&] { got = cache.get(entry.key); });
    EXPECT_TRUE(!got || *got == entry.payload);
    EXPECT_EQ(loggedBy([&] { cache.put(entry); }), std::vector<std::string>());
    EXPECT_EQ(cache.get(entry.key), entry.payload);
    return got.has_value();
  }

  /// One run of `work` under a fault. False when all calls were made before the fault's turn came.
  bool survives(const Fault &fault) {
    prepare();
    bool hit = false;
    setFault(fault);
    std::vector<std::string> lines = loggedBy([&] { hit = work(); });
    bool fired = faultFired(), cleanUpFails = removalsFail();
    setFault({});
    size_t damaged = GetParam() == Before::Damaged || GetParam() == Before::Folder; // has a line of its own
    EXPECT_TRUE(cleanUpFails || temporariesIn(path).empty()) << testing::PrintToString(temporariesIn(path));
    EXPECT_LE(lines.size(), 1 + 2 * damaged) << ::testing::PrintToString(lines); // it is looked at twice
    bool kept = afterwards();
    bool retried = fault.kind != FaultKind::Error || (fault.code == EINTR && fault.span == FaultSpan::Once);
    EXPECT_TRUE(!fired || hit || kept || retried || !lines.empty()) << "nothing was said of what went wrong";
    return fired;
  }

  void failEverywhere(FaultKind kind, FaultSpan span, int code) {
    Fault fault{1, kind, span, code};
    for (; survives(fault); ++fault.at) {
      if (HasFailure())
        FAIL() << "at call " << fault.at << ": kind " << int(kind) << ", span " << int(span) << ", errno " << code;
    }
    EXPECT_GT(fault.at, 5u);
  }

  TemporaryFolder folder;
  std::string path = folder.path() + "/cache";
  CacheSettings settings = [&] {
    CacheSettings made = settingsFor(path);
    made.maxEntries = 2;
    return made;
  }();
  CacheEntry entry = entryNumber(1);
  std::string file = fileOf(path, entry.key);
};

TEST_P(CacheFault, ACallFailsOnce) {
  for (int code : codes)
    failEverywhere(FaultKind::Error, FaultSpan::Once, code);
}

TEST_P(CacheFault, ACallFailsFromThenOn) {
  for (int code : codes)
    failEverywhere(FaultKind::Error, FaultSpan::SameCall, code);
}

TEST_P(CacheFault, AllCallsFailFromThenOn) {
  for (int code : codes)
    failEverywhere(FaultKind::Error, FaultSpan::Always, code);
}

TEST_P(CacheFault, ReadsAndWritesMoveLess) {
  for (FaultSpan span : {FaultSpan::Once, FaultSpan::SameCall}) {
    failEverywhere(FaultKind::Short, span, 0);
    failEverywhere(FaultKind::Empty, span, 0);
  }
}

TEST_P(CacheFault, TheProcessIsKilled) {
  for (unsigned at = 1;; ++at) {
    prepare();
    pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::close(STDERR_FILENO);
      setFault({at, FaultKind::Kill, FaultSpan::Once, 0});
      work();
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    bool killed = WIFSIGNALED(status);
    std::vector<std::string> left = temporariesIn(path);
    EXPECT_LE(left.size(), killed ? 1u : 0u);
    afterwards();
    EXPECT_EQ(temporariesIn(path), left); // it may be of a process that lives
    for (const std::string &name : left)
      age(path + "/" + name, std::chrono::hours(2));
    Cache(settings, quickCalls).put(entryNumber(9));
    EXPECT_EQ(temporariesIn(path), std::vector<std::string>());
    if (HasFailure() || !killed) {
      EXPECT_GT(at, 5u);
      return;
    }
  }
}

std::string nameOf(const testing::TestParamInfo<Before> &info) {
  static constexpr const char *names[] = {"NoFolder", "EmptyFolder", "Entry", "OldEntry", "Damaged", "Folder", "Full"};
  return names[static_cast<size_t>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(On, CacheFault, testing::ValuesIn(allBefore), nameOf);

} // namespace
} // namespace flexsn::test
