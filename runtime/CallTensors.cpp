#include "runtime/CallTensors.h"

#include "runtime/Overlap.h"

#include <algorithm>

namespace flexsn {

void CallTensors::addSequence(const DLTensor *tensor, std::string label, KernelOperand operand) {
  TensorView view = readTensor(tensor, std::move(label), operand.storage);
  if (view.shape.empty())
    fail(FLEXSN_ERROR_VALUE, "{} has no dimensions, but its first one is time", view.label);
  if (view.shape.front() == 0)
    fail(FLEXSN_ERROR_VALUE, "{} has no time steps (shape {}); at least one is needed", view.label,
         shapeText(view.shape));
  walked.push_back({std::move(view), std::move(operand)});
}

const TensorOperand *CallTensors::reference() const {
  auto found = std::find_if(walked.begin(), walked.end(),
                            [](const TensorOperand &tensor) { return tensor.operand.role != Role::Initial; });
  return found == walked.end() ? nullptr : &*found;
}

/// What the reference is called beside another operand: "'x'", or for a state "final state 'v'".
static std::string referenceWords(const TensorOperand &reference) {
  const std::string &name = reference.operand.name;
  switch (reference.operand.role) {
  case Role::GradOutput: return fmt::format("the gradient of output '{}'", name);
  case Role::Final: return fmt::format("final state '{}'", name);
  case Role::GradFinal: return fmt::format("the gradient of final state '{}'", name);
  case Role::GradInitial: return fmt::format("the gradient of initial state '{}'", name);
  default: return fmt::format("'{}'", name);
  }
}

std::string stepWords(const TensorOperand &reference) {
  return (reference.isSequence() ? "one step of " : "") + referenceWords(reference);
}

void checkShapes(const CallTensors &tensors) {
  const TensorOperand &reference = *tensors.reference();
  const std::vector<int64_t> &whole = reference.view.shape;
  std::vector<int64_t> step(whole.begin() + static_cast<ptrdiff_t>(reference.leading()), whole.end());
  for (const TensorOperand &tensor : tensors.walked) {
    const std::vector<int64_t> &shape = tensor.view.shape;
    if (tensor.isSequence() && shape != whole)
      fail(FLEXSN_ERROR_VALUE, "{} has shape {}, but {} has shape {}", tensor.view.label, shapeText(shape),
           referenceWords(reference), shapeText(whole));
    if (!tensor.isSequence() && shape != step && !tensor.isScalar())
      fail(FLEXSN_ERROR_VALUE, "{} has shape {}, but {} has shape {}{}", tensor.view.label, shapeText(shape),
           stepWords(reference), shapeText(step),
           tensor.operand.role == Role::Initial ? "; pass no state to start from the declared value" : "");
  }
}

static const char *overlapWords(Overlap overlap) { return overlap == Overlap::Yes ? "overlap" : "may overlap"; }

void checkOverlaps(const CallTensors &tensors, const Model &model) {
  std::vector<TensorOperand> all = tensors.walked;
  all.insert(all.end(), tensors.params.begin(), tensors.params.end()); // read, as inputs are
  all.insert(all.end(), tensors.paramGradients.begin(), tensors.paramGradients.end());
  std::vector<Footprint> footprints;
  for (const TensorOperand &tensor : all)
    footprints.push_back(footprint(tensor.view));
  for (size_t i = 0; i < all.size(); ++i) {
    const TensorOperand &a = all[i];
    if (!a.isWritten())
      continue;
    if (Overlap found = overlapsItself(footprints[i]); found != Overlap::No)
      fail(FLEXSN_ERROR_VALUE, "{} has elements that {} (strides {})", a.view.label, overlapWords(found),
           shapeText(a.view.strides));
    for (size_t j = 0; j < all.size(); ++j) {
      const TensorOperand &b = all[j];
      if (j == i || (b.isWritten() && j > i))
        continue; // a pair of written operands is looked at once
      bool own = a.operand.role == Role::Final && b.operand.role == Role::Initial && a.operand.name == b.operand.name;
      if (own && sameMemory(a.view, b.view))
        continue;
      Overlap found = overlap(footprints[i], footprints[j]);
      if (found == Overlap::No)
        continue;
      std::string_view neighbour = std::string_view(b.view.label).substr(model.name.size() + 2);
      fail(FLEXSN_ERROR_VALUE, "{} {} {}{}", a.view.label, found == Overlap::Yes ? "overlaps" : "may overlap",
           neighbour, own ? "; it may be exactly the same memory, or apart" : "; it needs memory of its own");
    }
  }
}

} // namespace flexsn
