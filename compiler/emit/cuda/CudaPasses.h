// The passes of CudaPasses.td.
#pragma once

#include <memory>
#include <mlir/Pass/Pass.h>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace flexsn::cuda {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/emit/cuda/CudaPasses.h.inc"

} // namespace flexsn::cuda
