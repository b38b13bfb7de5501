// What the CUDA driver says of this machine, for `flexsnc doctor` and for choosing an architecture.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace flexsn {

struct CudaDevice {
  std::string name;    ///< "NVIDIA H200"
  int arch = 0;        ///< 90 for sm_90
  uint64_t memory = 0; ///< bytes
};

struct DriverFacts {
  std::string version; ///< of CUDA, the newest that the driver serves: "13.0"; empty: there is no driver
  std::vector<CudaDevice> devices;
  std::string problem; ///< why there is no driver or no device, with the call that failed; empty if there are both
};

/// Opens the driver's library and asks it. No context is made and no memory taken, but the driver is initialised, which
/// a process that forks later should know. Never fails otherwise than by `problem`. Thread-safe.
DriverFacts driverFacts(const std::string &library = "libcuda.so.1");

} // namespace flexsn
