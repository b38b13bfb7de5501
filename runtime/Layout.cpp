#include "runtime/Layout.h"

#include <algorithm>
#include <cstdlib>

namespace flexsn {
namespace {

/// Dimensions of a step with more than one element, outermost first: by the size of their strides, those of stride 0
/// where they are.
std::vector<size_t> iterationOrder(const TensorView &view, size_t time) {
  std::vector<size_t> order, places;
  for (size_t d = time; d < view.shape.size(); ++d)
    if (view.shape[d] != 1)
      order.push_back(d);
  std::vector<size_t> moving;
  for (size_t i = 0; i < order.size(); ++i)
    if (view.strides[order[i]] != 0) {
      places.push_back(i);
      moving.push_back(order[i]);
    }
  std::sort(moving.begin(), moving.end(), [&](size_t a, size_t b) {
    int64_t left = std::abs(view.strides[a]), right = std::abs(view.strides[b]);
    return left != right ? left > right : a < b;
  });
  for (size_t i = 0; i < places.size(); ++i)
    order[places[i]] = moving[i];
  return order;
}

bool isScalar(const WalkedView &operand) { return operand.view->shape.size() == operand.time; }

/// Along dimension `d` of the reference.
int64_t strideOf(const WalkedView &operand, const WalkedView &reference, size_t d) {
  return isScalar(operand) ? 0 : operand.view->strides[d - reference.time + operand.time];
}

/// Adds an inner dimension: to the one around it where every operand's elements go on from there.
void addDimension(IterationSpace &space, int64_t size, const std::vector<int64_t> &strides) {
  bool merges = !space.extents.empty();
  for (size_t k = 0; k < strides.size() && merges; ++k)
    merges = space.strides[k].back() == strides[k] * size; // at most the operand's span: no overflow
  if (merges)
    space.extents.back() *= size;
  else
    space.extents.push_back(size);
  for (size_t k = 0; k < strides.size(); ++k)
    if (merges)
      space.strides[k].back() = strides[k];
    else
      space.strides[k].push_back(strides[k]);
}

/// Every operand that is no single value lies dense.
bool isLinear(const IterationSpace &space, std::span<const WalkedView> operands) {
  if (space.extents.empty())
    return true;
  if (space.extents.size() > 1)
    return false;
  for (size_t k = 0; k < operands.size(); ++k)
    if (!isScalar(operands[k]) && space.strides[k].back() != 1)
      return false;
  return true;
}

} // namespace

IterationSpace iterationSpace(std::span<const WalkedView> operands, size_t reference) {
  return iterationSpace(operands, operands[reference]);
}

IterationSpace iterationSpace(std::span<const WalkedView> operands, const WalkedView &first) {
  const TensorView &view = *first.view;
  IterationSpace space;
  space.strides.resize(operands.size());
  if (view.empty()) {
    space.neurons = 0;
    return space;
  }
  std::vector<int64_t> strides(operands.size());
  for (size_t d : iterationOrder(view, first.time)) {
    space.neurons *= view.shape[d]; // the whole operand was checked for overflow
    for (size_t k = 0; k < operands.size(); ++k)
      strides[k] = strideOf(operands[k], first, d);
    addDimension(space, view.shape[d], strides);
  }
  if (space.extents.size() > mostDims)
    fail(FLEXSN_ERROR_UNSUPPORTED,
         "{} of shape {}: the strides of the call's operands leave {} dimensions that cannot be walked as one, and at "
         "most {} are possible; copy the operands into one order first",
         view.label, shapeText(view.shape), space.extents.size(), mostDims);
  space.layout = isLinear(space, operands) ? Layout::Linear : Layout::Strided;
  return space;
}

} // namespace flexsn
