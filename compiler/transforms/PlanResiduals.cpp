// plan-residuals: what a training step saves, what it keeps of a step for the way back, and what it computes again.
#include "compiler/Passes.h"
#include "compiler/transforms/KernelSize.h"
#include "compiler/transforms/OperationCost.h"
#include "compiler/transforms/RegisterNeed.h"
#include "compiler/transforms/ResidualPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringSet.h"

#include <fmt/format.h>

using namespace mlir;

namespace flexsn {

#define GEN_PASS_DEF_PLANRESIDUALSPASS
#include "compiler/Passes.h.inc"

namespace {

/// Neurons whose kept values a CPU's cache must hold: gradients of shared parameters are added up in tiles of so many.
constexpr unsigned tileNeurons = 1024;
/// Neurons of a GPU's thread that a chunk is cut for.
constexpr unsigned threadNeurons = 2;
/// Estimates: a kept value is a store and a load of a cache, or a register all through a chunk, as an input is there.
constexpr KeepCosts cacheCosts = {.word = 4, .input = 1}, registerCosts = {.word = 12, .input = 12};

/// The values of `step` that `values` follow from, and these; with `earlier`, also at the steps before.
llvm::DenseSet<mlir::Value> sourcesOf(scan::KernelOp kernel, ValueRange values, bool earlier) {
  llvm::DenseMap<mlir::Value, mlir::Value> nextOf;
  if (earlier)
    for (auto [state, next] : llvm::zip(kernel.stepStates(), kernel.yieldOf(kernel.getStep()).getValues()))
      nextOf[state] = next;
  llvm::DenseSet<mlir::Value> sources;
  SmallVector<mlir::Value> pending(values);
  while (!pending.empty()) {
    mlir::Value value = pending.pop_back_val();
    if (!sources.insert(value).second)
      continue;
    if (Operation *op = value.getDefiningOp())
      llvm::append_range(pending, op->getOperands());
    else if (mlir::Value next = nextOf.lookup(value))
      pending.push_back(next);
  }
  return sources;
}

/// Makes a plan the kernel's own.
class Application {
public:
  Application(scan::KernelOp kernel, StepValues &values) : kernel(kernel), values(values) {}

  void run(const ResidualPlan &plan) {
    keep(plan.kept);
    dropUnused(kernel.getAdjoint().front());
    eraseKept(plan.kept.size());
    dropStates();
    dropUnused(kernel.getStep().front());
    dropUnused(kernel.getInit().front());
  }

private:
  size_t firstKept() { return kernel.getStep().getNumArguments() - kernel.getStates().size(); }

  /// `step` yields the values behind those that it has kept, and `adjoint` reads them there.
  void keep(ArrayRef<mlir::Value> kept) {
    SmallVector<mlir::Value> made, results(kernel.yieldOf(kernel.getStep()).getValues());
    for (mlir::Value value : kept)
      made.push_back(values.make(value));
    unsigned place = firstKept() + kernel.stepResults().size();
    for (mlir::Value value : kept) // arguments are made before uses are replaced, for one may be another's operand
      value.replaceAllUsesWith(kernel.getAdjoint().insertArgument(place++, value.getType(), value.getLoc()));
    llvm::append_range(results, made);
    kernel.yieldOf(kernel.getStep())->setOperands(results);
  }

  /// What was kept before the last `rest` values.
  void eraseKept(size_t rest) {
    size_t states = kernel.getStates().size(), old = kernel.stepResults().size() - rest;
    kernel.getAdjoint().front().eraseArguments(firstKept(), old);
    kernel.yieldOf(kernel.getStep())->eraseOperands(states, old);
  }

  static void dropUnused(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op))
        op.erase();
  }

  /// The states that the kept values follow from, at this step or a later one.
  llvm::BitVector neededStates() {
    llvm::DenseSet<mlir::Value> sources = sourcesOf(kernel, kernel.stepResults(), /*earlier=*/true);
    llvm::BitVector needed(kernel.getStates().size());
    for (auto [number, state] : llvm::enumerate(kernel.stepStates()))
      needed[number] = sources.contains(state);
    return needed;
  }

