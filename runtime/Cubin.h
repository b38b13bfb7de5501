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
  uint32_t registers = 0; ///< of a thread
  /// Bytes of memory that each thread has on its stack. Kernels here use none for themselves: what is there was
  /// spilled.
  uint32_t localBytes = 0;
  uint32_t sharedBytes = 0; ///< of a block, static, without the part that the system reserves from sm_90 on
};

/// The kernels of a cubin in the order of its symbols; nothing for bytes that are no cubin. Trusts none of them.
std::optional<std::vector<CubinKernel>> readCubin(std::string_view cubin);

/// The one of that name, or null.
const CubinKernel *findKernel(const std::vector<CubinKernel> &kernels, std::string_view symbol);
/// The kernels of a cubin that must hold the one called `symbol`; nothing for another, or for what readCubin refuses.
std::optional<std::vector<CubinKernel>> readCubinOf(std::string_view cubin, std::string_view symbol);

} // namespace flexsn
