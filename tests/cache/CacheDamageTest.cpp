// Entries that are not as they were written: never a wrong byte, never a crash, one line for each, and the next put
// mends it.
#include "runtime/Hash.h"
#include "tests/cache/FaultyCalls.h"
#include "tests/cache/Support.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace flexsn::test {
namespace {

class CacheDamage : public testing::Test {
protected:
  /// Expects that what lies under the entry's name is seen, told, and replaced.
  void expectMended(const std::string &what) {
    auto lines = loggedBy([&] { EXPECT_EQ(cache.get(entry.key), std::nullopt) << what; });
    ASSERT_EQ(lines.size(), 1u) << what;
    EXPECT_NE(lines[0].find("entry " + entry.key), std::string::npos) << lines[0];
    EXPECT_FALSE(fs::exists(fs::symlink_status(file))) << what;
    lines = loggedBy([&] { cache.put(entry); });
    EXPECT_EQ(lines, std::vector<std::string>()) << what;
    EXPECT_EQ(cache.get(entry.key), entry.payload) << what;
  }

  TemporaryFolder folder;
  Cache cache{settingsFor(folder.path()), quickCalls};
  CacheEntry entry = entryNumber(1, 80);
  std::string file = fileOf(folder.path(), entry.key);
};

TEST_F(CacheDamage, EveryLength) {
  cache.put(entry);
  std::string whole = readFile(file);
  ASSERT_GT(whole.size(), 100u);
  for (size_t size = 0; size < whole.size(); ++size) {
    writeFile(file, whole.substr(0, size));
    expectMended(fmt::format("cut to {} bytes", size));
  }
  writeFile(file, whole + '\0');
  expectMended("a byte too long");
}

TEST_F(CacheDamage, ABitOfEveryByte) {
  cache.put(entry);
  std::string whole = readFile(file);
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 8)));
    writeFile(file, flipped);
    expectMended(fmt::format("a bit of byte {}", at));
  }
}

TEST_F(CacheDamage, NoFileAtAll) {
  fs::create_directory(file);
  expectMended("a folder");
  fs::remove(file);
  fs::create_symlink("nowhere", file);
  expectMended("a dangling link");
  cache.put(entryNumber(2));
  fs::remove(file);
  fs::create_symlink(cacheFileName(keyNumber(2)), file);
  expectMended("a link to an entry");
  fs::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  expectMended("a pipe, which must not block");
  fs::remove(file);
  int listening = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(file.size(), sizeof address.sun_path);
  file.copy(address.sun_path, file.size());
  ASSERT_EQ(::bind(listening, reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
  ::close(listening);
  expectMended("a socket");
}

TEST_F(CacheDamage, AnotherKeysEntryUnderThisName) {
  cache.put(entryNumber(2));
  fs::rename(fileOf(folder.path(), keyNumber(2)), file);
  expectMended("the entry of another key");
}

/// The file with its checksum put right, as only who damages it on purpose would do.
std::string withChecksum(std::string file) {
  Sha256 hash = sha256(std::string_view(file).substr(44));
  std::copy(hash.begin(), hash.end(), file.begin() + 12);
  return file;
}

TEST_F(CacheDamage, LengthsThatLieUnderAChecksumThatFits) {
  cache.put(entry);
  const std::string whole = readFile(file);
  ASSERT_EQ(withChecksum(whole), whole);
  for (size_t at = 44; at < 52; ++at) // the length of the key
    for (int value : {0x00, 0x01, 0x41, 0x7f, 0x80, 0xff}) {
      std::string bytes = whole, damage;
      CacheEntry out;
      bytes[at] = static_cast<char>(value);
      bool taken = decodeEntry(withChecksum(bytes), entry.key, out, damage);
      EXPECT_EQ(taken, bytes == whole) << at << ' ' << value;
    }
}

TEST_F(CacheDamage, AFolderThatIsNotEmptyCostsTimeAlone) {
  fs::create_directories(file + "/full");
  auto lines = loggedBy([&] {
    EXPECT_EQ(cache.get(entry.key), std::nullopt);
    cache.put(entry);
    cache.put(entry);
    EXPECT_EQ(cache.get(entry.key), std::nullopt);
  });
  EXPECT_EQ(lines.size(), 3u); // each look, and that it cannot be replaced, once
  EXPECT_TRUE(temporariesIn(folder.path()).empty());
}

} // namespace
} // namespace flexsn::test
