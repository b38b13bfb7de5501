// Operands whose neurons do not lie side by side: where each neuron of a tile is, and accesses there.
#pragma once

#include "compiler/emit/cpu/Memory.h"

namespace mlir::LLVM {
class LLVMFuncOp;
} // namespace mlir::LLVM

namespace flexsn::cpu {

/// One operand's places in a tile, in the workspace, by distances in bytes from neuron 0. For each vector that of its
/// first neuron if the others follow side by side; the same and `alikeFrom` if all neurons are in one place; else
/// `scattered`, and then for each neuron its own.
struct Places {
  mlir::Value offsets; ///< i64 a neuron
  mlir::Value firsts;  ///< i64 a vector
};
// Operands span less than 2^60 bytes (runtime/Tensor.h), so no distance is one of these.
inline constexpr int64_t scattered = INT64_MIN, alikeFrom = int64_t{1} << 61;

/// Makes `NAME_places(operand, extents, first, count, item, offsets, firsts)`, which fills the Places of one operand
/// for the neurons [first, first + count). One function serves all operands of a kernel.
mlir::LLVM::LLVMFuncOp buildPlaces(mlir::OpBuilder &builder, scan::KernelOp kernel);

/// Loads and stores vectors of an operand by its Places: side by side as a vector, else element by element.
class StridedMemory {
public:
  StridedMemory(mlir::OpBuilder &builder, mlir::Location location, unsigned width, bool halfInstructions)
      : builder(builder), location(location), width(width), scalars(builder, location, Place::Operand),
        vectors(builder, location, Place::Operand, width, halfInstructions) {}

  /// Of the vector whose first neuron in the tile is `index`; `step` is the address of neuron 0 at the step at hand.
  /// What is written has no two neurons in one place.
  mlir::Value load(mlir::Value step, const Places &places, mlir::Value index, scan::Storage storage, mlir::Value mask);
  void store(mlir::Value value, mlir::Value step, const Places &places, mlir::Value index, scan::Storage storage,
             mlir::Value mask);

private:
  mlir::Value firstOf(const Places &places, mlir::Value index);
  mlir::Value isScattered(mlir::Value first);
  mlir::Value loadTogether(mlir::Value step, mlir::Value first, scan::Storage storage, mlir::Value mask);
  mlir::Value addresses(mlir::Value step, const Places &places, mlir::Value index);
  mlir::Value allLanes(mlir::Value mask);

  mlir::OpBuilder &builder;
  mlir::Location location;
  unsigned width;
  Memory scalars, vectors;
};

} // namespace flexsn::cpu
