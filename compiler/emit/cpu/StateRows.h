// The states of a tile: a row of the workspace each, read from an initial tensor or from `init`.
#pragma once

#include "compiler/emit/cpu/SiteRows.h"

namespace flexsn::cpu {

class StateRows {
public:
  StateRows(KernelFrame &frame, TileLoops &loops, SiteRows &sites) : frame(frame), loops(loops), sites(sites) {}

  /// Finds the rows, and the operands that states come from. The frame has been loaded.
  void bind();

  size_t size() const { return states.size(); }
  /// Fills the rows of the tile at `first` with the values before step 0.
  mlir::LogicalResult start(mlir::Value first);
  mlir::Value load(size_t state, mlir::Value index);
  void store(size_t state, mlir::Value index, mlir::Value value);
  /// Maps the arguments of `step` to what the rows have, where it reads them.
  void mapArguments(mlir::Value index, mlir::IRMapping &values);
  /// Rows take what `step` made of them.
  void storeResults(mlir::Value index, const mlir::IRMapping &values);

private:
  /// A state: its row in the workspace and where it comes from.
  struct State {
    scan::Storage storage;
    mlir::Value row;
    mlir::VectorType type;
    Operand *initial; ///< null where `init` gives the value
  };
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> declaredValues(mlir::Value index);
  mlir::Value loadInitial(const State &state, mlir::Value row, mlir::Value index, mlir::Value mask);

  KernelFrame &frame;
  TileLoops &loops;
  SiteRows &sites;
  llvm::SmallVector<State> states;
};

} // namespace flexsn::cpu
