// What the cache promises while nothing fails: Cache.h, the contract.
#include "tests/cache/Support.h"
#include "tests/runtime/Support.h"

#include <thread>

namespace flexsn::test {
namespace {

using namespace std::chrono_literals;

TEST(Cache, GivesWhatWasPut) {
  TemporaryFolder folder;
  Cache cache(settingsFor(folder.path() + "/deep/below")); // made when first needed
  EXPECT_EQ(cache.get(keyNumber(1)), std::nullopt);
  EXPECT_FALSE(fs::exists(folder.path() + "/deep"));
  cache.put(entryNumber(1));
  cache.put(entryNumber(2, 100000));
  cache.put({keyNumber(3), "", ""});
  EXPECT_EQ(cache.get(keyNumber(1)), entryNumber(1).payload);
  EXPECT_EQ(Cache(cache.settings()).get(keyNumber(2)), entryNumber(2, 100000).payload);
  EXPECT_EQ(cache.get(keyNumber(3)), "");
  EXPECT_EQ(cache.get(keyNumber(4)), std::nullopt);
  EXPECT_EQ(namesIn(cache.settings().folder).size(), 3u);
}

TEST(Cache, ALaterPutReplaces) {
  TemporaryFolder folder;
  Cache cache(settingsFor(folder.path()));
  cache.put(entryNumber(1));
  cache.put({keyNumber(1), "", "other"});
  EXPECT_EQ(cache.get(keyNumber(1)), "other");
  EXPECT_EQ(namesIn(folder.path()).size(), 1u);
}

TEST(Cache, ReadOnlyReadsAndLeavesEverythingAsItIs) {
  TemporaryFolder folder;
  Cache(settingsFor(folder.path())).put(entryNumber(1));
  Cache(settingsFor(folder.path())).put(entryNumber(2));
  writeFile(fileOf(folder.path(), keyNumber(2)), "damaged");
  Cache cache(settingsFor(folder.path(), CacheMode::ReadOnly));
  age(fileOf(folder.path(), keyNumber(1)), 48h);
  auto before = fs::last_write_time(fileOf(folder.path(), keyNumber(1)));
  EXPECT_EQ(cache.get(keyNumber(1)), entryNumber(1).payload);
  EXPECT_EQ(fs::last_write_time(fileOf(folder.path(), keyNumber(1))), before);
  auto lines = loggedBy([&] { EXPECT_EQ(cache.get(keyNumber(2)), std::nullopt); });
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("it stays, since the cache is read-only"), std::string::npos) << lines[0];
  cache.put(entryNumber(3));
  EXPECT_FALSE(cache.claim(keyNumber(3)));
  EXPECT_EQ(namesIn(folder.path()).size(), 2u);
}

TEST(Cache, OffDoesNothing) {
  TemporaryFolder folder;
  Cache(settingsFor(folder.path())).put(entryNumber(1));
  Cache cache(settingsFor(folder.path(), CacheMode::Off));
  EXPECT_EQ(cache.get(keyNumber(1)), std::nullopt);
  cache.put(entryNumber(2));
  cache.discard(keyNumber(1), "");
  EXPECT_FALSE(cache.claim(keyNumber(1)));
  EXPECT_EQ(namesIn(folder.path()).size(), 1u);
}

TEST(Cache, AHitIsAUseOnceAnHour) {
  TemporaryFolder folder;
  Cache cache(settingsFor(folder.path()));
  cache.put(entryNumber(1));
  std::string file = fileOf(folder.path(), keyNumber(1));
  age(file, 30min);
  auto half = fs::last_write_time(file);
  cache.get(keyNumber(1));
  EXPECT_EQ(fs::last_write_time(file), half);
  age(file, 2h);
  cache.get(keyNumber(1));
  EXPECT_GT(fs::last_write_time(file), half);
}

TEST(Cache, TheLongestUnusedGoFirst) {
  TemporaryFolder folder;
  CacheSettings settings = settingsFor(folder.path());
  for (unsigned i = 1; i <= 5; ++i) {
    Cache(settings).put(entryNumber(i));
    age(fileOf(folder.path(), keyNumber(i)), (10 - i) * 1h);
  }
  Cache(settings).get(keyNumber(1)); // used now
  settings.maxEntries = 3;
  Cache cache(settings);
  cache.put(entryNumber(6));
  for (unsigned kept : {1u, 5u, 6u})
    EXPECT_TRUE(cache.get(keyNumber(kept))) << kept;
  EXPECT_EQ(namesIn(folder.path()).size(), 3u);
}

TEST(Cache, BytesAreLimited) {
  TemporaryFolder folder;
  CacheSettings settings = settingsFor(folder.path());
  settings.maxBytes = 2500;
  Cache cache(settings);
  for (unsigned i = 1; i <= 5; ++i) {
    cache.put(entryNumber(i, 1000)); // and 100 of the file's own
    age(fileOf(folder.path(), keyNumber(i)), (10 - i) * 1min);
  }
  EXPECT_EQ(namesIn(folder.path()), (std::vector{cacheFileName(keyNumber(4)), cacheFileName(keyNumber(5))}));
  settings.maxBytes = 0; // nothing is kept, and nothing fails
  EXPECT_EQ(loggedBy([&] { Cache(settings).put(entryNumber(6)); }), std::vector<std::string>());
  EXPECT_TRUE(namesIn(folder.path()).empty());
}

TEST(Cache, FilesOfOthersAreLeftAlone) {
  TemporaryFolder folder;
  CacheSettings settings = settingsFor(folder.path());
  settings.maxEntries = 1;
  std::string other = keyNumber(9) + ".flexsn2"; // of a later version: counts, and may be dropped
  for (const std::string &name : {std::string("notes.txt"), std::string("abc.flexsn1"), other}) {
    writeFile(folder.path() + "/" + name, "x");
    age(folder.path() + "/" + name, 100h);
  }
  Cache cache(settings);
  auto items = cache.inspect(CacheAction::Verify);
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(items[0].damage, "");
  cache.put(entryNumber(1));
  EXPECT_EQ(namesIn(folder.path()),
            (std::vector{cacheFileName(keyNumber(1)), std::string("abc.flexsn1"), std::string("notes.txt")}));
  cache.inspect(CacheAction::Clear);
  EXPECT_EQ(namesIn(folder.path()).size(), 2u);
}

TEST(Cache, TemporaryFilesLiveForAnHour) {
  TemporaryFolder folder;
  Cache cache(settingsFor(folder.path()));
  std::string young = fileOf(folder.path(), keyNumber(8)) + ".1-2-3.flexsn-tmp";
  std::string old = fileOf(folder.path(), keyNumber(9)) + ".1-2-3.flexsn-tmp";
  writeFile(young, "half");
  writeFile(old, "half");
  age(young, 50min);
  age(old, 70min);
  cache.put(entryNumber(1));
  EXPECT_TRUE(fs::exists(young));
  EXPECT_FALSE(fs::exists(old));
  cache.inspect(CacheAction::Clear);
  EXPECT_TRUE(fs::exists(young));
}

TEST(Cache, InspectsTheLastUsedFirst) {
  TemporaryFolder folder;
  Cache cache(settingsFor(folder.path()));
  EXPECT_TRUE(cache.inspect(CacheAction::List).empty());
  for (unsigned i = 1; i <= 3; ++i) {
    cache.put(entryNumber(i));
    age(fileOf(folder.path(), keyNumber(i)), i * 1h);
  }
  writeFile(fileOf(folder.path(), keyNumber(2)), "damaged");
  age(fileOf(folder.path(), keyNumber(2)), 2h);
  auto items = cache.inspect(CacheAction::List);
  ASSERT_EQ(items.size(), 3u);
  EXPECT_EQ(items[0].label, "entry 1");
  EXPECT_EQ(items[0].key, keyNumber(1));
  EXPECT_EQ(items[0].bytes, fs::file_size(fileOf(folder.path(), keyNumber(1))));
  EXPECT_EQ(items[1].damage, "it is cut short, or its bytes have changed");
  EXPECT_FALSE(items[1].removed);
  EXPECT_TRUE(cache.inspect(CacheAction::Verify)[1].removed);
  EXPECT_EQ(cache.inspect(CacheAction::List).size(), 2u);
  for (const CacheItem &item : cache.inspect(CacheAction::Clear))
    EXPECT_TRUE(item.removed);
  EXPECT_TRUE(namesIn(folder.path()).empty());
}

TEST(Cache, ClearingAReadOnlyOrMissingCacheIsAnError) {
  TemporaryFolder folder;
  Cache cache(settingsFor(folder.path(), CacheMode::ReadOnly));
  EXPECT_EQ(messageOf([&] { cache.inspect(CacheAction::Clear); }),
            fmt::format("the disk cache {} is not cleared, since FLEXSN_CACHE is read-only", folder.path()));
  CacheSettings none = CacheSettings::from({});
  Cache nowhere(none);
  EXPECT_EQ(messageOf([&] { nowhere.inspect(CacheAction::List); }), none.problem);
  auto lines = loggedBy([&] {
    nowhere.get(keyNumber(1));
    nowhere.put(entryNumber(1));
  });
  EXPECT_EQ(lines, std::vector{"flexsn: warning: " + none.problem});
  CacheSettings file = settingsFor(folder.path() + "/file");
  writeFile(file.folder, "");
  Cache inFile(file);
  EXPECT_EQ(messageOf([&] { inFile.inspect(CacheAction::List); }),
            fmt::format("the disk cache cannot be read: open {}: Not a directory", file.folder));
}

TEST(Cache, AClaimIsWaitedForAndGivenBack) {
  TemporaryFolder folder;
  Cache cache(settingsFor(folder.path())), other(settingsFor(folder.path()));
  std::optional<CacheClaim> first(cache.claim(keyNumber(1)));
  ASSERT_TRUE(*first);
  EXPECT_TRUE(other.claim(keyNumber(2))); // another key
  std::thread holder([&] {
    std::this_thread::sleep_for(50ms);
    first.reset();
  });
  auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(other.claim(keyNumber(1)));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 40ms);
  holder.join();
}

TEST(Cache, ThreadsShareOneCache) {
  TemporaryFolder folder;
  CacheSettings settings = settingsFor(folder.path());
  settings.maxEntries = 10;
  Cache cache(settings);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < 20; ++i) {
        CacheEntry entry = entryNumber((t * 7 + i) % 15);
        std::optional<std::string> got = cache.get(entry.key);
        EXPECT_TRUE(!got || *got == entry.payload);
        cache.put(entry);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_LE(namesIn(folder.path()).size(), 10u);
  EXPECT_TRUE(temporariesIn(folder.path()).empty());
}

} // namespace
} // namespace flexsn::test
