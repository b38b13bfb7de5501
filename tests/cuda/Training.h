// The two programs of a training step by both backends on the same operands.
#pragma once

#include "runtime/CudaAbi.h"
#include "tests/cuda/CpuRun.h"
#include "tests/cuda/Variants.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace flexsn::test {

/// What a training step is made for, beside its model.
struct TrainingVariant {
  Storage data;
  Layout layout;
  AccessPath access;
  MathMode math;
  bool states;     ///< initial states are given, their gradients wanted, and final states too
  unsigned wanted; ///< chooses gradients: those with a bit set, by number; those of inputs first, then of params
};

/// Each type, layout, access path and mode; gradients of everything, and of parts.
std::vector<TrainingVariant> trainingVariants();

/// A training step, compiled for the CPU and emitted as CUDA C++.
struct Training {
  std::string label;
  Both forward, backward;

  bool wantsGradients() const;
};

/// Not compiled yet.
Training trainingOf(const std::shared_ptr<const Model> &model, const TrainingVariant &variant);

/// Compiles and emits both; empty, or what the compiler said.
std::string prepare(Training &training);

/// Operands of both programs by role and name, but for the checkpoints, which belong to a backend.
using TrainingOperands = std::map<std::pair<Role, std::string>, PlacedOperand>;

/// Runs a training step by CUDA's programs on `operands`, with checkpoints of its own, in one of two ways. Returns the
/// slots of the gradients of params.
using CudaStep =
    std::function<std::vector<uint64_t>(TrainingOperands &operands, const Arrangement &arrangement, bool otherWay)>;

/// The CPU's kernels of a training step, which CUDA's must equal.
class TrainingRun {
public:
  /// `training` is prepared and outlives this.
  explicit TrainingRun(const Training &training)
      : training(training), forward(training.forward), backward(training.backward) {}

  const std::vector<uint64_t> &forwardParams() const { return forward.params; }
  const std::vector<uint64_t> &backwardParams() const { return backward.params; }

  /// Both ways on the same operands. Empty, or what differs from the CPU's kernels.
  std::string compare(const CudaStep &step, const Arrangement &arrangement, unsigned seed) const;

private:
  std::vector<uint64_t> run(TrainingOperands &operands, const Arrangement &arrangement) const;

  const Training &training;
  CpuRun forward, backward;
};

/// Operands of both programs for one call: filled as `placed` does it.
TrainingOperands drawOperands(const Training &training, const Arrangement &arrangement, unsigned seed);

/// Bytes of the checkpoints of a call: [chunk][state][neuron].
size_t checkpointBytes(const CpuProgram &program, const Arrangement &arrangement);
size_t checkpointBytes(const CudaProgram &program, const Arrangement &arrangement);
/// A program's operands in its order: checkpoints in memory at `checkpoints`, the others as `bind` has them.
std::vector<CudaOperand> orderedOperands(const CudaProgram &program, void *checkpoints, const Arrangement &arrangement,
                                         TrainingOperands &operands,
                                         const std::function<CudaOperand(PlacedOperand &)> &bind);
/// The same of the CPU's program.
std::vector<CpuOperand> orderedOperands(const CpuProgram &program, void *checkpoints, const Arrangement &arrangement,
                                        TrainingOperands &operands);

/// Runs programs number `index` (forward) and `index` + 1 (backward) of `texts`, in one arrangement, with threads
/// forwards and backwards. Empty, or what differs from the CPU's kernels.
std::string runTraining(const Training &training, const CompiledTexts &texts, size_t index,
                        const Arrangement &arrangement, unsigned seed);

/// Numbers of steps around the chunks, ragged numbers of neurons and some that are of several blocks.
std::vector<Arrangement> trainingArrangements(const Training &training);

} // namespace flexsn::test
