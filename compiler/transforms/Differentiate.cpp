// differentiate: the regions of a backward kernel that have its gradients, by reverse mode over its primal regions.
#include "compiler/Passes.h"
#include "compiler/transforms/Activity.h"
#include "compiler/transforms/LowerOps.h"
#include "dialects/Neuron/Gradients.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace flexsn {

#define GEN_PASS_DEF_DIFFERENTIATEPASS
#include "compiler/Passes.h.inc"

namespace {

using mlir::Value; // the front end has values too
using Values = Activity::Values;

/// A gradient that has no name yet is called after the value at `of`, where the text names that one.
void nameGradient(Value gradient, Location of) {
  auto name = llvm::dyn_cast<NameLoc>(of);
  Operation *maker = gradient.getDefiningOp();
  if (name && maker && !llvm::isa<NameLoc>(maker->getLoc()))
    maker->setLoc(NameLoc::get(StringAttr::get(of.getContext(), "grad_" + name.getName().str()), maker->getLoc()));
}

/// Walks the block from its last op to its first. Rules leave the op's location at what they make: its place in the
/// text stays there, its name does not.
LogicalResult propagate(Block &block, neuron::Gradients &gradients) {
  Operation *lastOfStep = block.empty() ? nullptr : &block.back();
  SmallVector<std::pair<Value, Location>> found;
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block.without_terminator()))) {
    auto rule = llvm::dyn_cast<neuron::Differentiable>(op);
    Value gradient = rule ? gradients.enter(op.getResult(0)) : Value();
    if (gradient && failed(rule.backpropagate(gradient, gradients)))
      return failure();
    if (gradient)
      found.emplace_back(gradient, op.getLoc());
  }
  for (Operation &op : llvm::reverse(block)) {
    if (&op == lastOfStep)
      break;
    if (auto named = llvm::dyn_cast<NameLoc>(op.getLoc()))
      op.setLoc(named.getChildLoc());
  }
  for (auto [gradient, of] : found)
    nameGradient(gradient, of);
  return success();
}

/// One kernel.
class Differentiation {
public:
  explicit Differentiation(scan::KernelOp kernel)
      : kernel(kernel), builder(kernel), active(kernel), carried(active.carried) {}

  LogicalResult run() {
    nameCarried();
    if (failed(makeAdjoint()) || failed(makeInitAdjoint()) || failed(makeSiteAdjoint()))
      return failure();
    nameSums();
    if (failed(makeEpilogue()))
      return failure();
    keepStates();
    dropSteering();
    return success();
  }

private:
  /// New states, then outputs.
  ValueRange stepResults() { return kernel.yieldOf(kernel.getStep()).getValues(); }
  void nameCarried() {
    SmallVector<StringRef> names;
    for (unsigned state : carried)
      names.push_back(llvm::cast<StringAttr>(kernel.getStates()[state]).getValue());
    kernel.setCarriedAttr(builder.getStrArrayAttr(names));
  }

  // ---- Regions ------------------------------------------------------------------------------------------------------

  /// A copy of the region `from`, without its end, in the empty region `to`; `varied` is of the original.
  Block &copyOf(Region &from, Region &to, IRMapping &mapping, const Values &varied, Values &variedCopy) {
    from.cloneInto(&to, mapping);
    to.front().getTerminator()->erase();
    for (Value value : varied)
      if (Value copy = mapping.lookupOrNull(value))
        variedCopy.insert(copy);
    builder.setInsertionPointToEnd(&to.front());
    return to.front();
  }

  Value zero(Location location, mlir::Type type) {
    return arith::ConstantOp::create(builder, location, builder.getZeroAttr(type));
  }

  /// What changes no sum: -0.
  Value nothing(mlir::Type type) {
    return arith::ConstantOp::create(builder, kernel.getLoc(), builder.getFloatAttr(type, -0.0));
  }

  Value wholeGradient(neuron::Gradients &gradients, Value value) {
    Value gradient = gradients.take(value);
    if (gradient)
      nameGradient(gradient, value.getLoc());
    return gradient ? gradient : zero(value.getLoc(), value.getType());
  }

  /// Gradients of the first `count` arguments: params, invariants, then site values. Null where none flows back.
  static SmallVector<Value> leadingGradients(Block &block, unsigned count, neuron::Gradients &gradients) {
    return llvm::map_to_vector(block.getArguments().take_front(count),
                               [&](BlockArgument argument) { return gradients.take(argument); });
  }

