// The longest chain of operators that the language allows, compiled by a thread with the stack that flexsn.h asks for.
#include "tests/abi/Support.h"

#include <pthread.h>

namespace flexsn::test {
namespace {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FLEXSN_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FLEXSN_SANITIZED
#endif

#ifdef FLEXSN_SANITIZED
constexpr size_t stackBytes = size_t(16) << 20; // sanitizers make frames larger
#else
constexpr size_t stackBytes = size_t(1) << 20;
#endif

/// Runs `body` in a thread of that stack.
template <class Body> void onSmallStack(Body body) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, stackBytes), 0);
  auto start = [](void *given) -> void * {
    (*static_cast<Body *>(given))();
    return nullptr;
  };
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, start, &body), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

std::string chainOf(const std::string &link, int links) {
  std::string sum = "x";
  for (int i = 0; i < links; ++i)
    sum += link;
  return "neuron Chain:\n  input x\n  state v = 0\n  v = " + sum + "\n  output v\n";
}

TEST(Stack, ALongChainIsCompiledOnASmallOne) {
  for (const char *link : {" + x", " * v", " - exp(x)"})
    onSmallStack([&] { Model::parse(chainOf(link, 995)).compile().prepare(Kernel::inference); });
}

TEST(Stack, AChainThatIsTooLongIsRefusedOnASmallOne) {
  onSmallStack([&] { EXPECT_THROW(Model::parse(chainOf(" + x", 50000)), Error); });
}

} // namespace
} // namespace flexsn::test