  /// A state that no kept value follows from is computed for nothing; only its gradient is carried.
  void dropStates() {
    llvm::BitVector unneeded = neededStates().flip();
    if (unneeded.none())
      return;
    Block &step = kernel.getStep().front();
    SmallVector<Attribute> names, operands;
    for (auto [number, name] : llvm::enumerate(kernel.getStates()))
      if (!unneeded[number])
        names.push_back(name);
    llvm::StringMap<int> numbers = kernel.stateNumbers();
    llvm::StringSet<> carried;
    carried.insert_range(kernel.carriedNames());
    for (scan::OperandAttr operand : kernel.getOperandList().getAsRange<scan::OperandAttr>()) {
      scan::Role role = operand.getRole();
      StringRef name = operand.getName();
      bool isOfState = role == scan::Role::Initial || (role == scan::Role::GradFinal && !carried.contains(name));
      if (!isOfState || !unneeded[numbers.lookup(name)])
        operands.push_back(operand);
    }
    llvm::BitVector arguments(firstKept());
    for (unsigned number = 0; number < unneeded.size(); ++number)
      arguments.push_back(unneeded[number]);
    kernel.yieldOf(kernel.getInit())->eraseOperands(unneeded);
    kernel.yieldOf(kernel.getStep())->eraseOperands(withKept(unneeded));
    dropUnused(step); // a state may be read by what makes states alone
    step.eraseArguments(arguments);
    OpBuilder builder(kernel);
    kernel.setStatesAttr(builder.getArrayAttr(names));
    kernel.setOperandListAttr(builder.getArrayAttr(operands));
  }

  /// Numbers of states as those of what `step` yields.
  llvm::BitVector withKept(llvm::BitVector states) {
    states.resize(states.size() + kernel.stepResults().size());
    return states;
  }

  scan::KernelOp kernel;
  StepValues &values;
};

struct PlanResiduals : impl::PlanResidualsPassBase<PlanResiduals> {
  using PlanResidualsPassBase::PlanResidualsPassBase;

  void runOnOperation() override {
    for (scan::KernelOp kernel : getOperation().getOps<scan::KernelOp>())
      if (kernel.hasAdjoint() && !kernel.getPlanAttr())
        plan(kernel);
  }

private:
  void plan(scan::KernelOp backward) {
    StepValues values(backward);
    ResidualPlan plan = planResiduals(backward, values, registers == 0 ? cacheCosts : registerCosts, effort);
    Application(backward, values).run(plan);
    unsigned every = backward.getStates().empty() ? 0 : stepsBetween(backward);
    std::string reason = words(backward, plan, every);
    setPlan(backward, backward, every, reason);
    std::string name = backward.getSymName().str();
    if (StringRef(name).ends_with("_backward"))
      if (auto forward = getOperation().lookupSymbol<scan::KernelOp>(
              StringRef(name).drop_back(StringRef("backward").size()).str() + "forward"))
        setPlan(forward, backward, every, reason);
  }

  /// What a neuron and step take of the cache, or a thread's neuron and step of its registers (in words).
  size_t sizeOfStep(scan::KernelOp kernel) {
    size_t kept = bytesOf(kernel.stepResults().getTypes()), inputs = 0, gradients = 0;
    for (mlir::Value input : kernel.stepInputs())
      if (!input.use_empty())
        inputs += scan::bytesOf(scan::storageFor(input.getType()));
    for (scan::OperandAttr gradient : kernel.operandsOf(scan::Role::GradOutput))
      gradients += std::max(4U, scan::bytesOf(gradient.getStorage()));
    return registers == 0 ? kept + inputs : llvm::divideCeil(kept + std::max(inputs, gradients), 4);
  }

  size_t room() { return registers == 0 ? cacheBytes / tileNeurons : registers / threadNeurons; }

