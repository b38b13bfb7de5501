// The scan dialect: what one kernel does with memory and time (docs/ir.md).
#pragma once

#include "dialects/Neuron/Neuron.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/StringMap.h"

#include "dialects/Scan/ScanDialect.h.inc"
#include "dialects/Scan/ScanEnums.h.inc"

namespace flexsn::scan {
/// What the value of a param depends on: nothing, the neuron, or the step (and, it may be, the neuron). In the order of
/// scan-1.
enum class Variation : uint8_t { None, Neuron, Step };
} // namespace flexsn::scan

#define GET_ATTRDEF_CLASSES
#include "dialects/Scan/ScanAttrs.h.inc"

namespace flexsn::scan {

/// Whether a value of `type` is what a load of `storage` gives and a store of it takes.
bool computesAs(Storage storage, mlir::Type type);

/// The storage of values of `type` that keeps every bit.
Storage storageFor(mlir::Type type);

/// Whether it is one of the two kernels of a training step.
inline bool isTraining(Kind kind) { return kind == Kind::Forward || kind == Kind::Backward; }

class KernelOp;
/// scan-8 to scan-10: regions of gradients, checkpoints and cuts fit the kernel, where it has them.
mlir::LogicalResult verifyTraining(KernelOp kernel);

/// Bytes of one element in memory.
unsigned bytesOf(Storage storage);

} // namespace flexsn::scan

#define GET_OP_CLASSES
#include "dialects/Scan/ScanOps.h.inc"
