// How a backward kernel is cut for a GPU.
#pragma once

#include "dialects/Scan/Scan.h"

#include <string>

namespace flexsn {

struct CudaBackwardCut {
  unsigned neurons, chunk, blocks;
  std::string reason;
};

/// Chunks are the steps between checkpoints; neurons and blocks follow from the registers that a chunk takes.
CudaBackwardCut cutBackward(scan::KernelOp kernel, bool scalar);

} // namespace flexsn
