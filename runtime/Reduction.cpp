#include "runtime/Reduction.h"

#include <cstring>

namespace flexsn {

template <class Real> static uint64_t sum(Real *reals, size_t count) {
  for (size_t left = count; left > 1; left = (left + 1) / 2) {
    for (size_t i = 0; i < left / 2; ++i)
      reals[i] = reals[2 * i] + reals[2 * i + 1];
    if (left % 2 != 0)
      reals[left / 2] = reals[left - 1];
  }
  uint64_t slot = 0;
  if (count != 0)
    std::memcpy(&slot, reals, sizeof(Real));
  return slot;
}

uint64_t sumByTree(void *floats, size_t count, Storage storage) {
  return storage == Storage::F64 ? sum(static_cast<double *>(floats), count) : sum(static_cast<float *>(floats), count);
}

} // namespace flexsn
