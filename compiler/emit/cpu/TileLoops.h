// The loops that every kernel is made of: ranges, tiles of neurons, the vectors of a tile.
#pragma once

#include <mlir/IR/Builders.h>

namespace flexsn::cpu {

/// Builds loops around bodies. The tile at hand is the one that `enterTile` was last told of.
class TileLoops {
public:
  /// What runs for one value of the counter.
  using Body = llvm::function_ref<mlir::LogicalResult(mlir::Value)>;
  /// What runs for one vector: `index` is its first element in the tile, `mask` null or the lanes that exist.
  using VectorBody = llvm::function_ref<mlir::LogicalResult(mlir::Value index, mlir::Value mask)>;

  /// `inQuarters`: whole vectors are taken in turn from each quarter of a tile.
  TileLoops(mlir::OpBuilder &builder, mlir::Location location, unsigned width, bool inQuarters)
      : builder(builder), location(location), width(width), inQuarters(inQuarters) {}

  /// `body` for each of from, from + step, ... below `to`.
  mlir::LogicalResult forRange(mlir::Value from, mlir::Value to, mlir::Value step, Body body);
  /// The same with a constant step.
  mlir::LogicalResult forRange(mlir::Value from, mlir::Value to, int64_t step, Body body);
  /// `body` where `condition` holds.
  mlir::LogicalResult onlyIf(mlir::Value condition, llvm::function_ref<mlir::LogicalResult()> body);

  /// Finds the vectors of the neurons from `first` to `tileEnd`.
  void enterTile(mlir::Value first, mlir::Value tileEnd);
  /// The same for tiles of `neurons`, all in whole vectors.
  void enterWholeTile(int64_t neurons);
  /// Neurons of the tile at hand.
  mlir::Value tileCount() const { return count; }
  /// Runs `body` for the tile's whole vectors, then for the ragged one, if any.
  mlir::LogicalResult forEachVector(VectorBody body);

private:
  mlir::LogicalResult forEachWholeVector(VectorBody body);
  mlir::Value constant(int64_t value);

  mlir::OpBuilder &builder;
  mlir::Location location;
  unsigned width;
  bool inQuarters;
  mlir::Value count, wholeCount,
      tailMask; ///< all elements, those of whole vectors, the ragged one's lanes (null: there is none)
};

} // namespace flexsn::cpu
