#include "compiler/transforms/StepValues.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace flexsn {

StepValues::StepValues(scan::KernelOp kernel) : step(kernel.getStep().front()) {
  Block &adjoint = kernel.getAdjoint().front();
  size_t shared = step.getNumArguments() - kernel.getStates().size(); // params, invariants, inputs
  for (auto [argument, value] : llvm::zip(adjoint.getArguments().take_front(shared), step.getArguments()))
    inStep[argument] = value;
  for (auto [argument, value] : llvm::zip(adjoint.getArguments().drop_front(shared), kernel.stepResults()))
    inStep[argument] = value;
  for (Operation &op : step.without_terminator())
    byHash[hashOf(op, /*isOfStep=*/true)].push_back(&op);
  for (Operation &op : adjoint.without_terminator())
    match(op);
}

size_t StepValues::hashOf(Operation &op, bool isOfStep) const {
  auto operand = [&](mlir::Value value) { return hash_value(isOfStep ? value : find(value)); };
  return OperationEquivalence::computeHash(&op, operand, OperationEquivalence::ignoreHashValue,
                                           OperationEquivalence::IgnoreLocations);
}

bool StepValues::isEqual(Operation &ofAdjoint, Operation &ofStep) const {
  auto equal = [&](mlir::Value a, mlir::Value b) { return success(find(a) == b); };
  return OperationEquivalence::isEquivalentTo(&ofAdjoint, &ofStep, equal, nullptr,
                                              OperationEquivalence::IgnoreLocations);
}

void StepValues::match(Operation &op) {
  if (op.getNumRegions() != 0 || !llvm::all_of(op.getOperands(), [&](mlir::Value value) { return find(value); }))
    return;
  auto candidates = byHash.find(hashOf(op, /*isOfStep=*/false));
  if (candidates == byHash.end())
    return;
  for (Operation *candidate : candidates->second)
    if (isEqual(op, *candidate)) {
      for (auto [result, value] : llvm::zip_equal(op.getResults(), candidate->getResults()))
        inStep[result] = value;
      return;
    }
}

mlir::Value StepValues::make(mlir::Value value) {
  OpBuilder builder = OpBuilder::atBlockTerminator(&step);
  SmallVector<Operation *> pending;
  auto need = [&](mlir::Value operand) {
    if (!find(operand))
      pending.push_back(operand.getDefiningOp());
    return find(operand) != nullptr;
  };
  need(value);
  while (!pending.empty()) { // a list, not recursion: a step may be one long chain
    Operation *op = pending.back();
    bool isReady = true;
    for (mlir::Value operand : op->getOperands())
      isReady &= need(operand);
    if (!isReady)
      continue;
    pending.pop_back();
    if (find(op->getResult(0)))
      continue;
    IRMapping mapping;
    for (mlir::Value operand : op->getOperands())
      mapping.map(operand, find(operand));
    Operation *copy = builder.clone(*op, mapping);
    for (auto [result, made] : llvm::zip_equal(op->getResults(), copy->getResults()))
      inStep[result] = made;
  }
  return find(value);
}

} // namespace flexsn
