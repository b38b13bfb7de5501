// The fields of a model's structs in CUDA C++: which there are, and what they are called.
#pragma once

#include "dialects/Scan/Scan.h"

#include <string>

namespace flexsn::cuda {

/// One field of a struct of the model's.
struct Field {
  std::string name; ///< in C++
  mlir::Type type;
  scan::Storage storage = scan::Storage::F32; ///< of what lies in memory
  unsigned index = 0;                         ///< among the operands, uniforms, ... that it comes from or goes to
};

/// Of one kernel. Only what a region reads is there, but for states and for what is written, which all are.
class ModelFields {
public:
  explicit ModelFields(scan::KernelOp kernel);

  llvm::SmallVector<Field> given, invariants; ///< what the prologue (and the epilogue) reads, and what it makes
  llvm::SmallVector<Field> params;            ///< params and invariants, by their number among the uniforms
  llvm::SmallVector<Field> siteParams, sites; ///< what `site` reads and makes; sites stand among the states
  llvm::SmallVector<Field> varying, inputs;   ///< what a step reads
  llvm::SmallVector<Field> states, outputs;

  // Of a backward kernel: what a step keeps, gradients of outputs, of the carried states, of inputs and of params.
  llvm::SmallVector<Field> kept, gradOutputs, carried, gradInputs, gradParams;
  llvm::SmallVector<Field> gradVarying, gradSites; ///< of params that vary by step, and of those of neurons
  /// Each called as the param, invariant or site value whose gradients are added up; the latter over steps alone.
  llvm::SmallVector<Field> sums, siteSums;

  /// The arguments of a region as its function's body reads them.
  llvm::SmallVector<std::string> argumentTexts(mlir::Region &region) const;

private:
  void findUniforms();
  void findSites();
  void findSequences();
  void findKept();
  void findGradients();
  void findSums();
  std::string invariantName(unsigned uniform, unsigned slot);

  scan::KernelOp kernel;
  llvm::SmallVector<std::string> uniformNames; ///< of params and invariants
};

} // namespace flexsn::cuda
