// What a kernel finds in its call, as values: counts, uniforms, operands in memory. Every kind of kernel begins here.
#pragma once

#include "compiler/emit/cpu/KernelLayout.h"
#include "compiler/emit/cpu/Memory.h"
#include "compiler/emit/cpu/Strided.h"

#include <mlir/IR/IRMapping.h>

namespace flexsn::cpu {

/// An operand of CpuCall, with its fields loaded.
struct Operand {
  scan::OperandAttr attribute;
  mlir::Value address;                         ///< of its CpuOperand
  mlir::Value data, timeStride, elementStride; ///< timeStride: of sequences; elementStride: of initial states, linear
  Places places;                               ///< where neurons are found by strides
  scan::Storage storage() const { return attribute.getStorage(); }
  scan::Role role() const { return attribute.getRole(); }
  llvm::StringRef name() const { return attribute.getName(); }
};

class KernelFrame {
public:
  KernelFrame(mlir::OpBuilder &builder, scan::KernelOp kernel, bool halfInstructions)
      : builder(builder), kernel(kernel), location(kernel.getLoc()), width(kernel.getCpuSchedule().getWidth()),
        scalars(builder, location, Place::Workspace), rows(builder, location, Place::Workspace, width),
        vectors(builder, location, Place::Operand, width, halfInstructions), layout(layoutOf(kernel)),
        strided(builder, location, width, halfInstructions) {}

  /// Makes the functions beside the kernel's that its loops call.
  void buildFunctions();
  /// Reads a CpuCall where the builder is, in front of all loops.
  void load(mlir::Value call);
  /// Of a strided kernel: finds the rows of places in the workspace.
  void bindPlaces();

  llvm::SmallVector<Operand *> operandsOf(scan::Role role);
  /// Params with dims.
  llvm::SmallVector<Operand *> paramsOf(scan::Variation variation);
  /// What a step reads of memory: the operands of KernelOp::stepReads.
  llvm::SmallVector<Operand *> readsOf();
  /// Where the gradients of reads go: the operands of KernelOp::gradReads.
  llvm::SmallVector<Operand *> gradReadsOf();
  /// Null where the call has none.
  Operand *find(scan::Role role, llvm::StringRef name);

  bool isStrided() { return kernel.getLayout() == scan::Layout::Strided; }
  bool isStreaming() { return kernel.getCpuSchedule().isStreaming(); }

  /// The address of a row of the workspace.
  mlir::Value row(size_t offset) { return scalars.offset(workspace, static_cast<int64_t>(offset)); }

  /// Fills the places of every operand for the `count` neurons from `first` on.
  void findPlaces(mlir::Value first, mlir::Value count);
  /// What the elements of the tile at `first` are found from, at step `time` (null for states): the first one's
  /// address, or of a strided operand that of neuron 0.
  mlir::Value rowOf(const Operand &operand, mlir::Value first, mlir::Value time = {});
  /// One vector of an operand: `index` is its first element in the tile, `mask` null or the lanes that exist.
  mlir::Value load(const Operand &operand, mlir::Value row, mlir::Value index, mlir::Value mask);
  void store(mlir::Value value, const Operand &operand, mlir::Value row, mlir::Value index, mlir::Value mask);
  /// The same of a sequence that nobody reads again: past the caches where the kernel streams.
  void storeResult(mlir::Value value, const Operand &operand, mlir::Value row, mlir::Value index, mlir::Value mask);

  mlir::OpBuilder &builder;
  scan::KernelOp kernel;
  mlir::Location location;
  unsigned width;
  Memory scalars, rows, vectors; ///< of the call's structs; of the workspace; of operands that lie dense
  KernelLayout layout;

  mlir::Value begin, end, steps, workspace;
  mlir::IRMapping uniforms;                ///< params and invariants of the regions to their vectors
  llvm::SmallVector<mlir::Value> declared; ///< what `init` gives each state, in every lane; empty where it reads sites
  mlir::Value partials, partialStride;     ///< of a kernel with sums, which `sumFunction` adds up
  mlir::LLVM::LLVMFuncOp sumFunction;

private:
  void loadOperands(mlir::Value array);
  void loadUniforms(mlir::Value slots);
  void makeDeclared(mlir::IRMapping &scalarValues);
  bool hasPlaces(const Operand &operand) { return operand.attribute.hasPlaces(kernel.getLayout()); }
  /// One value for all neurons.
  bool isShared(const Operand &operand) { return operand.role() == scan::Role::Param && !hasPlaces(operand); }

  StridedMemory strided;                 ///< of operands that do not lie dense
  mlir::LLVM::LLVMFuncOp placesFunction; ///< null where there are none
  mlir::Value extents, paramExtents;     ///< addresses of CpuCall's
  llvm::SmallVector<Operand> operands;
};

} // namespace flexsn::cpu
