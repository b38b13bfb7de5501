// What the environment's variables mean to the cache.
#include "runtime/CacheSettings.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace flexsn::test {
namespace {

/// An environment with a home.
Environment atHome() {
  Environment environment;
  environment.home = "/anybody";
  return environment;
}

TEST(CacheSettings, TheDefaultFolderIsTheUsersCache) {
  CacheSettings settings = CacheSettings::from(atHome());
  EXPECT_EQ(settings.folder, "/anybody/.cache/flexsn");
  EXPECT_FALSE(settings.named);
  EXPECT_EQ(settings.mode, CacheMode::On);
  EXPECT_EQ(settings.maxBytes, 1u << 30);
  EXPECT_EQ(settings.maxEntries, 10000u);
  EXPECT_EQ(settings.problem, "");
  Environment xdg = atHome();
  xdg.xdgCacheHome = "/var/cache/me";
  EXPECT_EQ(CacheSettings::from(xdg).folder, "/var/cache/me/flexsn");
  xdg.xdgCacheHome = "relative";
  EXPECT_EQ(CacheSettings::from(xdg).folder, "/anybody/.cache/flexsn");
}

TEST(CacheSettings, ANamedFolderIsTakenAsItIs) {
  Environment environment = atHome();
  environment.cacheDirectory = "/scratch/shared";
  CacheSettings settings = CacheSettings::from(environment);
  EXPECT_EQ(settings.folder, "/scratch/shared");
  EXPECT_TRUE(settings.named);
  environment.cacheDirectory = "here";
  EXPECT_EQ(CacheSettings::from(environment).folder, (std::filesystem::current_path() / "here").string());
}

TEST(CacheSettings, WithoutAHomeThereIsNoCache) {
  const char *problem = "there is no disk cache, since HOME is not set: set FLEXSN_CACHE_DIR, or FLEXSN_CACHE=off";
  Environment environment;
  EXPECT_EQ(CacheSettings::from(environment).folder, "");
  EXPECT_EQ(CacheSettings::from(environment).problem, problem);
  environment.home = "not/absolute";
  EXPECT_EQ(CacheSettings::from(environment).problem, "there is no disk cache, since HOME is no absolute path: set "
                                                      "FLEXSN_CACHE_DIR, or FLEXSN_CACHE=off");
  environment.cache = "off";
  EXPECT_EQ(CacheSettings::from(environment).problem, "");
}

TEST(CacheSettings, Modes) {
  Environment environment = atHome();
  for (CacheMode mode : {CacheMode::Off, CacheMode::ReadOnly, CacheMode::On}) {
    environment.cache = cacheModeName(mode);
    EXPECT_EQ(CacheSettings::from(environment).mode, mode);
    EXPECT_EQ(CacheSettings::from(environment).problem, "");
  }
  for (auto [word, mode] :
       {std::pair("OFF", CacheMode::Off), {"Read-Only", CacheMode::ReadOnly}, {"On", CacheMode::On}}) {
    environment.cache = word;
    EXPECT_EQ(CacheSettings::from(environment).mode, mode);
    EXPECT_EQ(CacheSettings::from(environment).problem, "");
  }
  environment.cache = "no";
  EXPECT_EQ(CacheSettings::from(environment).mode, CacheMode::On);
  EXPECT_EQ(CacheSettings::from(environment).problem,
            "FLEXSN_CACHE is 'no', but it is on, read-only or off; taken for on");
}

TEST(CacheSettings, Limits) {
  auto bytes = [](const char *text) {
    Environment environment = atHome();
    environment.cacheSize = text;
    return CacheSettings::from(environment).maxBytes;
  };
  EXPECT_EQ(bytes("0"), 0u);
  EXPECT_EQ(bytes("4096"), 4096u);
  EXPECT_EQ(bytes("3K"), 3072u);
  EXPECT_EQ(bytes("2M"), 2u << 20);
  EXPECT_EQ(bytes("7G"), uint64_t{7} << 30);
  EXPECT_EQ(bytes("18446744073709551615"), UINT64_MAX);
  for (const char *wrong : {"18446744073709551616", "17179869184G", "-1", "1.5G", "1 G", "1GB", "G", "x"}) {
    Environment environment = atHome();
    environment.cacheSize = wrong;
    CacheSettings settings = CacheSettings::from(environment);
    EXPECT_EQ(settings.maxBytes, uint64_t{1} << 30) << wrong;
    EXPECT_EQ(settings.problem, std::string("FLEXSN_CACHE_SIZE is '") + wrong +
                                    "', but it is a number of bytes, or with K, M or G; taken for 1073741824");
  }
  Environment environment = atHome();
  environment.cacheEntries = "5";
  EXPECT_EQ(CacheSettings::from(environment).maxEntries, 5u);
  environment.cacheEntries = "5K";
  environment.cache = "maybe";
  EXPECT_EQ(CacheSettings::from(environment).problem,
            "FLEXSN_CACHE is 'maybe', but it is on, read-only or off; taken for on; "
            "FLEXSN_CACHE_ENTRIES is '5K', but it is a number; taken for 10000");
}

} // namespace
} // namespace flexsn::test
