// CUDA C++ as C++: what emitted text needs of the language CUDA, for a CPU. Included before the text. Each thread of a
// block is a fiber with a stack of its own, so that a barrier can stop it; one block runs after the other, on one
// thread of the host: the same run gives the same results, and sanitizers see plain C++.
#pragma once

#define FLEXSN_CUDA_ON_CPU 1
#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static // blocks do not overlap in time

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <type_traits>
#include <ucontext.h>
#include <vector>

namespace cudaOnCpu {

struct Index {
  unsigned x = 0, y = 0, z = 0;
};

/// Runs blocks of fibers.
class Machine {
public:
  Index grid, block, blockIndex, threadIndex; ///< what the kernel sees

  /// Runs `kernel` on every thread. With `backwards` the last thread of each block comes first between any two
  /// barriers: what depends on the order of threads differs.
  void launch(unsigned blocks, unsigned threads, bool backwards, std::function<void()> kernel) {
    grid = {blocks, 1, 1};
    block = {threads, 1, 1};
    body = std::move(kernel);
    fibers.resize(threads);
    for (unsigned b = 0; b < blocks; ++b) {
      blockIndex.x = b;
      for (Fiber &fiber : fibers)
        start(fiber);
      for (unsigned live = threads; live != 0;)
        live = runToBarrier(backwards);
    }
  }

  /// The 8 bytes that thread `thread` of the block has put where the others see them, between two barriers.
  unsigned long long &exchanged(unsigned thread) {
    exchange.resize(block.x);
    return exchange[thread];
  }

  /// The running thread waits until every other one of the block waits or has ended.
  void barrier() { swapcontext(&fibers[current].context, &scheduler); }

private:
  static constexpr size_t stackBytes = 128 * 1024;
  struct Fiber {
    ucontext_t context;
    std::unique_ptr<char[]> stack;
    bool done = false;
  };

  void start(Fiber &fiber) {
    fiber.done = false;
    if (!fiber.stack)
      fiber.stack = std::make_unique<char[]>(stackBytes);
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = stackBytes;
    fiber.context.uc_link = &scheduler;
    makecontext(&fiber.context, &Machine::enter, 0);
  }

  static void enter();

  /// Threads that have not ended.
  unsigned runToBarrier(bool backwards) {
    unsigned live = 0, count = block.x;
    for (unsigned k = 0; k < count; ++k) {
      current = backwards ? count - 1 - k : k;
      if (fibers[current].done)
        continue;
      threadIndex.x = current;
      swapcontext(&scheduler, &fibers[current].context);
      live += !fibers[current].done;
    }
    return live;
  }

  std::vector<Fiber> fibers;
  std::vector<unsigned long long> exchange;
  unsigned current = 0;
  ucontext_t scheduler;
  std::function<void()> body;
};

inline Machine machine;

inline void Machine::enter() {
  machine.body();
  machine.fibers[machine.current].done = true;
}

/// Runs a kernel of the one parameter that lies at `argument`.
template <class Argument>
void launch(void (*kernel)(Argument), const void *argument, unsigned blocks, unsigned threads, bool backwards) {
  const auto &value = *static_cast<const std::remove_cv_t<Argument> *>(argument);
  machine.launch(blocks, threads, backwards, [&] { kernel(value); });
}
template <class Argument> constexpr size_t argumentBytes(void (*)(Argument)) { return sizeof(Argument); }

template <class To, class From> To bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

} // namespace cudaOnCpu

#define gridDim (cudaOnCpu::machine.grid)
#define blockDim (cudaOnCpu::machine.block)
#define blockIdx (cudaOnCpu::machine.blockIndex)
#define threadIdx (cudaOnCpu::machine.threadIndex)

#define __noinline__

inline void __syncthreads() { cudaOnCpu::machine.barrier(); }
/// All threads of the block take part, which is more than the language asks for.
template <class T> T __shfl_xor_sync(unsigned, T value, int mask) {
  auto &machine = cudaOnCpu::machine;
  unsigned mine = machine.threadIndex.x;
  std::memcpy(&machine.exchanged(mine), &value, sizeof value);
  machine.barrier();
  T other;
  std::memcpy(&other, &machine.exchanged(mine ^ static_cast<unsigned>(mask)), sizeof other);
  machine.barrier();
  return other;
}
inline float __uint_as_float(unsigned u) { return cudaOnCpu::bits<float>(u); }
inline unsigned __float_as_uint(float f) { return cudaOnCpu::bits<unsigned>(f); }
inline double __longlong_as_double(long long i) { return cudaOnCpu::bits<double>(i); }
inline long long __double_as_longlong(double d) { return cudaOnCpu::bits<long long>(d); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline float halfToFloat(unsigned short bits) { return static_cast<float>(cudaOnCpu::bits<_Float16>(bits)); }
inline unsigned short floatToHalf(float value) { return cudaOnCpu::bits<unsigned short>(static_cast<_Float16>(value)); }
