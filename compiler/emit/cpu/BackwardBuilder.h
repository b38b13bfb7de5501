// The loops of a backward kernel: tiles, chunks of steps, and through each chunk forwards and back.
#pragma once

#include "compiler/emit/cpu/GradientRows.h"
#include "compiler/emit/cpu/ReadAhead.h"
#include "compiler/emit/cpu/StateRows.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

namespace flexsn::cpu {

/// Makes the loops of one kernel.
class BackwardBuilder {
public:
  explicit BackwardBuilder(KernelFrame &frame)
      : frame(frame), kernel(frame.kernel), builder(frame.builder), location(frame.location),
        tile(kernel.getCpuSchedule().getTile()), every(chunkSteps(kernel)),
        loops(builder, location, frame.width, frame.isStreaming() && !isPipelined(kernel)), sites(frame, loops),
        states(frame, loops, sites), gradients(frame, loops, sites), ahead(frame) {}

  /// All of them, behind what `frame` has loaded.
  mlir::LogicalResult build();

private:
  /// Rows of operands at a step, and of the values kept for it.
  struct StepRows {
    llvm::SmallVector<mlir::Value> inputs, gradOutputs, gradInputs, kept;
  };
  /// A chunk of the tile at `first`, of `count` steps: none where there is no such chunk.
  struct Unit {
    mlir::Value first, count;
    Chunk chunk;
  };

  void bind();
  mlir::LogicalResult walkTiles(mlir::Value from, mlir::Value to);
  mlir::LogicalResult buildTile(mlir::Value first, mlir::Value tileEnd);
  mlir::LogicalResult walkChunks(mlir::Value first);
  Chunk chunkAt(mlir::Value done);
  mlir::LogicalResult restoreStates(const Chunk &chunk, mlir::Value first);
  mlir::LogicalResult recompute(const Chunk &chunk, mlir::Value first);
  mlir::LogicalResult flowBack(const Chunk &chunk, mlir::Value first);
  mlir::LogicalResult both(const Chunk &chunk, mlir::Value first);
  mlir::LogicalResult recomputeVector(mlir::Value index, mlir::Value mask, const StepRows &rows);
  mlir::LogicalResult flowVector(mlir::Value index, mlir::Value mask, const StepRows &rows);
  mlir::LogicalResult cutAt(mlir::Value time);

  // BackwardPipeline.cpp: whole tiles, two chunks at once.
  mlir::Value pipelineEnd();
  mlir::LogicalResult walkPipeline(mlir::Value from, mlir::Value to);
  Unit unitAt(mlir::Value from, mlir::Value number, mlir::Value exists);
  mlir::LogicalResult beginAgain(const Unit &unit, mlir::Value exists);
  mlir::LogicalResult beginFlow(const Unit &unit, mlir::Value inSpan);
  mlir::LogicalResult endFlow(const Unit &unit, mlir::Value inSpan);
  mlir::LogicalResult walkUnits(const Unit &again, const Unit &flowing, mlir::Value number);
  mlir::Value slotOf(mlir::Value inChunk, mlir::Value isUp);
  mlir::Value flowingTime(const Unit &unit, mlir::Value done);
  StepRows recomputedRows(const Unit &unit, mlir::Value done, mlir::Value isUp);
  StepRows flowingRows(const Unit &unit, const Unit &next, mlir::Value done, mlir::Value isUp);

  // One step, one vector.
  StepRows rowsAt(mlir::Value time, mlir::Value first);
  llvm::SmallVector<mlir::Value> keptRows(mlir::Value slot);
  void loadInputs(mlir::Value index, mlir::Value mask, const StepRows &rows, llvm::ArrayRef<mlir::ValueRange> regions,
                  mlir::IRMapping &values);
  mlir::LogicalResult step(mlir::Value index, mlir::IRMapping &values);
  mlir::LogicalResult adjoint(mlir::Value index, mlir::Value mask, const StepRows &rows, mlir::IRMapping &values);

  mlir::Value constant(int64_t value) { return frame.scalars.longConstant(value); }
  template <class Op> mlir::Value make(mlir::Value left, mlir::Value right) {
    return Op::create(builder, location, left, right);
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value left, mlir::Value right) {
    return mlir::arith::CmpIOp::create(builder, location, predicate, left, right);
  }
  mlir::Value choose(mlir::Value condition, mlir::Value yes, mlir::Value no) {
    return mlir::arith::SelectOp::create(builder, location, condition, yes, no);
  }

  KernelFrame &frame;
  scan::KernelOp kernel;
  mlir::OpBuilder &builder;
  mlir::Location location;
  int64_t tile, every;
  TileLoops loops;
  SiteRows sites;
  StateRows states;
  GradientRows gradients;
  ReadAhead ahead;
  llvm::SmallVector<Operand *> inputs, checkpoints, gradOutputs, gradInputs; ///< inputs: all reads of a step
  mlir::ValueRange adjointInputs, adjointKept, adjointOutputs;               ///< arguments of `adjoint`
  mlir::Value chunks;
};

} // namespace flexsn::cpu
