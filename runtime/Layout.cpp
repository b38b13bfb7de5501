#include "runtime/Layout.h"

#include <algorithm>
#include <cstdlib>

namespace flexsn {

/// Dimensions of a step with more than one element, innermost first.
static std::vector<size_t> innermostFirst(const std::vector<int64_t> &shape, const int64_t *strides) {
  std::vector<size_t> dims;
  for (size_t i = shape.size(); i-- > 0;)
    if (shape[i] != 1)
      dims.push_back(i);
  std::sort(dims.begin(), dims.end(),
            [&](size_t a, size_t b) { return strides[a] != strides[b] ? strides[a] < strides[b] : a > b; });
  return dims;
}

IterationOrder iterationOrder(const TensorView &view, size_t first) {
  IterationOrder order;
  order.shape.assign(view.shape.begin() + static_cast<ptrdiff_t>(first), view.shape.end());
  order.strides.assign(order.shape.size(), 0);
  if (view.empty()) {
    order.neurons = 0;
    return order;
  }
  for (int64_t size : order.shape)
    order.neurons *= size; // the whole operand was checked for overflow
  const int64_t *strides = view.strides.data() + first;
  int64_t dense = 1;
  for (size_t i : innermostFirst(order.shape, strides)) {
    if (strides[i] != dense)
      fail(FLEXSN_ERROR_UNSUPPORTED,
           "{} of shape {} has the strides {}; the elements of a step must lie side by side in this version; copy it "
           "first",
           view.label, shapeText(view.shape), shapeText(view.strides));
    order.strides[i] = dense;
    dense *= order.shape[i];
  }
  return order;
}

void requireOrder(const TensorView &view, size_t first, const IterationOrder &order, std::string_view reference) {
  if (view.empty())
    return;
  for (size_t i = 0; i < order.shape.size(); ++i)
    if (order.shape[i] != 1 && view.strides[first + i] != order.strides[i])
      fail(FLEXSN_ERROR_UNSUPPORTED,
           "{} of shape {} has the strides {}, which is not the order of {} (strides {} within a step); copy it into "
           "that "
           "order first",
           view.label, shapeText(view.shape), shapeText(view.strides), reference, shapeText(order.strides));
}

/// The same memory with a stride of at least 0.
static Extent ascending(Extent extent) {
  if (extent.stride < 0) {
    extent.begin += static_cast<uintptr_t>(extent.stride * (extent.steps - 1));
    extent.stride = -extent.stride;
  }
  if (extent.stride == 0)
    extent.steps = 1;
  return extent;
}

bool overlap(Extent a, Extent b) {
  if (a.bytes == 0 || b.bytes == 0 || a.steps == 0 || b.steps == 0)
    return false;
  a = ascending(a);
  b = ascending(b);
  auto end = [](const Extent &extent, int64_t step) {
    return extent.begin + static_cast<uintptr_t>(extent.stride * step + extent.bytes);
  };
  if (end(a, a.steps - 1) <= b.begin || end(b, b.steps - 1) <= a.begin)
    return false;
  // Only operands within each other's span come here: walk both in address order.
  for (int64_t i = 0, j = 0; i < a.steps && j < b.steps;) {
    bool aBefore = end(a, i) <= b.begin + static_cast<uintptr_t>(b.stride * j);
    bool bBefore = end(b, j) <= a.begin + static_cast<uintptr_t>(a.stride * i);
    if (!aBefore && !bBefore)
      return true;
    i += aBefore;
    j += bBefore;
  }
  return false;
}

bool overlapsItself(const Extent &extent) {
  return extent.steps > 1 && extent.bytes > 0 && std::abs(extent.stride) < extent.bytes;
}

} // namespace flexsn
