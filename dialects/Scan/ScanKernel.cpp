// scan.kernel: access to its parts, and the rules scan-1 to scan-6 of docs/ir.md.
#include "dialects/Scan/Scan.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace flexsn::scan {

//===---- Access ----===//

SmallVector<OperandAttr> KernelOp::operandsOf(Role role) {
  SmallVector<OperandAttr> found;
  for (OperandAttr operand : getOperandList().getAsRange<OperandAttr>())
    if (operand.getRole() == role)
      found.push_back(operand);
  return found;
}

int KernelOp::stateIndex(StringRef name) {
  for (auto [index, state] : llvm::enumerate(getStates().getAsValueRange<StringAttr>()))
    if (state == name)
      return static_cast<int>(index);
  return -1;
}

llvm::StringMap<int> KernelOp::stateNumbers() {
  llvm::StringMap<int> numbers;
  for (auto [index, state] : llvm::enumerate(getStates().getAsValueRange<StringAttr>()))
    numbers[state] = static_cast<int>(index);
  return numbers;
}

YieldOp KernelOp::yieldOf(Region &region) { return llvm::cast<YieldOp>(region.front().back()); }
TypeRange KernelOp::invariantTypes() { return yieldOf(getPrologue()).getValues().getTypes(); }
TypeRange KernelOp::stateTypes() { return yieldOf(getInit()).getValues().getTypes(); }
unsigned KernelOp::uniformCount() { return static_cast<unsigned>(paramTypes().size() + invariantTypes().size()); }

ValueRange KernelOp::stepParams() {
  return ValueRange(getStep().getArguments()).take_front(getPrologue().getNumArguments());
}
ValueRange KernelOp::stepInvariants() {
  return ValueRange(getStep().getArguments()).slice(paramTypes().size(), invariantTypes().size());
}
ValueRange KernelOp::stepInputs() {
  return ValueRange(getStep().getArguments()).drop_front(uniformCount()).drop_back(getStates().size());
}
ValueRange KernelOp::stepStates() { return ValueRange(getStep().getArguments()).take_back(getStates().size()); }

/// Params, inputs and states print under the model's names. Counts are taken from the region at hand: printing meets
/// kernels that did not verify.
void KernelOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setNameFn) {
  SmallVector<OperandAttr> params = operandsOf(Role::Param);
  for (auto [argument, param] : llvm::zip(region.getArguments(), params))
    setNameFn(argument, param.getName());
  size_t named = operandsOf(Role::Input).size() + getStates().size();
  if (&region != &getStep() || region.getNumArguments() < params.size() + named)
    return;
  auto rest = region.getArguments().take_back(named);
  for (OperandAttr input : operandsOf(Role::Input)) {
    setNameFn(rest.front(), input.getName());
    rest = rest.drop_front();
  }
  for (auto [argument, state] : llvm::zip(rest, getStates().getAsValueRange<StringAttr>()))
    setNameFn(argument, state);
}

//===---- Rules ----===//

static bool isOfState(Role role) {
  return role == Role::Initial || role == Role::Final || role == Role::Checkpoint || role == Role::GradFinal ||
         role == Role::GradInitial;
}

/// scan-1 and scan-5: what can be said of the operands without looking into a region.
LogicalResult KernelOp::verify() {
  llvm::StringSet<> states;
  for (StringRef state : getStates().getAsValueRange<StringAttr>())
    if (!states.insert(state).second)
      return emitOpError() << "has the state '" << state << "' twice (scan-1)";
  llvm::StringSet<> carried;
  carried.insert_range(carriedNames());
  llvm::StringSet<> seen;
  Role last = Role::Param;
  for (OperandAttr operand : getOperandList().getAsRange<OperandAttr>()) {
    Role role = operand.getRole();
    StringRef name = operand.getName();
    if (role == Role::Lengths || operand.getStorage() == Storage::Bits)
      return emitOpError() << "operand '" << name << "': bits and lengths are reserved words (scan-1)";
    if (role < last)
      return emitOpError() << "operand '" << name
                           << "' is out of order; params, inputs, initials, outputs, finals, checkpoints, gradients "
                              "(scan-1)";
    last = role;
    if (!seen.insert((stringifyRole(role) + "." + name).str()).second)
      return emitOpError() << "has the " << stringifyRole(role) << " '" << name << "' twice (scan-1)";
    bool isCarried = role > Role::Checkpoint && carried.contains(name);
    if (isOfState(role) && !states.contains(name) && !isCarried)
      return emitOpError() << "operand '" << name << "' is no state (scan-1)";
    if (role != Role::Param && !operand.getDims().empty())
      return emitOpError() << "operand '" << name << "' has dims and is no param (scan-1)";
    if (role == Role::Output && (getKind() == Kind::FinalState || getKind() == Kind::Backward))
      return emitOpError() << "of kind " << stringifyKind(getKind()) << " has the output '" << name << "' (scan-5)";
    if (role == Role::Checkpoint && !isTraining(getKind()))
      return emitOpError() << "of kind " << stringifyKind(getKind()) << " has checkpoints (scan-5)";
    if (role > Role::Checkpoint && getKind() != Kind::Backward)
      return emitOpError() << "of kind " << stringifyKind(getKind()) << " has gradients (scan-5)";
  }
  return success();
}

