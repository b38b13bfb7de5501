// scan.kernel: access to its parts, and the rules scan-1 to scan-6 and scan-11 of docs/ir.md.
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

static SmallVector<OperandAttr> thoseThatVary(SmallVector<OperandAttr> operands, Variation variation) {
  llvm::erase_if(operands, [&](OperandAttr operand) { return operand.variation() != variation; });
  return operands;
}

SmallVector<OperandAttr> KernelOp::paramsOf(Variation variation) {
  return thoseThatVary(operandsOf(Role::Param), variation);
}

SmallVector<OperandAttr> KernelOp::gradParamsOf(Variation variation) {
  return thoseThatVary(operandsOf(Role::GradParam), variation);
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
TypeRange KernelOp::siteTypes() {
  if (!hasSites())
    return {};
  return yieldOf(getSite()).getValues().getTypes();
}
TypeRange KernelOp::stateTypes() { return yieldOf(getInit()).getValues().getTypes(); }
unsigned KernelOp::uniformCount() { return static_cast<unsigned>(paramTypes().size() + invariantTypes().size()); }
unsigned KernelOp::fixedCount() { return uniformCount() + static_cast<unsigned>(siteTypes().size()); }

ValueRange KernelOp::stepParams() {
  return ValueRange(getStep().getArguments()).take_front(getPrologue().getNumArguments());
}
ValueRange KernelOp::stepInvariants() {
  return ValueRange(getStep().getArguments()).slice(paramTypes().size(), invariantTypes().size());
}
ValueRange KernelOp::stepSites() {
  return ValueRange(getStep().getArguments()).slice(uniformCount(), siteTypes().size());
}
ValueRange KernelOp::stepVarying() {
  return ValueRange(getStep().getArguments()).slice(fixedCount(), paramsOf(Variation::Step).size());
}
ValueRange KernelOp::stepInputs() {
  return ValueRange(getStep().getArguments())
      .drop_front(fixedCount() + paramsOf(Variation::Step).size())
      .drop_back(getStates().size());
}
ValueRange KernelOp::stepReads() {
  return ValueRange(getStep().getArguments()).drop_front(fixedCount()).drop_back(getStates().size());
}
ValueRange KernelOp::stepStates() { return ValueRange(getStep().getArguments()).take_back(getStates().size()); }

/// Params, inputs and states print under the model's names: one-valued params in front, the others at the end. Counts
/// are taken from the region at hand: printing meets kernels that did not verify.
void KernelOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setNameFn) {
  SmallVector<OperandAttr> params = paramsOf(Variation::None);
  for (auto [argument, param] : llvm::zip(region.getArguments(), params))
    setNameFn(argument, param.getName());
  SmallVector<StringRef> last;
  auto append = [&](ArrayRef<OperandAttr> operands) {
    for (OperandAttr operand : operands)
      last.push_back(operand.getName());
  };
  if (&region == &getSite())
    append(paramsOf(Variation::Neuron));
  if (&region == &getStep()) {
    append(paramsOf(Variation::Step));
    append(operandsOf(Role::Input));
    llvm::append_range(last, getStates().getAsValueRange<StringAttr>());
  }
  if (region.getNumArguments() < params.size() + last.size())
    return;
  for (auto [argument, name] : llvm::zip_equal(region.getArguments().take_back(last.size()), last))
    setNameFn(argument, name);
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
  Variation lastVariation = Variation::None;
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
    bool isOfParam = role == Role::Param || role == Role::GradParam;
    if (operand.variation() < lastVariation && isOfParam)
      return emitOpError() << "operand '" << name
                           << "' is out of order; params without dims, of neurons alone, of steps (scan-1)";
    lastVariation = operand.variation();
    if (!seen.insert((stringifyRole(role) + "." + name).str()).second)
      return emitOpError() << "has the " << stringifyRole(role) << " '" << name << "' twice (scan-1)";
    bool isCarried = role > Role::Checkpoint && carried.contains(name);
    if (isOfState(role) && !states.contains(name) && !isCarried)
      return emitOpError() << "operand '" << name << "' is no state (scan-1)";
    if (!isOfParam && !operand.getDims().empty())
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
      if (!region->empty() && !llvm::isa<YieldOp>(region->front().back()))
        return kernel.emitOpError() << name << " does not end with scan.yield";
    return success(succeeded(signatures()) && succeeded(storages()) && succeeded(ops()));
  }

