// The passes of CpuPasses.td.
#pragma once

#include <memory>
#include <mlir/Pass/Pass.h>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace flexsn::cpu {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/emit/cpu/CpuPasses.h.inc"

} // namespace flexsn::cpu
