// What the program for a machine with a GPU does; each function is a file.
#pragma once

#include "tests/gpu/Device.h"

#include <nlohmann/json.hpp>

#include <string>

namespace flexsn::test {

using Json = nlohmann::ordered_json;

struct GpuOptions {
  std::string root = "."; ///< a checkout: its models are compiled
  size_t every = 1;       ///< of the programs to check, this part: 1 is all of them;
  std::string model = {}; ///< of that name alone; empty: all
  size_t first = 0;       ///< beginning with this one: 0 to every - 1
};

/// Runs every model in every variant on the GPU and on the CPU and compares the bits. Prints what differs; `report`
/// gets the counts. True if nothing does.
bool checkAll(const Device &device, const GpuOptions &options, Json &report);

/// The same of training steps: gradients, and what the forward kernel delivers.
bool checkTraining(const Device &device, const GpuOptions &options, Json &report);

/// Times models beside copies of the same bytes; prints a row each, and adds it to `report`.
void timeAll(const Device &device, const GpuOptions &options, Json &report);

/// The same of the two kernels of training steps.
void timeTraining(const Device &device, const GpuOptions &options, Json &report);

/// Launches the kernels whose instructions are to be counted once each, under a profiler; prints their order.
void launchCounted(const Device &device, const GpuOptions &options);

} // namespace flexsn::test
