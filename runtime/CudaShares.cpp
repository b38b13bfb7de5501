#include "runtime/CudaShares.h"

namespace flexsn {

/// Leaves of a gather's piece, and of a share's sum.
static constexpr int64_t gathered = 1024, shared = 32;
/// Pieces of a run that a thread of a share kernel adds up itself.
static constexpr int64_t mostPieces = 8;

static int64_t roundedUp(int64_t value, int64_t by) { return (value + by - 1) / by; }
static void *at(size_t place) { return reinterpret_cast<void *>(static_cast<uintptr_t>(place)); }
static size_t placeOf(const void *address) { return static_cast<size_t>(reinterpret_cast<uintptr_t>(address)); }

CudaShares::CudaShares(const SharedElements &given, bool perStep, unsigned neurons)
    : elements(given), perStep(perStep), item(static_cast<int64_t>(storageBytes(given.storage))) {
  if (elements.neurons == 0)
    return;
  // The kernel writes each neuron's value of every step; of a parameter of neurons, pieces if runs have any.
  int64_t unit = perStep || elements.run == 1 ? 1 : int64_t{32} * neurons;
  rowValues = unit == 1 ? elements.neurons : elements.neurons / elements.run + roundedUp(elements.neurons, unit);
  int64_t row = rowValues;
  add(elements.steps * row);
  if (elements.run != 1)
    addGathers(unit, row);
  addShares(elements.run == 1 ? 0 : unit, row);
}

/// Returns where the values are.
size_t CudaShares::add(int64_t values) {
  size_t place = size;
  size += (static_cast<size_t>(values * item) + 15) / 16 * 16;
  return place;
}

/// Until runs have few pieces, of `unit` neurons; `row` are the values of a step.
void CudaShares::addGathers(int64_t &unit, int64_t &row) {
  const int64_t runs = elements.neurons / elements.run;
  auto pieces = [&] { return (elements.run - 1) / unit + 2; };
  for (size_t from = 0; unit == 1 || pieces() > mostPieces;) {
    int64_t parts = roundedUp(pieces(), gathered) + 1, next = unit * gathered;
    int64_t nextRow = runs + roundedUp(elements.neurons, next);
    size_t to = add(elements.steps * nextRow);
    gatherCalls.push_back(
        {at(from), at(to), row * item, nextRow * item, elements.steps, runs, elements.run, unit, parts});
    from = to, unit = next, row = nextRow;
  }
}

/// Of pieces, or with unit 0 of single values, to elements.
void CudaShares::addShares(int64_t unit, int64_t row) {
  CudaShareCall call{};
  call.from = gatherCalls.empty() ? at(0) : gatherCalls.back().to;
  call.fromStride = row * item;
  call.steps = elements.steps;
  call.elements = call.leaves = 1;
  call.run = elements.run;
  call.unit = unit;
  int64_t runs = 1;
  for (size_t d = elements.axes.size(), own = maxDims, sharing = maxDims; d-- > 0;) {
    const auto &[count, stride] = elements.axes[d];
    (stride == 0 ? call.shared[--sharing] : call.own[--own]) = {count, runs, stride};
    (stride == 0 ? call.leaves : call.elements) *= count;
    runs *= count;
  }
  for (;;) {
    int64_t groups = roundedUp(call.leaves, shared);
    if (groups == 1) {
      call.to = elements.data;
      call.toStride = elements.timeStride;
      shareCalls.push_back(call);
      return;
    }
    CudaShareCall part = call;
    part.to = at(add(call.steps * groups * call.elements));
    part.groupStride = call.elements * item;
    part.toStride = groups * part.groupStride;
    int64_t before = 1;
    for (int d = maxDims - 1; d >= 0; --d) {
      part.own[d].to = before * item;
      before *= part.own[d].count;
    }
    shareCalls.push_back(part);
    // The next one's leaves are these sums.
    call.from = part.to;
    call.fromStride = part.toStride;
    call.leaves = groups;
    call.unit = 0;
    before = 1;
    for (int d = maxDims - 1; d >= 0; --d) {
      call.own[d].from = before;
      before *= call.own[d].count;
      call.shared[d] = {};
    }
    call.shared[maxDims - 1] = {groups, call.elements, 0};
  }
}

void CudaShares::place(void *memory) {
  base = memory;
  auto placed = [&](const void *place) { return static_cast<void *>(static_cast<char *>(memory) + placeOf(place)); };
  for (CudaGatherCall &call : gatherCalls) {
    call.from = placed(call.from);
    call.to = placed(call.to);
  }
  for (CudaShareCall &call : shareCalls) {
    call.from = placed(call.from);
    if (&call != &shareCalls.back()) // which writes the gradient
      call.to = placed(call.to);
  }
}

CudaOperand CudaShares::operand() const {
  CudaOperand operand{base, perStep ? rowValues * item : elements.run, {}};
  operand.strides[maxDims - 1] = item;
  return operand;
}

int64_t CudaShares::blocks(const CudaGatherCall &call) {
  return roundedUp(call.steps * call.runs * call.parts, cudaShareThreads / 32);
}
int64_t CudaShares::blocks(const CudaShareCall &call) {
  return roundedUp(call.steps * call.elements * roundedUp(call.leaves, shared), cudaShareThreads);
}

} // namespace flexsn
