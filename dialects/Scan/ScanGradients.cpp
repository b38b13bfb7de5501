// scan.kernel of kind backward: access to the regions that have its gradients, and the rules scan-8 to scan-10 of
// docs/ir.md.
#include "dialects/Scan/Scan.h"

using namespace mlir;

namespace flexsn::scan {

//===---- Access ----===//

SmallVector<StringRef> KernelOp::carriedNames() {
  ArrayAttr names = getCarriedAttr();
  return names ? llvm::to_vector(names.getAsValueRange<StringAttr>()) : SmallVector<StringRef>();
}

SmallVector<OperandAttr> KernelOp::gradReads() {
  SmallVector<OperandAttr> gradients = gradParamsOf(Variation::Step);
  llvm::append_range(gradients, operandsOf(Role::GradInput));
  return gradients;
}

TypeRange KernelOp::siteSumTypes() {
  if (getSiteAdjoint().empty())
    return {};
  return TypeRange(getSiteAdjoint().getArgumentTypes()).drop_front(getSite().getNumArguments());
}

SmallVector<mlir::Type> KernelOp::summandTypes() {
  SmallVector<mlir::Type> types;
  for (int32_t number : getSumsAttr().asArrayRef())
    types.push_back(getAdjoint().getArgument(static_cast<unsigned>(number)).getType());
  llvm::append_range(types, siteSumTypes());
  return types;
}

TypeRange KernelOp::carriedTypes() {
  return TypeRange(getAdjoint().getArgumentTypes()).take_back(carriedNames().size());
}

ValueRange KernelOp::adjointReads() {
  return ValueRange(getAdjoint().getArguments()).slice(fixedCount(), stepReads().size());
}
ValueRange KernelOp::adjointInputs() { return adjointReads().take_back(stepInputs().size()); }
ValueRange KernelOp::adjointKept() {
  size_t before = fixedCount() + stepReads().size();
  return ValueRange(getAdjoint().getArguments()).slice(before, stepResults().size());
}
ValueRange KernelOp::adjointGradOutputs() {
  size_t before = fixedCount() + stepReads().size() + stepResults().size();
  return ValueRange(getAdjoint().getArguments()).drop_front(before).drop_back(carriedNames().size());
}

ValueRange KernelOp::stepResults() { return yieldOf(getStep()).getValues().drop_front(getStates().size()); }

//===---- scan-8 ----===//

namespace {

class GradientVerifier {
public:
  explicit GradientVerifier(KernelOp kernel) : kernel(kernel) {}

  LogicalResult verify() {
    if (kernel.getInitAdjoint().empty() || kernel.getEpilogue().empty() || !kernel.getCarriedAttr() ||
        !kernel.getSumsAttr())
      return fail() << "has adjoint without carried, sums, init_adjoint or epilogue";
    if (kernel.getSiteAdjoint().empty() == kernel.hasSites())
      return fail() << "has site_adjoint where it has no site, or site alone";
    if (failed(findCarried()) || failed(findSums()))
      return failure();
    for (Region *region :
         {&kernel.getAdjoint(), &kernel.getInitAdjoint(), &kernel.getSiteAdjoint(), &kernel.getEpilogue()})
      if (!region->empty() && !llvm::isa<YieldOp>(region->front().back()))
        return fail() << "has a region of gradients that does not end with scan.yield";
    return success(succeeded(siteAdjoint()) && succeeded(adjoint()) && succeeded(initAdjoint()) &&
                   succeeded(epilogue()));
  }

private:
  using Types = SmallVector<mlir::Type>;

  InFlightDiagnostic fail() { return kernel.emitOpError("scan-8: "); }

  /// A carried state that is none of the kernel has the type that `adjoint` takes its gradient in.
  LogicalResult findCarried() {
    SmallVector<StringRef> names = kernel.carriedNames();
    if (kernel.getAdjoint().getNumArguments() < names.size())
      return fail() << "adjoint does not take the gradients of the carried states";
    llvm::StringMap<int> states = kernel.stateNumbers();
    llvm::StringMap<mlir::Type> carried;
    for (auto [name, type] : llvm::zip_equal(names, kernel.carriedTypes())) {
      auto state = states.find(name);
      if (!llvm::isa<FloatType>(type) || (state != states.end() && kernel.stateTypes()[state->second] != type))
        return fail() << "carries the gradient of '" << name << "' as " << type << ", which is no float state";
      if (!carried.try_emplace(name, type).second)
        return fail() << "carries the gradient of '" << name << "' twice";
    }
    for (Role role : {Role::GradFinal, Role::GradInitial})
      for (OperandAttr operand : kernel.operandsOf(role))
        if (mlir::Type type = carried.lookup(operand.getName()); type && !computesAs(operand.getStorage(), type))
          return fail() << "the gradient of '" << operand.getName() << "' is stored as "
                        << stringifyStorage(operand.getStorage()) << " and carried as " << type;
    return success();
  }

  LogicalResult findSums() {
    Types uniforms = uniformTypes();
    for (int32_t number : kernel.getSumsAttr().asArrayRef()) {
      if (number < 0 || static_cast<size_t>(number) >= uniforms.size() || !llvm::isa<FloatType>(uniforms[number]))
        return fail() << "adds up gradients of number " << number << ", which is no float param or invariant";
      sums.push_back(uniforms[number]);
    }
    return success();
  }

