// What the machine code of a CUDA program says about itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flexsn {

/// One kernel of a cubin.
struct CubinKernel {
  std::string symbol;
  uint32_t registers = 0;  ///< of a thread
  uint32_t localBytes = 0; ///< of memory that each thread has on its stack
  /// Those of `localBytes` that are an array: CUDA's float64 sine, cosine and tangent keep one for large arguments.
  uint32_t arrayBytes = 0;
  uint32_t sharedBytes = 0; ///< of a block, static, without the part that the system reserves from sm_90 on

  /// Kernels here have no arrays of their own: what else is on the stack was spilled.
  uint32_t spilledBytes() const { return localBytes - arrayBytes; }
};

/// The kernels of a cubin in the order of its symbols; nothing for bytes that are no cubin. Trusts none of them.
std::optional<std::vector<CubinKernel>> readCubin(std::string_view cubin);

/// The one of that name, or null.
const CubinKernel *findKernel(const std::vector<CubinKernel> &kernels, std::string_view symbol);
/// The kernels of a cubin that must hold the one called `symbol`; nothing for another, or for what readCubin refuses.
std::optional<std::vector<CubinKernel>> readCubinOf(std::string_view cubin, std::string_view symbol);

} // namespace flexsn
