// LLVM's archives call arc4random, which glibc has from 2.36 on. This hidden copy lets the library load from glibc 2.34
// on (Ubuntu 22.04, RHEL 9). LLVM needs it for the names of temporary files alone.
#include <cstdint>
#include <sys/random.h>

extern "C" uint32_t arc4random() noexcept {
  uint32_t value = 0;
  while (getrandom(&value, sizeof value, 0) != sizeof value) {
  }
  return value;
}