  Types uniformTypes() {
    Types types(kernel.paramTypes());
    llvm::append_range(types, kernel.invariantTypes());
    return types;
  }

  /// What all regions behind `site` begin with.
  Types leadingTypes() {
    Types types = uniformTypes();
    llvm::append_range(types, kernel.siteTypes());
    return types;
  }

  LogicalResult holds(StringRef name, Region &region, const Types &takes, const Types &yields) {
    if (region.getArgumentTypes() != TypeRange(takes))
      return fail() << name << " does not take the values that its kernel has for it";
    if (kernel.yieldOf(region).getValues().getTypes() != TypeRange(yields))
      return fail() << name << " does not yield the gradients that its kernel wants of it";
    return success();
  }

  LogicalResult adjoint() {
    Types takes = leadingTypes(), yields;
    llvm::append_range(takes, kernel.stepVarying().getTypes());
    llvm::append_range(takes, kernel.stepInputs().getTypes());
    llvm::append_range(takes, kernel.stepResults().getTypes());
    for (OperandAttr output : kernel.operandsOf(Role::GradOutput))
      takes.push_back(floatOf(output));
    llvm::append_range(takes, kernel.carriedTypes());
    for (OperandAttr read : kernel.gradReads())
      yields.push_back(floatOf(read));
    llvm::append_range(yields, kernel.carriedTypes());
    llvm::append_range(yields, sums);
    llvm::append_range(yields, kernel.siteSumTypes());
    return holds("adjoint", kernel.getAdjoint(), takes, yields);
  }

  LogicalResult initAdjoint() {
    Types takes = leadingTypes();
    llvm::append_range(takes, kernel.carriedTypes());
    Types yields = sums;
    llvm::append_range(yields, kernel.siteSumTypes());
    return holds("init_adjoint", kernel.getInitAdjoint(), takes, yields);
  }

  /// What it takes behind `site`'s arguments is as many sums as there are.
  LogicalResult siteAdjoint() {
    Region &region = kernel.getSiteAdjoint();
    if (region.empty())
      return success();
    if (region.getNumArguments() < kernel.getSite().getNumArguments())
      return fail() << "site_adjoint does not take the values that its kernel has for it";
    Types takes(kernel.getSite().getArgumentTypes()), yields;
    for (mlir::Type type : kernel.siteSumTypes()) {
      if (!llvm::isa<FloatType>(type))
        return fail() << "site_adjoint takes a sum of type " << type;
      takes.push_back(type);
    }
    for (OperandAttr param : kernel.gradParamsOf(Variation::Neuron))
      yields.push_back(floatOf(param));
    llvm::append_range(yields, sums);
    return holds("site_adjoint", region, takes, yields);
  }

  LogicalResult epilogue() {
    Types takes(kernel.paramTypes()), yields;
    llvm::append_range(takes, sums);
    for (OperandAttr param : kernel.gradParamsOf(Variation::None))
      yields.push_back(floatOf(param));
    return holds("epilogue", kernel.getEpilogue(), takes, yields);
  }

  /// The compute type of what is stored as a float.
  mlir::Type floatOf(OperandAttr operand) {
    OpBuilder builder(kernel.getContext());
    return operand.getStorage() == Storage::F64 ? mlir::Type(builder.getF64Type()) : builder.getF32Type();
  }

  KernelOp kernel;
  Types sums;
};

} // namespace

/// scan-9: what the two kernels of a training step agree on.
static LogicalResult verifyCheckpoints(KernelOp kernel) {
  SmallVector<OperandAttr> checkpoints = kernel.operandsOf(Role::Checkpoint);
  if (kernel.getEveryAttr() && !isTraining(kernel.getKind()))
    return kernel.emitOpError() << "of kind " << stringifyKind(kernel.getKind()) << " has checkpoints (scan-9)";
  if (checkpoints.empty() == static_cast<bool>(kernel.getEveryAttr()))
    return kernel.emitOpError() << "has " << (checkpoints.empty() ? "'every' without" : "no 'every' for its")
                                << " checkpoints (scan-9)";
  llvm::StringMap<int> states = kernel.stateNumbers();
  int last = -1;
  for (OperandAttr checkpoint : checkpoints) {
    int state = states.lookup(checkpoint.getName());
    if (state < last)
      return kernel.emitOpError() << "checkpoint '" << checkpoint.getName() << "' is out of the states' order (scan-9)";
    if (checkpoint.getStorage() != storageFor(kernel.stateTypes()[state]))
      return kernel.emitOpError() << "checkpoint '" << checkpoint.getName()
                                  << "' is not stored as its state is computed (scan-9)";
    last = state;
  }
  if (kernel.getKind() == Kind::Backward && kernel.getEveryAttr() && checkpoints.size() != kernel.getStates().size())
    return kernel.emitOpError("has a state without a checkpoint (scan-9)");
  return success();
}

LogicalResult verifyTraining(KernelOp kernel) {
  if (kernel.getTruncateAttr() && kernel.getKind() != Kind::Backward)
    return kernel.emitOpError() << "of kind " << stringifyKind(kernel.getKind())
                                << " has no gradients to cut (scan-10)";
  if (failed(verifyCheckpoints(kernel)))
    return failure();
  return kernel.hasAdjoint() ? GradientVerifier(kernel).verify() : success();
}

} // namespace flexsn::scan
