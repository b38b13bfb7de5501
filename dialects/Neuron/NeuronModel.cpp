// Verifiers of a model's frame: the rules neuron-1 to neuron-6 of docs/ir.md.
#include "dialects/Neuron/Neuron.h"

#include "mlir/IR/TypeUtilities.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace flexsn::neuron {

FloatType ModelOp::floatType() {
  FloatType found;
  getBody().walk([&](Operation *op) {
    for (mlir::Type type : op->getResultTypes())
      if (!found)
        found = floatIn(type);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

namespace {

/// Checks one model; each method is a rule.
class ModelVerifier {
public:
  explicit ModelVerifier(ModelOp model) : model(model) {}

  LogicalResult verify() {
    return success(succeeded(oneFloatType()) && succeeded(verifyNoFastMath(model)) && succeeded(uniqueNames()) &&
                   succeeded(everyStateHasItsNext()) && succeeded(referencesResolve()));
  }

private:
  LogicalResult oneFloatType() {
    FloatType first = model.floatType();
    WalkResult result = model.getBody().walk([&](Operation *op) {
      for (mlir::Type type : op->getResultTypes())
        if (FloatType other = floatIn(type); other && other != first) {
          op->emitOpError() << "has a result of type " << other << " in a model of " << first << " (neuron-1)";
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  template <class Kind> LogicalResult unique() {
    llvm::StringSet<> seen;
    for (Kind op : model.getBody().getOps<Kind>())
      if (!seen.insert(op.getName()).second)
        return op.emitOpError() << "names '" << op.getName() << "' a second time (neuron-3)";
    return success();
  }

  LogicalResult uniqueNames() {
    return success(succeeded(unique<InputOp>()) && succeeded(unique<ParamOp>()) && succeeded(unique<StateOp>()) &&
                   succeeded(unique<NextOp>()) && succeeded(unique<OutputOp>()) && succeeded(unique<HistoryOp>()));
  }

  LogicalResult everyStateHasItsNext() {
    llvm::StringMap<NextOp> next;
    for (NextOp op : model.getBody().getOps<NextOp>())
      next[op.getName()] = op;
    for (StateOp state : model.getBody().getOps<StateOp>()) {
      auto found = next.find(state.getName());
      if (found == next.end())
        return state.emitOpError() << "'" << state.getName() << "' has no neuron.next (neuron-3)";
      mlir::Type given = found->second.getValue().getType();
      if (given != state.getType())
        return found->second.emitOpError() << "gives " << given << " to the state '" << state.getName() << "' of type "
                                           << state.getType() << " (neuron-3)";
      next.erase(found);
    }
    for (NextOp op : model.getBody().getOps<NextOp>()) // text order, not the map's
      if (next.contains(op.getName()))
        return op.emitOpError() << "names no state: '" << op.getName() << "' (neuron-3)";
    return success();
  }

  /// `prev` and `delay` find their history, `hold` its refractory.
  LogicalResult referencesResolve() {
    llvm::StringMap<mlir::Type> remembered;
    for (HistoryOp op : model.getBody().getOps<HistoryOp>())
      remembered[op.getName()] = op.getValue().getType();
    auto looksBack = [&](Operation *op, StringRef name, mlir::Type type) -> LogicalResult {
      auto found = remembered.find(name);
      if (found == remembered.end())
        return op->emitOpError() << "looks back on '" << name << "', which has no neuron.history (neuron-3)";
      if (found->second != type)
        return op->emitOpError() << "is of type " << type << ", the history of '" << name << "' of " << found->second
                                 << " (neuron-3)";
      return success();
    };
    WalkResult result = model.getBody().walk([&](Operation *op) {
      if (auto prev = llvm::dyn_cast<PrevOp>(op))
        return WalkResult(looksBack(op, prev.getName(), prev.getType()));
      if (auto delay = llvm::dyn_cast<DelayOp>(op))
        return WalkResult(looksBack(op, delay.getName(), delay.getType()));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
    return holdsResolve();
  }

  LogicalResult holdsResolve() {
    llvm::StringSet<> silenced;
    for (RefractoryOp op : model.getBody().getOps<RefractoryOp>())
      silenced.insert(op.getName());
    for (NextOp op : model.getBody().getOps<NextOp>())
      if (op.getHold() && !silenced.contains(*op.getHold()))
        return op.emitOpError() << "holds by '" << *op.getHold() << "', which has no neuron.refractory (neuron-3)";
    return success();
  }

  ModelOp model;
};

/// Whether `value`, used inside a state's init region, follows from constants and parameters of every step alone.
bool isInitial(mlir::Value value, llvm::DenseMap<mlir::Value, bool> &known) {
  Operation *def = value.getDefiningOp();
  if (auto param = llvm::dyn_cast_or_null<ParamOp>(def))
    return !llvm::is_contained(param.getDims(), static_cast<int32_t>(Dim::Step));
  if (!def)
    return false;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  bool initial = !llvm::isa<InputOp, StateOp, PrevOp, DelayOp, RefractoryOp, OdeOp>(def);
  for (mlir::Value operand : def->getOperands())
    initial = initial && isInitial(operand, known);
  return known[value] = initial;
}

} // namespace

LogicalResult ModelOp::verifyRegions() { return ModelVerifier(*this).verify(); }

LogicalResult StateOp::verifyRegions() {
  auto yield = llvm::dyn_cast<YieldOp>(getInit().front().back());
  if (!yield || yield.getValues().getTypes() != TypeRange(getType()))
    return emitOpError() << "init region does not yield one " << getType() << " (neuron-5)";
  llvm::DenseMap<mlir::Value, bool> known;
  WalkResult result = getInit().walk([&](Operation *op) {
    for (mlir::Value operand : op->getOperands()) {
      if (getInit().isAncestor(operand.getParentRegion()) || isInitial(operand, known))
        continue;
      op->emitOpError() << "in the initial value of '" << getName() << "' reads more than parameters (neuron-5)";
      return WalkResult::interrupt();
    }
    if (!isMemoryEffectFree(op) || llvm::isa<PrevOp, DelayOp, OdeOp>(op)) {
      op->emitOpError() << "cannot stand in an initial value (neuron-5)";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult ParamOp::verify() {
  int32_t last = -1;
  for (int32_t dim : getDims()) {
    if (!symbolizeDim(static_cast<uint32_t>(dim)) || dim <= last)
      return emitOpError("dims are step, channel, neuron, each at most once and in this order (neuron-4)");
    last = dim;
  }
  return success();
}

LogicalResult OutputOp::verify() {
  if (getElementTypeOrSelf(getValue().getType()).isInteger(32))
    return emitOpError() << "'" << getName() << "' is an int; convert it to the float type (neuron-6)";
  return success();
}

} // namespace flexsn::neuron
