// What a streaming backward kernel fetches while it computes: rows of a tile are too far apart for the processor to
// foresee them.
#pragma once

#include "compiler/emit/cpu/KernelFrame.h"

namespace flexsn::cpu {

/// Steps that are walked forwards, then backwards.
struct Chunk {
  mlir::Value number; ///< chunks before it
  mlir::Value begin, end;
};

/// Each way fetches its own next step; the last step of a way fetches where the other one begins.
class ReadAhead {
public:
  explicit ReadAhead(KernelFrame &frame) : frame(frame) {}

  /// Finds the operands that `step` reads, and those that `adjoint` alone reads. The frame has been loaded.
  void bind();

  /// In front of the vectors of a step: what comes behind it on the way forwards, on the way back, and where a chunk is
  /// one step. Does nothing unless the kernel streams.
  void forwards(const Chunk &chunk, mlir::Value time, mlir::Value first);
  void back(const Chunk &chunk, mlir::Value time, mlir::Value first, mlir::Value chunks);
  void single(const Chunk &chunk, mlir::Value first);

  /// Where both ways go at once: begins with nothing, then adds what `step` and what `adjoint` alone reads at a time.
  void clear();
  void addStep(mlir::Value first, mlir::Value time);
  void addAdjoint(mlir::Value first, mlir::Value time);

  /// For a whole vector of that step.
  void fetch(mlir::Value index);

private:
  using Operands = llvm::SmallVector<Operand *>;
  using Rows = llvm::SmallVector<std::pair<Operand *, mlir::Value>>;
  Rows rowsOf(llvm::ArrayRef<Operand *> operands, mlir::Value first, mlir::Value time);
  void fetchRows(const Rows &rows, mlir::Value index);

  KernelFrame &frame;
  Operands forStep, forAdjoint;
  mlir::Value more;     ///< whether the same way goes on; null: always
  Rows next, otherwise; ///< what is read then, and else
};

} // namespace flexsn::cpu