  Value isNotZero(Value gradient) {
    Location location = kernel.getLoc(); // the gradient's own has its name
    Value none = zero(location, gradient.getType());
    return arith::CmpFOp::create(builder, location, arith::CmpFPredicate::UNE, gradient, none);
  }

  LogicalResult makeAdjoint() {
    IRMapping mapping;
    Values varied;
    Block &block = copyOf(kernel.getStep(), kernel.getAdjoint(), mapping, active.ofStep, varied);
    neuron::Gradients gradients(builder, std::move(varied));
    Location location = kernel.getLoc();
    auto states = static_cast<unsigned>(kernel.getStates().size());
    auto seed = [&](Value result, bool isSeen = true) {
      Value gradient = block.addArgument(result.getType(), result.getLoc());
      Value flows = isSeen ? Value() : isNotZero(gradient);
      gradients.seed(mapping.lookupOrDefault(result), gradient, flows);
    };
    llvm::for_each(stepResults().drop_front(states), seed);
    for (unsigned state : carried)
      seed(stepResults()[state], /*isSeen=*/active.handsOn[state]);
    if (failed(propagate(block, gradients)))
      return failure();
    SmallVector<Value> results;
    auto append = [&](Value of) { results.push_back(wholeGradient(gradients, mapping.lookup(of))); };
    for (unsigned place : active.wantedParams(scan::Variation::Step))
      append(kernel.stepVarying()[place]);
    for (unsigned place : active.wantedInputs())
      append(kernel.stepInputs()[place]);
    for (unsigned state : carried)
      append(kernel.stepStates()[state]);
    ofStep = leadingGradients(block, kernel.fixedCount(), gradients);
    scan::YieldOp::create(builder, location, results); // the summands join in nameSums
    return success();
  }

  LogicalResult makeInitAdjoint() {
    IRMapping mapping;
    Values varied;
    Block &block = copyOf(kernel.getInit(), kernel.getInitAdjoint(), mapping, active.ofInit, varied);
    neuron::Gradients gradients(builder, std::move(varied));
    ValueRange initials = kernel.yieldOf(kernel.getInit()).getValues();
    for (unsigned state : carried) {
      BlockArgument gradient = block.addArgument(initials[state].getType(), initials[state].getLoc());
      if (!active.isGiven(state)) // else no parameter has a part in it
        gradients.seed(mapping.lookupOrDefault(initials[state]), gradient);
    }
    if (failed(propagate(block, gradients)))
      return failure();
    ofInit = leadingGradients(block, kernel.fixedCount(), gradients);
    scan::YieldOp::create(builder, kernel.getLoc(), ValueRange());
    return success();
  }

  /// With the name of the param that a site value is.
  Location siteLocation(Value value) {
    auto param = llvm::dyn_cast<BlockArgument>(value);
    if (!param || param.getArgNumber() < kernel.uniformCount())
      return value.getLoc();
    StringRef name = kernel.paramsOf(scan::Variation::Neuron)[param.getArgNumber() - kernel.uniformCount()].getName();
    return NameLoc::get(builder.getStringAttr(name), value.getLoc());
  }

  /// Through `site` once a neuron, behind the sums over its steps.
  LogicalResult makeSiteAdjoint() {
    if (!kernel.hasSites())
      return success();
    IRMapping mapping;
    Values varied;
    Block &block = copyOf(kernel.getSite(), kernel.getSiteAdjoint(), mapping, active.ofSite, varied);
    neuron::Gradients gradients(builder, std::move(varied));
    unsigned uniforms = kernel.uniformCount();
    for (auto [site, value] : llvm::enumerate(kernel.yieldOf(kernel.getSite()).getValues())) {
      auto number = static_cast<unsigned>(uniforms + site);
      if (!ofStep[number] && !ofInit[number])
        continue;
      siteSums.push_back(static_cast<int32_t>(number));
      gradients.seed(mapping.lookupOrDefault(value), block.addArgument(value.getType(), siteLocation(value)));
    }
    if (failed(propagate(block, gradients)))
      return failure();
    SmallVector<Value> results;
    for (unsigned place : active.wantedParams(scan::Variation::Neuron))
      results.push_back(wholeGradient(gradients, block.getArgument(uniforms + place)));
    ofSite = leadingGradients(block, uniforms, gradients);
    scan::YieldOp::create(builder, kernel.getLoc(), results);
    return success();
  }

