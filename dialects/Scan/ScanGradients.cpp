// scan.kernel of kind backward: access to the regions that have its gradients, and the rule scan-8 of docs/ir.md.
#include "dialects/Scan/Scan.h"

using namespace mlir;

namespace flexsn::scan {

//===---- Access ----===//

SmallVector<int> KernelOp::carriedStates() {
  SmallVector<int> states;
  if (ArrayAttr names = getCarriedAttr())
    for (StringRef name : names.getAsValueRange<StringAttr>())
      states.push_back(stateIndex(name));
  return states;
}

SmallVector<int> KernelOp::declaredCarried() {
  SmallVector<int> states = carriedStates();
  for (OperandAttr given : operandsOf(Role::Initial))
    llvm::erase(states, stateIndex(given.getName()));
  return states;
}

/// What `step` yields behind the new states.
static ValueRange keptOf(KernelOp kernel) {
  return kernel.yieldOf(kernel.getStep()).getValues().drop_front(kernel.getStates().size());
}

//===---- scan-8 ----===//

namespace {

class GradientVerifier {
public:
  explicit GradientVerifier(KernelOp kernel) : kernel(kernel) {}

  LogicalResult verify() {
    if (kernel.getInitAdjoint().empty() || kernel.getEpilogue().empty() || !kernel.getCarriedAttr() ||
        !kernel.getSumsAttr())
      return fail() << "has adjoint without carried, sums, init_adjoint or epilogue";
    for (int state : kernel.carriedStates())
      if (state < 0 || !llvm::isa<FloatType>(kernel.stateTypes()[state]))
        return fail() << "carries the gradient of what is no float state";
    if (failed(findSums()))
      return failure();
    for (Region *region : {&kernel.getAdjoint(), &kernel.getInitAdjoint(), &kernel.getEpilogue()})
      if (!llvm::isa<YieldOp>(region->front().back()))
        return fail() << "has a region of gradients that does not end with scan.yield";
    return success(succeeded(adjoint()) && succeeded(initAdjoint()) && succeeded(epilogue()));
  }

private:
  using Types = SmallVector<mlir::Type>;

  InFlightDiagnostic fail() { return kernel.emitOpError("scan-8: "); }

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

  void appendStates(Types &types, ArrayRef<int> states) {
    for (int state : states)
      types.push_back(kernel.stateTypes()[state]);
  }

  LogicalResult holds(StringRef name, Region &region, const Types &takes, const Types &yields) {
    if (region.getArgumentTypes() != TypeRange(takes))
      return fail() << name << " does not take the values that its kernel has for it";
    if (kernel.yieldOf(region).getValues().getTypes() != TypeRange(yields))
      return fail() << name << " does not yield the gradients that its kernel wants of it";
    return success();
  }

  LogicalResult adjoint() {
    Types takes = uniformTypes(), yields;
    llvm::append_range(takes, kernel.stepInputs().getTypes());
    llvm::append_range(takes, keptOf(kernel).getTypes());
    for (OperandAttr output : kernel.operandsOf(Role::GradOutput))
      takes.push_back(floatOf(output));
    appendStates(takes, kernel.carriedStates());
    for (OperandAttr input : kernel.operandsOf(Role::GradInput))
      yields.push_back(floatOf(input));
    appendStates(yields, kernel.carriedStates());
    llvm::append_range(yields, sums);
    return holds("adjoint", kernel.getAdjoint(), takes, yields);
  }

  LogicalResult initAdjoint() {
    Types takes = uniformTypes();
    appendStates(takes, kernel.declaredCarried());
    return holds("init_adjoint", kernel.getInitAdjoint(), takes, sums);
  }

  LogicalResult epilogue() {
    Types takes(kernel.paramTypes()), yields;
    llvm::append_range(takes, sums);
    for (OperandAttr param : kernel.operandsOf(Role::GradParam))
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

LogicalResult verifyGradients(KernelOp kernel) {
  return kernel.hasAdjoint() ? GradientVerifier(kernel).verify() : success();
}

} // namespace flexsn::scan