  /// Operations that serve the new states alone: with all states of all steps saved, they are not done again.
  static size_t operationsOfStates(scan::KernelOp kernel) {
    llvm::DenseSet<mlir::Value> kept = sourcesOf(kernel, kernel.stepResults(), /*earlier=*/false);
    OperationCosts costs;
    size_t operations = 0;
    for (Operation &op : kernel.getStep().front().without_terminator())
      if (!kept.contains(op.getResult(0)))
        operations += costs.of(&op);
    return operations;
  }

  bool isAffordable(scan::KernelOp kernel) {
    return operationsOfStates(kernel) <= recomputedOperations * llvm::divideCeil(bytesOf(kernel.stateTypes()), 4);
  }

  /// As many as room is for; more than 16, or 8, would save little of what a saved state costs a step.
  unsigned stepsBetween(scan::KernelOp kernel) {
    if (!isAffordable(kernel))
      return 1;
    unsigned steps = registers == 0 ? 16 : 8;
    while (steps > 1 && steps * sizeOfStep(kernel) > room())
      steps /= 2;
    while (steps > 1 && isLong(kernel, steps))
      steps /= 2;
    return steps;
  }

  /// A GPU's chunk is unrolled, there and back.
  bool isLong(scan::KernelOp kernel, unsigned steps) {
    OperationCosts costs;
    size_t operations = costs.of(kernel.getStep()) + costs.of(kernel.getAdjoint());
    return registers != 0 && steps * operations > cudaChunkOperations;
  }

  std::string words(scan::KernelOp kernel, const ResidualPlan &plan, unsigned every) {
    size_t kept = kernel.stepResults().size();
    std::string text = kept == 0
                           ? std::string("no value of a step is kept for the way back")
                           : fmt::format("{} value{} of a step kept for the way back", kept, kept == 1 ? "" : "s");
    if (!plan.isLeast)
      text += ", the old states: the step is too long to find the best";
    if (every == 0)
      return text + "; no state is needed there, so nothing is saved";
    if (!isAffordable(kernel))
      return text + fmt::format("; states are saved at each step, since to compute them again takes {} operations",
                                operationsOfStates(kernel));
    text += every == 1 ? "; states are saved at each step" : fmt::format("; states are saved every {} steps", every);
    if (registers == 0)
      return text + fmt::format(": {} neurons x {} steps x {} bytes (kept, inputs) are {} of {} KiB", tileNeurons,
                                every, sizeOfStep(kernel), sizeOfStep(kernel) * tileNeurons * every / 1024,
                                cacheBytes / 1024);
    text += fmt::format(": {} neurons x {} steps x {} words are {} of {} registers", threadNeurons, every,
                        sizeOfStep(kernel), sizeOfStep(kernel) * threadNeurons * every, registers.getValue());
    return every < 8 && isLong(kernel, 2 * every) ? text + "; more steps would be a very long program" : text;
  }

  /// scan-9, for one of the two kernels.
  static void setPlan(scan::KernelOp kernel, scan::KernelOp backward, unsigned every, StringRef reason) {
    OpBuilder builder(kernel);
    kernel.setPlan(reason);
    if (every == 0)
      return;
    SmallVector<Attribute> operands(kernel.getOperandList().begin(), kernel.getOperandList().end());
    auto *place = llvm::find_if(operands, [](Attribute operand) {
      return llvm::cast<scan::OperandAttr>(operand).getRole() > scan::Role::Checkpoint;
    });
    for (auto [name, type] : llvm::zip_equal(backward.getStates().getAsValueRange<StringAttr>(), backward.stateTypes()))
      place = 1 + operands.insert(place, scan::OperandAttr::get(builder.getContext(), name, scan::Role::Checkpoint,
                                                                scan::storageFor(type)));
    kernel.setOperandListAttr(builder.getArrayAttr(operands));
    kernel.setEvery(every);
  }
};

} // namespace
} // namespace flexsn
