#include "compiler/transforms/Activity.h"

#include "dialects/Neuron/Gradients.h"

using namespace mlir;

namespace flexsn {

using mlir::Value; // the front end has values too
using neuron::isReal;
using Values = Activity::Values;

/// Adds to `varied` what a gradient of one of its values flows back from: in their block, and where `states` begin what
/// the block yields first, also a step later. Each value is looked at once, however many steps it takes.
static void spreadForwards(Values &varied, ValueRange states = {}) {
  SmallVector<Value> pending(varied.begin(), varied.end());
  auto add = [&](Value value) {
    if (varied.insert(value).second)
      pending.push_back(value);
  };
  while (!pending.empty())
    for (OpOperand &use : pending.pop_back_val().getUses()) {
      Operation *op = use.getOwner();
      if (op->hasTrait<OpTrait::IsTerminator>() && use.getOperandNumber() < states.size())
        add(states[use.getOperandNumber()]);
      else if (llvm::isa<neuron::Differentiable>(op) && isReal(op->getResult(0)))
        add(op->getResult(0));
    }
}

/// Adds to `useful` the values whose gradients reach from one of its values, going backwards, from `states` also to the
/// `next` ones of the step before.
static void spreadBackwards(Values &useful, ValueRange states, ValueRange next) {
  llvm::DenseMap<Value, Value> before;
  for (auto [state, result] : llvm::zip(states, next))
    before[state] = result;
  SmallVector<Value> pending(useful.begin(), useful.end());
  auto add = [&](Value value) {
    if (isReal(value) && useful.insert(value).second)
      pending.push_back(value);
  };
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (Value result = before.lookup(value))
      add(result);
    if (Operation *op = value.getDefiningOp(); op && llvm::isa<neuron::Differentiable>(op))
      llvm::for_each(op->getOperands(), add);
  }
}

// ---- What is wanted -------------------------------------------------------------------------------------------------

/// By name.
static SmallVector<unsigned> placesOf(ArrayRef<scan::OperandAttr> wanted, ArrayRef<scan::OperandAttr> of) {
  llvm::StringMap<unsigned> numbers;
  for (auto [number, operand] : llvm::enumerate(of))
    numbers[operand.getName()] = static_cast<unsigned>(number);
  return llvm::map_to_vector(wanted, [&](scan::OperandAttr operand) { return numbers.lookup(operand.getName()); });
}

SmallVector<unsigned> Activity::wantedParams(scan::Variation variation) {
  return placesOf(kernel.gradParamsOf(variation), kernel.paramsOf(variation));
}

SmallVector<unsigned> Activity::wantedInputs() {
  return placesOf(kernel.operandsOf(scan::Role::GradInput), kernel.operandsOf(scan::Role::Input));
}

/// The states that an operand of `role` belongs to.
llvm::BitVector Activity::statesOf(scan::Role role) {
  llvm::BitVector found(stateNumbers.size());
  for (scan::OperandAttr operand : kernel.operandsOf(role))
    found.set(stateNumbers.lookup(operand.getName()));
  return found;
}

// ---- What it reaches ------------------------------------------------------------------------------------------------

Activity::Activity(scan::KernelOp kernel)
    : kernel(kernel), stateNumbers(kernel.stateNumbers()), given(statesOf(scan::Role::Initial)) {
  findVaried();
  findCarried();
  findHandingOn();
}

/// The arguments of each region that a wanted gradient is of, or that depend on one.
void Activity::findVaried() {
  Block &prologue = kernel.getPrologue().front();
  for (unsigned place : wantedParams(scan::Variation::None))
    ofParams.insert(prologue.getArgument(place));
  spreadForwards(ofParams);
  SmallVector<Value> values(prologue.getArguments());
  llvm::append_range(values, kernel.yieldOf(kernel.getPrologue()).getValues());
  findVariedSites(values);
  for (auto [number, value] : llvm::enumerate(values))
    if (isReal(value) && (ofParams.contains(value) || ofSite.contains(value))) {
      ofInit.insert(kernel.getInit().getArgument(number));
      ofStep.insert(kernel.getStep().getArgument(number));
    }
  spreadForwards(ofInit);
  for (unsigned place : wantedParams(scan::Variation::Step))
    ofStep.insert(kernel.stepVarying()[place]);
  for (unsigned place : wantedInputs())
    ofStep.insert(kernel.stepInputs()[place]);
  llvm::BitVector wanted = statesOf(scan::Role::GradInitial);
  ValueRange initials = kernel.yieldOf(kernel.getInit()).getValues();
  for (auto [state, initial] : llvm::enumerate(initials))
    if (wanted[state] || (ofInit.contains(initial) && !given[state]))
      ofStep.insert(kernel.stepStates()[state]);
  spreadForwards(ofStep, kernel.stepStates());
}

/// Appends the site values to `fixed`, which has the params and invariants.
void Activity::findVariedSites(SmallVector<Value> &fixed) {
  if (!kernel.hasSites())
    return;
  Block &site = kernel.getSite().front();
  for (auto [number, value] : llvm::enumerate(fixed))
    if (isReal(value) && ofParams.contains(value))
      ofSite.insert(site.getArgument(number));
  for (unsigned place : wantedParams(scan::Variation::Neuron))
    ofSite.insert(site.getArgument(kernel.uniformCount() + place));
  spreadForwards(ofSite);
  llvm::append_range(fixed, kernel.yieldOf(kernel.getSite()).getValues());
}

void Activity::findCarried() {
  size_t states = stateNumbers.size();
  ValueRange results = kernel.yieldOf(kernel.getStep()).getValues(); // new states, then outputs
  ValueRange old = kernel.stepStates(), next = results.take_front(states);
  Values useful;
  for (Value output : results.drop_front(states))
    useful.insert(output);
  llvm::BitVector finals = statesOf(scan::Role::GradFinal); // which outlives the range over its bits
  for (unsigned state : finals.set_bits())
    useful.insert(next[state]);
  spreadBackwards(useful, old, next);
  llvm::BitVector wanted = statesOf(scan::Role::GradInitial);
  for (unsigned state = 0; state < states; ++state)
    if (wanted[state] || (ofStep.contains(old[state]) && (useful.contains(old[state]) || useful.contains(next[state]))))
      carried.push_back(state);
}

void Activity::findHandingOn() {
  Values seen;
  for (auto [number, result] : llvm::enumerate(kernel.yieldOf(kernel.getStep()).getValues()))
    if (number >= stateNumbers.size() || llvm::is_contained(carried, number))
      seen.insert(result);
  spreadBackwards(seen, {}, {});
  handsOn.resize(stateNumbers.size());
  for (auto [state, old] : llvm::enumerate(kernel.stepStates()))
    if (seen.contains(old))
      handsOn.set(state);
}

} // namespace flexsn
