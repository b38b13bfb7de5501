// The floating point control register during a kernel: else results would depend on which thread runs it.
#pragma once

#include <cstdint>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace flexsn {

/// Round to nearest, subnormals kept, no traps, as long as it lives; then the caller's setting again. About 10 ns.
class DefaultFloatEnvironment {
public:
  DefaultFloatEnvironment() : saved(read()) { write(initial); }
  ~DefaultFloatEnvironment() { write(saved); }
  DefaultFloatEnvironment(const DefaultFloatEnvironment &) = delete;
  DefaultFloatEnvironment &operator=(const DefaultFloatEnvironment &) = delete;

private:
#if defined(__x86_64__)
  using Register = uint32_t;
  static constexpr Register initial = 0x1f80; // all exceptions masked, nearest, neither FTZ nor DAZ
  static Register read() { return _mm_getcsr(); }
  static void write(Register value) { _mm_setcsr(value); }
#elif defined(__aarch64__)
  using Register = uint64_t;
  static constexpr Register initial = 0; // nearest, no flush to zero, no traps
  static Register read() {
    Register value;
    asm volatile("mrs %0, fpcr" : "=r"(value));
    return value;
  }
  static void write(Register value) { asm volatile("msr fpcr, %0" : : "r"(value)); }
#else
#error "flexsn's CPU kernels run on x86-64 and aarch64"
#endif
  Register saved;
};

} // namespace flexsn
