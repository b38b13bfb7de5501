// What the parts of a model's struct are printed with: structs, functions of regions, and how values lie in memory.
#pragma once

#include "compiler/emit/cuda/BodyPrinter.h"
#include "compiler/emit/cuda/ModelFields.h"
#include "compiler/emit/cuda/ModelPrinter.h"

namespace flexsn::cuda {

class StructPrinter {
public:
  StructPrinter(CodeText &text, scan::KernelOp kernel, const Model &model, Needs &needs)
      : text(text), kernel(kernel), fields(kernel), model(model), needs(needs) {}

  /// struct NAME { float a, b; };  One type a line. With `initial`, that is what each field begins as.
  void printStruct(llvm::StringRef structName, llvm::ArrayRef<Field> list, llvm::StringRef initial = {});
  /// A function from the call's uniforms to a struct of them.
  void printUniforms(llvm::StringRef function, llvm::StringRef structName, llvm::ArrayRef<Field> list);
  /// A function from slots to a struct of them, and one that fills slots from a struct.
  void printFromSlots(llvm::StringRef function, llvm::StringRef structName, llvm::ArrayRef<Field> list);
  void printIntoSlots(llvm::StringRef function, llvm::StringRef structName, llvm::ArrayRef<Field> list);

  /// A function with a region's operations and what becomes of its results. `parameters` are its own names; the old
  /// values of the region's last `states` arguments are lost where results overwrite them.
  mlir::LogicalResult printRegion(mlir::Region &region, llvm::StringRef head,
                                  llvm::ArrayRef<llvm::StringRef> parameters, unsigned states,
                                  llvm::ArrayRef<BodyPrinter::Result> results);

  /// The struct `stored`: one step of `list` as it lies in memory, read from the model's `streams` operands; its
  /// function `of` gives neuron k's values as the struct `structName`. Params that vary by step come in front of them.
  void printStored(llvm::StringRef stored, llvm::StringRef structName, llvm::ArrayRef<Field> list,
                   llvm::StringRef streams, llvm::ArrayRef<Field> varying = {});
  /// A function that writes one step of `list`, the fields of `structName`.
  /// The function that writes a step's gradients of what it reads.
  void printWriteGrads();
  void printWrite(llvm::StringRef function, llvm::StringRef structName, llvm::ArrayRef<Field> list,
                  llvm::StringRef streams);
  /// A function that reads (or writes) the fields of `list`, of the struct `structName`, from the operands of `role`.
  void printStates(llvm::StringRef function, scan::Role role, bool reads, llvm::StringRef structName,
                   llvm::ArrayRef<Field> list);
  /// A function that writes the states that have checkpoints, or reads them.
  void printSaved(llvm::StringRef function, bool reads);
  /// The position in the call of the first operand that has this role or comes behind it.
  unsigned placeOf(scan::Role role);

  CodeText &text;
  scan::KernelOp kernel;
  const ModelFields fields;

private:
  void printList(llvm::StringRef begin, llvm::ArrayRef<std::string> values);

  const Model &model;
  Needs &needs;
};

// What a backward kernel's struct has beside: its structs, the functions that gradients flow through, and how they lie
// in memory.
void printGradientStructs(StructPrinter &parts);
mlir::LogicalResult printGradientRegions(StructPrinter &parts);
void printGradientMemory(StructPrinter &parts);

} // namespace flexsn::cuda
