// From a scheduled scan.kernel to CUDA C++. docs/skeleton.md says what the code does; runtime/CudaAbi.h how it is
// called. The way:
//
//   outline-helpers  what takes several operations becomes a function of its own
//   lower-ops        neuron functions, spikes, ... -> arith, math, calls of platform functions   (compiler/transforms)
//   printProgram     the kernel as C++, in the skeletons of templates/
#pragma once

#include "compiler/CompileCuda.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace flexsn::cuda {

/// Prints the module's one kernel into `program`: all of it but `params` and `operands`. `model` is what it was made
/// from, for the text's own words. False after an error, which the context's diagnostic handler has been told about.
bool printProgram(mlir::ModuleOp module, const Model &model, CudaProgram &program);

} // namespace flexsn::cuda
