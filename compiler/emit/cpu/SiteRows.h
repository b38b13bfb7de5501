// The site values of a tile: what `site` makes of params that vary by neuron, a row of the workspace each.
#pragma once

#include "compiler/emit/cpu/KernelFrame.h"
#include "compiler/emit/cpu/TileLoops.h"

namespace flexsn::cpu {

class SiteRows {
public:
  SiteRows(KernelFrame &frame, TileLoops &loops) : frame(frame), loops(loops) {}

  /// Fills the rows of the tile at `first`, whose places have been found.
  mlir::LogicalResult fill(mlir::Value first);
  /// Where the ways forwards and back may be in two tiles: the way back comes to the tile that `fill` was called for.
  mlir::LogicalResult handOver();
  /// Whether `site` or `site_adjoint` reads a param of neurons; an empty region reads none.
  bool readsParams(mlir::Region &region);
  /// Maps the params of neurons that `site` or `site_adjoint` takes, where it reads them.
  void mapParams(mlir::Value first, mlir::Value index, mlir::Value mask, mlir::Region &region, mlir::IRMapping &values);
  /// Maps the arguments of a region behind `site` to what the rows have, where it reads them.
  void mapArguments(mlir::Value index, mlir::Region &region, mlir::IRMapping &values);

private:
  mlir::Value elementOf(size_t row, mlir::Value index, scan::Storage storage);

  KernelFrame &frame;
  TileLoops &loops;
};

} // namespace flexsn::cpu