namespace {

/// Checks the regions of one kernel: their signatures, types and ops.
class RegionVerifier {
public:
  explicit RegionVerifier(KernelOp kernel) : kernel(kernel) {}

  LogicalResult verify() {
    for (auto [name, region] : regions())
      if (!llvm::isa<YieldOp>(region->front().back()))
        return kernel.emitOpError() << name << " does not end with scan.yield";
    return success(succeeded(signatures()) && succeeded(storages()) && succeeded(ops()));
  }

private:
  std::array<std::pair<StringRef, Region *>, 3> regions() {
    return {{{"prologue", &kernel.getPrologue()}, {"init", &kernel.getInit()}, {"step", &kernel.getStep()}}};
  }

  LogicalResult takes(StringRef name, Region &region, ArrayRef<mlir::Type> types, StringRef what, StringRef rule) {
    if (region.getArgumentTypes() == TypeRange(types))
      return success();
    return kernel.emitOpError() << name << " does not take " << what << " (" << rule << ")";
  }

  LogicalResult signatures() {
    size_t inputs = kernel.operandsOf(Role::Input).size();
    if (kernel.paramTypes().size() != kernel.operandsOf(Role::Param).size())
      return kernel.emitOpError("prologue does not take one value per param (scan-2)");
    if (kernel.stateTypes().size() != kernel.getStates().size())
      return kernel.emitOpError("init does not yield one value per state (scan-3)");
    SmallVector<mlir::Type> types(kernel.paramTypes());
    llvm::append_range(types, kernel.invariantTypes());
    if (failed(takes("init", kernel.getInit(), types, "params and invariants", "scan-3")))
      return failure();
    size_t states = kernel.getStates().size();
    if (kernel.getStep().getNumArguments() != types.size() + inputs + states)
      return kernel.emitOpError("step does not take params, invariants, inputs and states (scan-4)");
    llvm::append_range(types, kernel.stepInputs().getTypes());
    llvm::append_range(types, kernel.stateTypes());
    if (failed(takes("step", kernel.getStep(), types, "params, invariants, inputs and states", "scan-4")))
      return failure();
    TypeRange results = kernel.yieldOf(kernel.getStep()).getValues().getTypes();
    bool keeps = kernel.hasAdjoint(); // what is behind the states is for `adjoint`, which scan-8 is about
    size_t outputs = kernel.operandsOf(kernel.resultRole()).size();
    if (results.size() < states || (!keeps && results.size() != states + outputs) ||
        results.take_front(states) != kernel.stateTypes())
      return kernel.emitOpError("step does not yield the new states, then the outputs (scan-4)");
    return success();
  }

  LogicalResult storages() {
    TypeRange results = kernel.yieldOf(kernel.getStep()).getValues().getTypes();
    SmallVector<mlir::Type> types(kernel.paramTypes());
    llvm::append_range(types, kernel.stepInputs().getTypes());
    SmallVector<OperandAttr> operands = kernel.operandsOf(Role::Param);
    llvm::append_range(operands, kernel.operandsOf(Role::Input));
    if (!kernel.hasAdjoint()) {
      llvm::append_range(types, results.drop_front(kernel.getStates().size()));
      llvm::append_range(operands, kernel.operandsOf(kernel.resultRole()));
    }
    llvm::StringMap<int> states = kernel.stateNumbers();
    for (Role role : {Role::Initial, Role::Final, Role::Checkpoint, Role::GradFinal, Role::GradInitial})
      for (OperandAttr operand : kernel.operandsOf(role))
        if (auto state = states.find(operand.getName()); state != states.end()) { // else scan-8 is about it
          operands.push_back(operand);
          types.push_back(kernel.stateTypes()[state->second]);
        }
    for (auto [operand, type] : llvm::zip_equal(operands, types))
      if (!computesAs(operand.getStorage(), type))
        return kernel.emitOpError() << "operand '" << operand.getName() << "' is stored as "
                                    << stringifyStorage(operand.getStorage()) << " and computed as " << type
                                    << " (scan-4)";
    return success();
  }

  /// scan-6. Calls are let through here: those of platform functions come with the lowering of ops.
  LogicalResult ops() {
    if (failed(neuron::verifyNoFastMath(kernel)))
      return failure();
    WalkResult result = kernel->walk([&](Operation *op) {
      if (op == kernel || isMemoryEffectFree(op) || llvm::isa<CallOpInterface>(op))
        return WalkResult::advance();
      op->emitOpError("has an effect and cannot stand in a kernel (scan-6)");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  KernelOp kernel;
};

} // namespace

LogicalResult KernelOp::verifyRegions() {
  return success(succeeded(RegionVerifier(*this).verify()) && succeeded(verifyTraining(*this)));
}

} // namespace flexsn::scan

#define GET_OP_CLASSES
#include "dialects/Scan/ScanOps.cpp.inc"