private:
  std::array<std::pair<StringRef, Region *>, 4> regions() {
    return {{{"prologue", &kernel.getPrologue()},
             {"site", &kernel.getSite()},
             {"init", &kernel.getInit()},
             {"step", &kernel.getStep()}}};
  }

  LogicalResult takes(StringRef name, Region &region, ArrayRef<mlir::Type> types, StringRef what, StringRef rule) {
    if (region.getArgumentTypes() == TypeRange(types))
      return success();
    return kernel.emitOpError() << name << " does not take " << what << " (" << rule << ")";
  }

  LogicalResult signatures() {
    size_t inputs = kernel.operandsOf(Role::Input).size();
    if (kernel.paramTypes().size() != kernel.paramsOf(Variation::None).size())
      return kernel.emitOpError("prologue does not take one value per param without dims (scan-2)");
    if (kernel.hasSites() == kernel.paramsOf(Variation::Neuron).empty())
      return kernel.emitOpError("site is there where there are params with dims of neurons alone (scan-11)");
    if (kernel.stateTypes().size() != kernel.getStates().size())
      return kernel.emitOpError("init does not yield one value per state (scan-3)");
    SmallVector<mlir::Type> types(kernel.paramTypes());
    llvm::append_range(types, kernel.invariantTypes());
    if (failed(site(types)))
      return failure();
    llvm::append_range(types, kernel.siteTypes());
    if (failed(takes("init", kernel.getInit(), types, "params, invariants and site values", "scan-3")))
      return failure();
    size_t states = kernel.getStates().size(), varying = kernel.paramsOf(Variation::Step).size();
    constexpr StringRef ofStep = "params, invariants, site values, inputs and states";
    if (kernel.getStep().getNumArguments() != types.size() + varying + inputs + states)
      return kernel.emitOpError() << "step does not take " << ofStep << " (scan-4)";
    llvm::append_range(types, kernel.stepVarying().getTypes());
    llvm::append_range(types, kernel.stepInputs().getTypes());
    llvm::append_range(types, kernel.stateTypes());
    if (failed(takes("step", kernel.getStep(), types, ofStep, "scan-4")))
      return failure();
    TypeRange results = kernel.yieldOf(kernel.getStep()).getValues().getTypes();
    bool keeps = kernel.hasAdjoint(); // what is behind the states is for `adjoint`, which scan-8 is about
    size_t outputs = kernel.operandsOf(kernel.resultRole()).size();
    if (results.size() < states || (!keeps && results.size() != states + outputs) ||
        results.take_front(states) != kernel.stateTypes())
      return kernel.emitOpError("step does not yield the new states, then the outputs (scan-4)");
    return success();
  }

  /// What a param of a neuron is computed as is for `site` to say.
  LogicalResult site(ArrayRef<mlir::Type> uniforms) {
    if (!kernel.hasSites())
      return success();
    TypeRange taken = kernel.getSite().getArgumentTypes();
    if (taken.size() != uniforms.size() + kernel.paramsOf(Variation::Neuron).size() ||
        taken.take_front(uniforms.size()) != TypeRange(uniforms))
      return kernel.emitOpError("site does not take params, invariants and the params of a neuron (scan-11)");
    return success();
  }

  LogicalResult storages() {
    TypeRange results = kernel.yieldOf(kernel.getStep()).getValues().getTypes();
    SmallVector<mlir::Type> types(kernel.paramTypes());
    if (kernel.hasSites())
      llvm::append_range(types, TypeRange(kernel.getSite().getArgumentTypes()).drop_front(kernel.uniformCount()));
    llvm::append_range(types, kernel.stepVarying().getTypes());
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
