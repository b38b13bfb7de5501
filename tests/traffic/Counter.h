// Counts what a kernel reads and writes. Its shipped text, CUDA C++ or LLVM IR, is compiled by clang with the
// instrumentation of KernelAddressSanitizer, which calls a function in front of each access; those functions are here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace flexsn::test {

/// clang's options for code that is counted. Without optimisation no access is merged with another or left out.
inline constexpr const char *countingOptions =
    "-O0 -fsanitize=kernel-address -mllvm -asan-instrumentation-with-call-threshold=0 -mllvm -asan-stack=0 "
    "-mllvm -asan-globals=0 -mllvm -asan-kernel-mem-intrinsic-prefix=1";

/// Bytes of one piece of memory. What had been read, or written, before counts in `readAgain` and `writtenAgain` alone.
struct Traffic {
  uint64_t read = 0, readAgain = 0, written = 0, writtenAgain = 0;
  bool operator==(const Traffic &) const = default;
};

/// Counts accesses to `bytes` bytes from `begin` on under a name; pieces do not overlap.
void watch(const std::string &name, const void *begin, size_t bytes);
/// Of all pieces of this name.
Traffic trafficOf(const std::string &name);
/// Forgets all pieces.
void watchNothing();

} // namespace flexsn::test
