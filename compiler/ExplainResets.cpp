// How spikes reach states: as a factor, which carries a gradient, or as a choice, which carries none (docs/language.md,
// rule 5).
#include "compiler/ExplainIR.h"
#include "compiler/import/Locations.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#include <algorithm>

using namespace mlir;

namespace flexsn {

namespace {

/// How much of a gradient the way from a spike to a value carries; of two ways the better one counts.
enum class Way : uint8_t { None, Selects, Detached, Carries };

/// How `use` hands on what comes along `way`.
Way through(OpOperand &use, Way way) {
  Operation *op = use.getOwner();
  if (way != Way::Carries)
    return way;
  if (llvm::isa<neuron::DetachOp>(op))
    return Way::Detached;
  bool condition = llvm::isa<arith::SelectOp>(op) && use.getOperandNumber() == 0;
  // What has no derivative: rounding, signs, and everything whose result is no float.
  bool flat = llvm::isa<neuron::FloorOp, neuron::CeilOp, neuron::RoundOp, neuron::TruncOp, neuron::SignOp>(op);
  bool real = op->getNumResults() == 1 && neuron::floatIn(op->getResult(0).getType());
  return condition || flat || !real ? Way::Selects : way;
}

/// The states that the value of `spike` reaches within its step, in the order of their assignments.
llvm::MapVector<neuron::NextOp, Way> statesReached(Operation *spike) {
  llvm::MapVector<neuron::NextOp, Way> reached;
  llvm::SmallVector<std::pair<mlir::Value, Way>> pending = {{spike->getResult(0), Way::Carries}};
  llvm::DenseMap<mlir::Value, Way> seen;
  while (!pending.empty()) {
    auto [value, way] = pending.pop_back_val();
    Way &best = seen[value];
    if (best >= way)
      continue;
    best = way;
    for (OpOperand &use : value.getUses()) {
      if (auto next = llvm::dyn_cast<neuron::NextOp>(use.getOwner()))
        reached[next] = std::max(reached[next], way);
      else if (use.getOwner()->getNumResults() == 1)
        pending.emplace_back(use.getOwner()->getResult(0), through(use, way));
    }
  }
  return reached;
}

/// A spike by its name, or by its line where the expression goes on.
std::string nameOf(Operation *op, const Source &source) {
  if (auto name = op->getLoc()->findInstanceOf<NameLoc>())
    return fmt::format("'{}'", name.getName().str());
  std::optional<Span> span = spanOf(source, op->getLoc());
  return span ? fmt::format("the spike in line {}", source.position(span->begin).line) : "a spike";
}

/// Where the state gets its value; the op itself stands where the state was declared.
mlir::Location assignmentOf(neuron::NextOp next) {
  Operation *writer = next.getValue().getDefiningOp();
  return writer ? writer->getLoc() : next.getLoc();
}

const char *words(Way way) {
  switch (way) {
  case Way::Carries: return "by arithmetic, so a gradient flows through the spike";
  case Way::Detached: return "detached, so no gradient flows through the spike";
  default: return "by a selection, so no gradient flows through the spike";
  }
}

} // namespace

void explainResets(neuron::ModelOp model, const Source &source, Explanation &explanation) {
  for (Operation &op : model.getBody().front()) {
    if (!llvm::isa<neuron::SpikeOp, neuron::QuantOp, neuron::SurrogateOp>(op))
      continue;
    auto reached = statesReached(&op).takeVector();
    llvm::sort(reached, [](const auto &a, const auto &b) { return a.first->isBeforeInBlock(b.first); });
    for (auto [next, way] : reached)
      explanation.remarks.push_back(
          {"spike", fmt::format("'{}' depends on {} {}", next.getName().str(), nameOf(&op, source), words(way)),
           spanOf(source, assignmentOf(next))});
  }
}

} // namespace flexsn
