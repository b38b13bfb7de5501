// A training step of more than 2^31 neurons: memory that is one piece mapped again and again.
#include <flexsn/flexsn.hpp>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <vector>

namespace flexsn::test {
namespace {

constexpr int64_t neurons = (int64_t{1} << 31) + (int64_t{1} << 20);
constexpr size_t window = size_t{1} << 21; // bytes; neurons are a whole number of windows

/// Bytes of address space that share one window, but for the last, which has memory of its own.
class Mapped {
public:
  explicit Mapped(size_t bytes) : bytes(bytes) {
    int shared = memfd_create("window", 0), last = memfd_create("last", 0);
    EXPECT_EQ(ftruncate(shared, window), 0);
    EXPECT_EQ(ftruncate(last, window), 0);
    memory = static_cast<char *>(mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    for (size_t at = 0; at < bytes; at += window)
      EXPECT_NE(mmap(memory + at, window, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                     at + window < bytes ? shared : last, 0),
                MAP_FAILED);
    close(shared);
    close(last);
  }
  ~Mapped() { munmap(memory, bytes); }
  Mapped(const Mapped &) = delete;
  Mapped &operator=(const Mapped &) = delete;

  const float *last() const { return reinterpret_cast<const float *>(memory + bytes - window); }
  float *data() const { return reinterpret_cast<float *>(memory); }

private:
  size_t bytes;
  char *memory;
};

/// Every neuron has the same input and the same gradient, one value that is read again and again; that of `a` is a sum
/// of equal numbers, exact in the tree of sums.
TEST(LargeTraining, OfMoreNeuronsThanAnIntCounts) {
  Neuron neuron = Model::parse("neuron Large:\n  input x\n  param a = 0.5\n  y = a * x\n  output y\n").compile();
  Mapped gx(neurons * sizeof(float));
  float x = 2, gy = 0.25f, ga = 0, y = 0;
  Call call;
  call.inputs = {view(&x, {1, neurons}, {0, 0})};
  call.output_gradients = {view(&gy, {1, neurons}, {0, 0})};
  call.outputs = {view(&y, {1, neurons}, {0, 0})}; // backward does not look at it
  call.gradients = {{"x", view(gx.data(), {1, neurons})}, {"a", view(&ga, {})}};
  neuron.backward(call);
  EXPECT_EQ(ga, 0.5f * static_cast<float>(neurons));
  for (const float *gradients : {static_cast<const float *>(gx.data()), gx.last()})
    for (size_t i = 0; i < window / sizeof(float); ++i)
      ASSERT_EQ(gradients[i], 0.125f) << i;
}

} // namespace
} // namespace flexsn::test
