#include "runtime/Structs.h"

#include "tests/runtime/Support.h"

namespace flexsn::test {
namespace {

/// A struct as its second version is, and as its first was.
struct Second {
  size_t struct_size;
  int64_t first;
  int64_t second;
};
struct First {
  size_t struct_size;
  int64_t first;
};
/// And as a third will be.
struct Third {
  size_t struct_size;
  int64_t first, second, third;
};

template <class T, class Other> const T *as(const Other *other) { return reinterpret_cast<const T *>(other); }

TEST(Structs, NullIsAllDefaults) {
  Second read = readStruct<Second>(nullptr, "s");
  EXPECT_EQ(read.first, 0);
  EXPECT_EQ(read.second, 0);
}

TEST(Structs, FieldsThatAnOldCallerDoesNotKnowAreZero) {
  struct {
    First given;
    int64_t behind;
  } memory{{sizeof(First), 7}, 99};
  Second read = readStruct(as<Second>(&memory.given), "s", sizeof(First));
  EXPECT_EQ(read.first, 7);
  EXPECT_EQ(read.second, 0);
}

TEST(Structs, ANewerCallerIsUnderstoodAsLongAsItAsksForNothingNew) {
  Third given{sizeof(Third), 1, 2, 0};
  EXPECT_EQ(readStruct(as<Second>(&given), "s", sizeof(First)).second, 2);
  given.third = 3;
  Failure failure = failureOf([&] { readStruct(as<Second>(&given), "s", sizeof(First)); });
  EXPECT_EQ(failure.code, FLEXSN_ERROR_UNSUPPORTED);
  EXPECT_EQ(failure.message,
            "s: byte 24 is set, which flexsn " FLEXSN_VERSION " does not know; it is older than the header");
}

TEST(Structs, SizesThatCannotBeAreRefused) {
  Second given{0, 1, 2};
  EXPECT_EQ(messageOf([&] { readStruct(&given, "s"); }),
            "s: struct_size is 0, but it is at least 24; set it to sizeof the struct");
  given.struct_size = size_t(-1);
  EXPECT_EQ(messageOf([&] { readStruct(&given, "s"); }),
            "s: struct_size is 18446744073709551615; set it to sizeof the struct");
}

TEST(Structs, WritingTouchesWhatTheCallerHasAlone) {
  struct {
    First out;
    int64_t behind;
  } memory{{sizeof(First), 0}, 99};
  writeStruct(reinterpret_cast<Second *>(&memory.out), "s", Second{0, 7, 8}, sizeof(First));
  EXPECT_EQ(memory.out.struct_size, sizeof(First));
  EXPECT_EQ(memory.out.first, 7);
  EXPECT_EQ(memory.behind, 99);

  Third out{sizeof(Third), 0, 0, 5};
  writeStruct(reinterpret_cast<Second *>(&out), "s", Second{0, 7, 8}, sizeof(First));
  EXPECT_EQ(out.struct_size, sizeof(Third));
  EXPECT_EQ(out.second, 8);
  EXPECT_EQ(out.third, 5);
}

TEST(Structs, EnumeratorsAreChecked) {
  EXPECT_EQ(requireEnum(1, 2, "kind"), 1);
  EXPECT_EQ(messageOf([] { requireEnum(2, 2, "kind"); }), "kind: there is no enumerator 2");
  EXPECT_EQ(messageOf([] { requireEnum(-1, 2, "kind"); }), "kind: there is no enumerator -1");
}

} // namespace
} // namespace flexsn::test
