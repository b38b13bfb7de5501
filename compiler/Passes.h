// The passes of Passes.td.
#pragma once

#include "dialects/Scan/Scan.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace flexsn {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Passes.h.inc"

} // namespace flexsn
