// The tensors of one call, before they are placed in the kernel's iteration space.
#pragma once

#include "runtime/Request.h"
#include "runtime/Tensor.h"

#include <string>
#include <vector>

namespace flexsn {

/// One operand that is a tensor.
struct TensorOperand {
  TensorView view;
  KernelOperand operand; ///< what the kernel calls it
  size_t param = 0;      ///< of a parameter with dims: its place in the model's list

  bool isSequence() const { return flexsn::isSequence(operand.role); }
  bool isWritten() const { return flexsn::isWritten(operand.role); }
  /// A state given as a tensor without dimensions: one value for all neurons.
  bool isScalar() const { return operand.role == Role::Initial && view.shape.empty(); }
  /// Dimensions in front of those of a step.
  size_t leading() const { return isSequence() ? 1 : 0; }
};

/// All of them.
struct CallTensors {
  std::vector<TensorOperand> walked; ///< sequences and states, in the order of the roles
  std::vector<TensorOperand> params; ///< parameters with dims, of those that are given as tensors
  std::vector<TensorOperand> paramGradients;

  /// Adds a sequence; throws if it has no time, or no steps. `label` as readTensor has it.
  void addSequence(const DLTensor *tensor, std::string label, KernelOperand operand);

  /// The one that decides shape and order: the first that is no initial state. Null if there is none.
  const TensorOperand *reference() const;
};

/// "one step of 'x'" or "final state 'v'": the reference's step in messages about other shapes.
std::string stepWords(const TensorOperand &reference);

/// Throws unless every tensor has the shape of the reference, or of its step.
void checkShapes(const CallTensors &tensors);

/// Throws where what a kernel writes may share a byte with another operand or with itself (docs/skeleton.md).
void checkOverlaps(const CallTensors &tensors, const Model &model);

} // namespace flexsn
