#include "compiler/transforms/ResidualPlan.h"

#include "compiler/transforms/MinimumCut.h"
#include "compiler/transforms/OperationCost.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace flexsn {

namespace {

/// The network of one kernel. Each value has two nodes. On the sink's side of a cut, `made` says that the way back
/// computes the value, and `had` that it has it; so between both the cut costs what it costs to keep the value, and
/// between the source and `made` what it costs to compute it. What is made needs its operands.
class Network {
public:
  Network(scan::KernelOp kernel, const StepValues &values, KeepCosts costs)
      : adjoint(kernel.getAdjoint().front()), values(values), costs(costs), fixed(kernel.fixedCount()),
        inputs(kernel.stepReads().size()), kept(kernel.stepResults().size()) {
    findOfStep();
    for (Operation &op : adjoint)
      if (!isOfStep(op))
        for (mlir::Value operand : op.getOperands())
          if (ofStep.contains(operand))
            cut.addEdge(nodesOf(operand).had, cut.sink(), MinimumCut::infinite);
    while (!pending.empty())
      connect(pending.pop_back_val());
  }

  ResidualPlan solve(size_t effort) {
    ResidualPlan plan;
    plan.isLeast = cut.solve(effort);
    auto keepIf = [&](mlir::Value value, bool isKept) {
      if (isKept)
        plan.kept.push_back(value);
    };
    auto arguments = adjoint.getArguments();
    for (mlir::Value old : arguments.slice(fixed + inputs, kept))
      keepIf(old, plan.isLeast ? isCut(old) : nodes.contains(old));
    if (plan.isLeast)
      for (Operation &op : adjoint)
        for (mlir::Value value : op.getResults())
          keepIf(value, isCut(value));
    return plan;
  }

private:
  struct Nodes {
    MinimumCut::Node made, had;
  };

  bool isOfStep(Operation &op) {
    return op.getNumResults() != 0 &&
           llvm::all_of(op.getOperands(), [&](mlir::Value value) { return isFree(value) || ofStep.contains(value); });
  }

  /// Uniforms and site values, which do not change from step to step, and constants cost nothing anywhere.
  bool isFree(mlir::Value value) {
    if (auto argument = llvm::dyn_cast<BlockArgument>(value))
      return argument.getArgNumber() < fixed;
    return value.getDefiningOp()->hasTrait<OpTrait::ConstantLike>();
  }

  void findOfStep() {
    for (mlir::Value argument : adjoint.getArguments().slice(fixed, inputs + kept))
      ofStep.insert(argument);
    for (Operation &op : adjoint)
      if (isOfStep(op) && !op.hasTrait<OpTrait::ConstantLike>())
        ofStep.insert(op.result_begin(), op.result_end());
  }

  Nodes nodesOf(mlir::Value value) {
    auto [place, isNew] = nodes.try_emplace(value);
    if (isNew) {
      place->second.made = cut.addNode();
      place->second.had = cut.addNode();
      pending.push_back(value);
    }
    return place->second;
  }

  void connect(mlir::Value value) {
    Nodes here = nodesOf(value);
    cut.addEdge(here.made, here.had, keepCost(value));
    cut.addEdge(cut.source(), here.made, makeCost(value));
    if (Operation *op = value.getDefiningOp())
      for (mlir::Value operand : op->getOperands())
        if (!isFree(operand))
          cut.addEdge(nodesOf(operand).had, here.made, MinimumCut::infinite);
  }

  bool isInput(mlir::Value value) {
    auto argument = llvm::dyn_cast<BlockArgument>(value);
    return argument && argument.getArgNumber() < fixed + inputs;
  }

  /// Costs are quarters of operations, since a bool is a quarter of a word.
  static constexpr unsigned quarters = 4;

  int64_t keepCost(mlir::Value value) {
    mlir::Type type = value.getType();
    if (isInput(value)) // it stays where it is
      return MinimumCut::infinite;
    if (type.isInteger(1))
      return costs.word;
    if (auto real = llvm::dyn_cast<FloatType>(type))
      return int64_t{quarters} * costs.word * (real.getWidth() / 32);
    return MinimumCut::infinite; // ints are not kept: gradients read floats and bools that are made of them
  }

  int64_t makeCost(mlir::Value value) {
    if (Operation *op = value.getDefiningOp()) {
      // What serves gradients alone is computed once, here or there.
      auto operations = values.find(value) ? static_cast<int64_t>(operationCosts.of(op)) : 0;
      return quarters * operations;
    }
    return isInput(value) ? int64_t{quarters} * costs.input : MinimumCut::infinite; // an old state is gone
  }

  bool isCut(mlir::Value value) {
    auto found = nodes.find(value);
    return found != nodes.end() && cut.isOnSourceSide(found->second.made) && !cut.isOnSourceSide(found->second.had);
  }

  Block &adjoint;
  const StepValues &values;
  KeepCosts costs;
  size_t fixed, inputs, kept; ///< arguments of `adjoint`
  OperationCosts operationCosts;
  MinimumCut cut;
  llvm::DenseSet<mlir::Value> ofStep; ///< values of `adjoint` that need no gradient, without free ones
  llvm::DenseMap<mlir::Value, Nodes> nodes;
  SmallVector<mlir::Value> pending;
};

} // namespace

ResidualPlan planResiduals(scan::KernelOp kernel, const StepValues &values, KeepCosts costs, size_t effort) {
  return Network(kernel, values, costs).solve(effort);
}

} // namespace flexsn
