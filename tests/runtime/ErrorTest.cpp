// How failures leave the C interface.
#include "tests/runtime/Support.h"

#include <new>

namespace flexsn::test {
namespace {

flexsn_status greedy() {
  return guarded([] { throw std::bad_alloc(); });
}

flexsn_status wrong() {
  return guarded([] { fail(FLEXSN_ERROR_VALUE, "T is {}", 0); });
}

TEST(Error, MemoryThatRunsOutNamesTheCall) {
  EXPECT_EQ(greedy(), FLEXSN_ERROR_MEMORY);
  EXPECT_STREQ(LastCall::ofThisThread().message(), "out of memory in greedy");
  EXPECT_EQ(wrong(), FLEXSN_ERROR_VALUE);
  EXPECT_STREQ(LastCall::ofThisThread().message(), "T is 0");
}

} // namespace
} // namespace flexsn::test
