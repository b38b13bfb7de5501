// What a backward kernel carries from step to step of a tile: gradients of states, and sums for those of parameters.
#pragma once

#include "compiler/emit/cpu/SiteRows.h"

namespace flexsn::cpu {

/// Rows of the workspace. Results of a region are those of its end: gradients of the carried states, then summands.
class GradientRows {
public:
  GradientRows(KernelFrame &frame, TileLoops &loops, SiteRows &sites) : frame(frame), loops(loops), sites(sites) {}

  /// Finds the rows, and the operands that gradients of states come from and go to. The frame has been loaded.
  void bind();
  bool hasSums() const { return !sums.empty(); }

  /// Sums of a span of neurons begin with nothing.
  mlir::LogicalResult clearSums();
  /// The tile at hand begins `inSpan` neurons behind its span's first one.
  void enterTile(mlir::Value inSpan);

  /// Gradients of the tile at `first` begin with those of the final states, or 0.
  mlir::LogicalResult seed(mlir::Value first);
  /// Maps the last arguments of a region to the gradients, where it reads them.
  void mapArguments(mlir::Value index, mlir::Region &region, mlir::IRMapping &values);
  /// The gradients in front of the step.
  void storeResults(mlir::Value index, mlir::ValueRange results, const mlir::IRMapping &values);
  /// Adds a region's last results to the sums of the neurons in `mask`.
  void addSummands(mlir::Value index, mlir::Value mask, mlir::Region &region, const mlir::IRMapping &values);
  /// No gradient goes on to earlier steps.
  mlir::LogicalResult cut();
  /// In front of step 0: gradients of initial states are written, those of declared ones are added to the sums.
  mlir::LogicalResult finish(mlir::Value first);
  /// Writes the sums of the span's groups.
  mlir::LogicalResult writePartials(mlir::Value spanFirst, mlir::Value spanEnd);

private:
  /// The gradient of a state.
  struct Carried {
    scan::Storage storage;
    mlir::Value row;
    Operand *final, *initial; ///< what comes in and goes out; null where nothing does
  };
  struct Sum {
    scan::Storage storage;
    mlir::Value row;    ///< of the span, or of a site value's the tile
    mlir::Value inTile; ///< of the tile at hand
  };
  void clear(llvm::ArrayRef<Sum> cleared, mlir::Value index);
  void add(llvm::ArrayRef<Sum> to, mlir::ValueRange summands, mlir::Value index, mlir::Value mask,
           const mlir::IRMapping &values);
  mlir::LogicalResult finishSites(mlir::Value first, mlir::Value index, mlir::Value mask);
  mlir::Value zero(scan::Storage storage);
  mlir::Value load(const Carried &carried, mlir::Value index);
  void store(const Carried &carried, mlir::Value index, mlir::Value value);

  KernelFrame &frame;
  TileLoops &loops;
  SiteRows &sites;
  llvm::SmallVector<Carried> states;
  llvm::SmallVector<Operand *> uncarried; ///< gradients of initial states that are 0
  llvm::SmallVector<Sum> sums;
  llvm::SmallVector<Sum> siteSums;            ///< over steps alone: `site_adjoint` reads them
  llvm::SmallVector<Operand *> siteGradients; ///< of params that vary by neuron
};

} // namespace flexsn::cpu
