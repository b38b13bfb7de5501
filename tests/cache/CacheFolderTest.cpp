// Whose folder may be a cache, how folders and files are made, and limits of the process.
#include "tests/cache/FaultyCalls.h"
#include "tests/cache/Support.h"

#include <csignal>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace flexsn::test {
namespace {

/// The default folder below a home.
CacheSettings settingsAt(const std::string &home) {
  Environment environment;
  environment.home = home;
  return CacheSettings::from(environment);
}

mode_t modeOf(const std::string &path) {
  struct stat about{};
  EXPECT_EQ(::stat(path.c_str(), &about), 0) << path;
  return about.st_mode & 07777;
}

/// With the umask that most people have.
class CacheFolderTest : public testing::Test {
protected:
  CacheFolderTest() : before(::umask(022)) {}
  ~CacheFolderTest() override { ::umask(before); }
  mode_t before;
  TemporaryFolder folder;
  CacheEntry entry = entryNumber(1);
};

TEST_F(CacheFolderTest, TheDefaultOneIsTheUsersAlone) {
  CacheSettings settings = settingsAt(folder.path());
  Cache(settings).put(entry);
  EXPECT_EQ(modeOf(settings.folder), 0700u);
  EXPECT_EQ(modeOf(folder.path() + "/.cache"), 0700u);
  EXPECT_EQ(modeOf(fileOf(settings.folder, entry.key)), 0600u);
}

TEST_F(CacheFolderTest, AHomeThatIsNotThereIsNotMade) {
  CacheSettings settings = settingsAt(folder.path() + "/nowhere");
  Cache cache(settings);
  auto lines = loggedBy([&] {
    cache.put(entry);
    cache.put(entry);
  });
  EXPECT_EQ(lines,
            std::vector{"flexsn: warning: disk cache: mkdir " + settings.folder + ": No such file or directory"});
  EXPECT_FALSE(fs::exists(folder.path() + "/nowhere"));
}

TEST_F(CacheFolderTest, ANamedOneIsSharedAsTheUmaskSays) {
  CacheSettings settings = settingsFor(folder.path() + "/shared");
  Cache(settings).put(entry);
  EXPECT_EQ(modeOf(settings.folder), 0755u);
  EXPECT_EQ(modeOf(fileOf(settings.folder, entry.key)), 0644u);
  fs::permissions(settings.folder, fs::perms::all);
  EXPECT_EQ(Cache(settings).get(entry.key), entry.payload); // taken as it is
}

TEST_F(CacheFolderTest, TheDefaultOneIsRefusedWhereOthersMayWrite) {
  CacheSettings settings = settingsAt(folder.path());
  Cache(settings).put(entry);
  fs::permissions(settings.folder, fs::perms::owner_all | fs::perms::group_write);
  Cache cache(settings);
  auto lines = loggedBy([&] {
    EXPECT_EQ(cache.get(entry.key), std::nullopt);
    cache.put(entryNumber(2));
  });
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0],
            fmt::format("flexsn: warning: disk cache: {}: others may write to the folder, so it is not used as a cache",
                        settings.folder));
  EXPECT_EQ(namesIn(settings.folder).size(), 1u);
  fs::permissions(settings.folder, fs::perms::owner_all | fs::perms::group_read | fs::perms::others_read);
  EXPECT_EQ(Cache(settings).get(entry.key), entry.payload);
}

TEST_F(CacheFolderTest, TheDefaultOneIsRefusedWhereItIsAnothers) {
  CacheSettings settings = settingsAt(folder.path());
  Cache(settings).put(entry);
  SystemCalls calls = SystemCalls::system; // a test has no right to give folders away
  calls.status = [](int file, struct stat *out) {
    int result = ::fstat(file, out);
    out->st_uid += 1;
    return result;
  };
  Cache cache(settings, calls);
  auto lines = loggedBy([&] {
    EXPECT_EQ(cache.get(entry.key), std::nullopt);
    cache.put(entryNumber(2));
  });
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("the folder belongs to another user"), std::string::npos) << lines[0];
  EXPECT_EQ(namesIn(settings.folder).size(), 1u);
  settings.named = true;
  EXPECT_EQ(Cache(settings, calls).get(entry.key), entry.payload);
}

TEST_F(CacheFolderTest, WhatCannotBeAFolderIsToldOnce) {
  writeFile(folder.path() + "/file", "");
  for (const std::string &path : {folder.path() + "/file", folder.path() + "/file/below",
                                  folder.path() + "/" + std::string(300, 'x'), std::string(5000, 'x')}) {
    Cache cache(settingsFor(path));
    auto lines = loggedBy([&] {
      for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(cache.get(entry.key), std::nullopt);
        cache.put(entry);
      }
    });
    EXPECT_EQ(lines.size(), 1u) << path;
  }
}

TEST_F(CacheFolderTest, ALinkToNothingIsToldOnceAndOneToAFolderIsThatFolder) {
  const std::string link = folder.path() + "/link", target = folder.path() + "/target";
  fs::create_symlink(target, link);
  Cache cache(settingsFor(link));
  auto lines = loggedBy([&] {
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(cache.get(entry.key), std::nullopt);
      cache.put(entry);
    }
  });
  EXPECT_EQ(lines, std::vector{"flexsn: warning: disk cache: " + link +
                               ": the folder is a link to nothing, so it is not used as a cache"});
  fs::create_directory(target);
  cache.put(entry);
  EXPECT_EQ(Cache(settingsFor(target)).get(entry.key), entry.payload);
}

TEST_F(CacheFolderTest, ALimitOfTheFileSizeIsAFailureLikeOthers) {
  CacheEntry large = entryNumber(1, 20000);
  for (rlim_t limit : {0, 1, 4096}) {
    pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      rlimit rules{limit, limit};
      ::setrlimit(RLIMIT_FSIZE, &rules);
      ::close(STDERR_FILENO);
      Cache cache(settingsFor(folder.path()));
      cache.put(large);
      bool absent = !cache.get(large.key);
      sigset_t waiting;
      sigpending(&waiting);
      ::_exit(absent && !sigismember(&waiting, SIGXFSZ) ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "limit " << limit << ", status " << status;
    EXPECT_TRUE(namesIn(folder.path()).empty());
  }
}

} // namespace
} // namespace flexsn::test