  /// A sum for each param and invariant that a region has a summand for; its regions yield them last.
  void nameSums() {
    for (unsigned number = 0; number < kernel.uniformCount(); ++number)
      if (ofStep[number] || ofInit[number] || (!ofSite.empty() && ofSite[number]))
        sums.push_back(static_cast<int32_t>(number));
    SmallVector<int32_t> ofNeuron(sums);
    llvm::append_range(ofNeuron, siteSums);
    appendSummands(kernel.getAdjoint(), ofStep, ofNeuron);
    appendSummands(kernel.getInitAdjoint(), ofInit, ofNeuron);
    if (kernel.hasSites())
      appendSummands(kernel.getSiteAdjoint(), ofSite, sums);
    kernel.setSumsAttr(builder.getDenseI32ArrayAttr(sums));
  }

  void appendSummands(Region &region, ArrayRef<Value> gradients, ArrayRef<int32_t> numbers) {
    Operation *end = region.front().getTerminator();
    builder.setInsertionPoint(end);
    SmallVector<Value> results(end->getOperands());
    for (int32_t number : numbers)
      results.push_back(gradients[number] ? gradients[number] : nothing(region.getArgument(number).getType()));
    end->setOperands(results);
  }

  /// Through the prologue once, behind all sums.
  LogicalResult makeEpilogue() {
    IRMapping mapping;
    Values varied;
    ValueRange invariants = kernel.yieldOf(kernel.getPrologue()).getValues();
    Block &block = copyOf(kernel.getPrologue(), kernel.getEpilogue(), mapping, active.ofParams, varied);
    neuron::Gradients gradients(builder, std::move(varied));
    size_t params = kernel.paramTypes().size();
    for (int32_t number : sums) {
      Value original = static_cast<size_t>(number) < params ? Value(kernel.getPrologue().getArgument(number))
                                                            : invariants[number - params];
      gradients.seed(mapping.lookupOrDefault(original), block.addArgument(original.getType(), original.getLoc()));
    }
    if (failed(propagate(block, gradients)))
      return failure();
    SmallVector<Value> results;
    for (unsigned place : active.wantedParams(scan::Variation::None))
      results.push_back(wholeGradient(gradients, block.getArgument(place)));
    scan::YieldOp::create(builder, kernel.getLoc(), results);
    return success();
  }

  /// Until residuals are planned the old states are kept: all of the step follows from them and the inputs.
  void keepStates() {
    auto states = static_cast<unsigned>(kernel.getStates().size());
    SmallVector<Value> results(stepResults().take_front(states));
    llvm::append_range(results, kernel.stepStates());
    kernel.yieldOf(kernel.getStep())->setOperands(results);
  }

  /// What steered gradients alone has done so.
  void dropSteering() {
    SmallVector<neuron::SurrogateOp> surrogates;
    kernel->walk([&](Operation *op) { // inner surrogates first, so that a value region that is moved holds none
      if (llvm::isa<neuron::DetachOp, neuron::ScaleGradientOp>(op)) {
        op->getResult(0).replaceAllUsesWith(op->getOperand(0));
        op->erase();
      } else if (auto surrogate = llvm::dyn_cast<neuron::SurrogateOp>(op)) {
        surrogates.push_back(surrogate);
      }
    });
    llvm::for_each(surrogates, inlineValue);
  }

  scan::KernelOp kernel;
  OpBuilder builder;
  Activity active;
  ArrayRef<unsigned> carried; ///< states, by number
  /// Summands of params and invariants, the first two also of site values; null where there is none.
  SmallVector<Value> ofStep, ofInit, ofSite;
  SmallVector<int32_t> sums, siteSums; ///< numbers of what has them, among all of these
};

struct Differentiate : impl::DifferentiatePassBase<Differentiate> {
  void runOnOperation() override {
    scan::KernelOp kernel = getOperation();
    if (kernel.getKind() == scan::Kind::Backward && !kernel.hasAdjoint() && failed(Differentiation(kernel).run()))
      signalPassFailure();
  }
};

} // namespace
} // namespace flexsn
