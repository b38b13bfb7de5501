// neuron-to-scan: a neuron.model to the kernel that was asked for, or to both kernels of a training step.
#include "compiler/Passes.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace flexsn {

#define GEN_PASS_DEF_NEURONTOSCANPASS
#include "compiler/Passes.h.inc"

namespace {

/// The dims of a param as a kernel's operand has them; nothing else has any.
SmallVector<neuron::Dim> dimsOf(Operation *op) {
  auto param = llvm::dyn_cast<neuron::ParamOp>(op);
  if (!param)
    return {};
  return llvm::map_to_vector(param.getDims(), [](int32_t dim) { return static_cast<neuron::Dim>(dim); });
}

/// What a kernel is to be, beside its model.
struct Wish {
  scan::Kind kind = scan::Kind::Inference;
  scan::Layout layout = scan::Layout::Linear;
  std::optional<scan::Storage> data; ///< of inputs and outputs that are floats; none: their type
  ArrayRef<std::string> initials, finals, bytes;
  /// Of a backward kernel: what gradients come for and are wanted of.
  ArrayRef<std::string> gradFinals, gradInputs, gradInitials, gradParams;

  bool isBackward() const { return kind == scan::Kind::Backward; }
};

/// Builds the kernel of one model; each method fills a part of it.
class Outline {
public:
  Outline(neuron::ModelOp model, const Wish &wish)
      : model(model), wish(wish), builder(model), inputs(llvm::to_vector(model.getBody().getOps<neuron::InputOp>())),
        states(llvm::to_vector(model.getBody().getOps<neuron::StateOp>())),
        outputs(llvm::to_vector(model.getBody().getOps<neuron::OutputOp>())) {
    for (neuron::ParamOp param : model.getBody().getOps<neuron::ParamOp>())
      paramsThatVary(describe(param).variation()).push_back(param);
    if (wish.isBackward()) // bools and bytes have no gradient
      llvm::erase_if(outputs, [&](neuron::OutputOp output) {
        return !neuron::isReal(output.getValue()) || llvm::is_contained(wish.bytes, output.getName());
      });
  }

  LogicalResult run() {
    SmallVector<Attribute> operands;
    SmallVector<StringRef> names;
    for (neuron::StateOp state : states)
      names.push_back(state.getName());
    if (failed(listOperands(operands)))
      return failure();
    std::string name = (model.getSymName() + "_" + scan::stringifyKind(wish.kind)).str();
    auto kernel = scan::KernelOp::create(builder, model.getLoc(), name, wish.kind, builder.getArrayAttr(operands),
                                         builder.getStrArrayAttr(names), wish.layout, /*every=*/IntegerAttr(),
                                         /*plan=*/StringAttr(), wish.isBackward() ? model.getTruncateAttr() : nullptr,
                                         /*carried=*/ArrayAttr(), /*sums=*/DenseI32ArrayAttr(),
                                         /*schedule=*/Attribute());
    fillPrologue(kernel);
    fillSite(kernel);
    fillInit(kernel);
    fillStep(kernel);
    return success();
  }

private:
  ArrayRef<neuron::ParamOp> ofLaunch() { return paramsThatVary(scan::Variation::None); }
  ArrayRef<neuron::ParamOp> ofNeuron() { return paramsThatVary(scan::Variation::Neuron); }
  ArrayRef<neuron::ParamOp> ofStep() { return paramsThatVary(scan::Variation::Step); }

  void add(SmallVector<Attribute> &operands, StringRef name, scan::Role role, scan::Storage storage) {
    operands.push_back(scan::OperandAttr::get(builder.getContext(), name, role, storage));
  }

  scan::OperandAttr describe(neuron::ParamOp param) {
    return scan::OperandAttr::get(builder.getContext(), param.getName(), scan::Role::Param,
                                  scan::storageFor(param.getType()), dimsOf(param));
  }

  SmallVector<neuron::ParamOp> &paramsThatVary(scan::Variation variation) {
    return params[static_cast<size_t>(variation)];
  }

  /// In scan-1's order.
  LogicalResult listOperands(SmallVector<Attribute> &operands) {
    for (ArrayRef<neuron::ParamOp> group : params)
      for (neuron::ParamOp param : group)
        operands.push_back(describe(param));
    for (neuron::InputOp input : inputs)
      add(operands, input.getName(), scan::Role::Input, sequenceStorage(input.getType()));
    if (failed(listStates(wish.initials, scan::Role::Initial, operands)) || failed(checkStorages()))
      return failure();
    if (wish.isBackward())
      return listGradients(operands);
    for (neuron::OutputOp output : outputs)
      add(operands, output.getName(), scan::Role::Output,
          llvm::is_contained(wish.bytes, output.getName()) ? scan::Storage::I8
                                                           : sequenceStorage(output.getValue().getType()));
    return listStates(wish.finals, scan::Role::Final, operands);
  }

  LogicalResult listGradients(SmallVector<Attribute> &operands) {
    for (neuron::OutputOp output : outputs)
      add(operands, output.getName(), scan::Role::GradOutput, sequenceStorage(output.getValue().getType()));
    return success(succeeded(listWanted(wish.gradFinals, states, "state", scan::Role::GradFinal, operands)) &&
                   succeeded(listWanted(wish.gradInputs, inputs, "input", scan::Role::GradInput, operands)) &&
                   succeeded(listWanted(wish.gradInitials, states, "state", scan::Role::GradInitial, operands)) &&
                   succeeded(listParamGradients(operands)));
  }

  LogicalResult listParamGradients(SmallVector<Attribute> &operands) {
    SmallVector<Attribute> wanted;
    if (failed(listWanted(wish.gradParams, llvm::to_vector(model.getBody().getOps<neuron::ParamOp>()), "parameter",
                          scan::Role::GradParam, wanted)))
      return failure();
    for (scan::Variation variation : {scan::Variation::None, scan::Variation::Neuron, scan::Variation::Step})
      llvm::append_range(operands, llvm::make_filter_range(wanted, [=](Attribute operand) {
                           return llvm::cast<scan::OperandAttr>(operand).variation() == variation;
                         }));
    return success();
  }

  template <class Op> static llvm::StringMap<Op> named(const SmallVector<Op> &ops) {
    llvm::StringMap<Op> byName;
    for (Op op : ops)
      byName[op.getName()] = op;
    return byName;
  }

  /// Gradients of those of `ops` that are named; they are stored as what they are of.
  template <class Ops>
  LogicalResult listWanted(ArrayRef<std::string> names, const Ops &ops, StringRef what, scan::Role role,
                           SmallVector<Attribute> &operands) {
    auto byName = named(ops);
    for (const std::string &name : names) {
      auto op = byName.lookup(name);
      if (!op)
        return model.emitError() << "'" << name << "' is no " << what << " of " << model.getSymName();
      mlir::Type type = op.getType();
      if (!llvm::isa<FloatType>(type))
        return op->emitError() << "'" << name << "' is no float and has no gradient";
      auto storage = role == scan::Role::GradInput ? sequenceStorage(type) : scan::storageFor(type);
      operands.push_back(scan::OperandAttr::get(builder.getContext(), name, role, storage, dimsOf(op)));
    }
    return success();
  }

  /// Floats of sequences may be stored narrower than they are computed; states never are.
  scan::Storage sequenceStorage(mlir::Type type) {
    return wish.data && llvm::isa<FloatType>(type) ? *wish.data : scan::storageFor(type);
  }

  LogicalResult checkStorages() {
    auto storable = [&](Operation *op, mlir::Type type) -> LogicalResult {
      if (scan::computesAs(sequenceStorage(type), type))
        return success();
      return op->emitError() << "a value of type " << type << " cannot be stored as "
                             << scan::stringifyStorage(*wish.data);
    };
    for (neuron::InputOp input : inputs)
      if (failed(storable(input, input.getType())))
        return failure();
    for (neuron::OutputOp output : outputs)
      if (failed(storable(output, output.getValue().getType())))
        return failure();
    if (!wish.isBackward() && failed(checkBytes()))
      return failure();
    return success();
  }

  LogicalResult checkBytes() {
    for (const std::string &name : wish.bytes) {
      auto output = llvm::find_if(outputs, [&](neuron::OutputOp output) { return output.getName() == name; });
      if (output == outputs.end())
        return model.emitError() << "'" << name << "' is no output of " << model.getSymName();
      if (!llvm::isa<FloatType>(output->getValue().getType()))
        return output->emitError() << "output '" << name << "' is a bool, which is stored as one";
    }
    return success();
  }

  LogicalResult listStates(ArrayRef<std::string> wanted, scan::Role role, SmallVector<Attribute> &operands) {
    auto byName = named(states);
    for (const std::string &name : wanted) {
      neuron::StateOp state = byName.lookup(name);
      if (!state)
        return model.emitError() << "'" << name << "' is no state of " << model.getSymName();
      add(operands, name, role, scan::storageFor(state.getType()));
    }
    return success();
  }

  /// A block with an argument for each value of `groups`, which `mapping` then knows.
  template <class... Groups> void openBlock(Region &region, IRMapping &mapping, const Groups &...groups) {
    builder.createBlock(&region);
    auto take = [&](const auto &ops) {
      for (auto op : ops)
        mapping.map(op.getValue(), region.addArgument(op.getType(), op.getLoc()));
    };
    (take(groups), ...);
  }

  void fillPrologue(scan::KernelOp kernel) {
    IRMapping mapping;
    openBlock(kernel.getPrologue(), mapping, ofLaunch());
    scan::YieldOp::create(builder, model.getLoc(), ValueRange());
  }

  /// The params of a neuron are its site values, until `hoist-site-values` finds more.
  void fillSite(scan::KernelOp kernel) {
    if (ofNeuron().empty())
      return;
    IRMapping mapping;
    openBlock(kernel.getSite(), mapping, ofLaunch(), ofNeuron());
    SmallVector<mlir::Value> values;
    for (neuron::ParamOp param : ofNeuron())
      values.push_back(mapping.lookup(param.getValue()));
    scan::YieldOp::create(builder, model.getLoc(), values);
  }

  void fillInit(scan::KernelOp kernel) {
    IRMapping mapping;
    openBlock(kernel.getInit(), mapping, ofLaunch(), ofNeuron());
    SmallVector<mlir::Value> values;
    for (neuron::StateOp state : states) {
      for (Operation &op : state.getInit().front().without_terminator())
        place(&op, mapping);
      auto yield = llvm::cast<neuron::YieldOp>(state.getInit().front().getTerminator());
      values.push_back(initialValue(yield.getValues().front(), mapping));
    }
    scan::YieldOp::create(builder, model.getLoc(), values);
  }

  /// The value of `value` in the init region, which may read what the model computes from parameters (neuron-5): those
  /// ops are cloned along, each once.
  mlir::Value initialValue(mlir::Value value, IRMapping &mapping) {
    if (!mapping.contains(value))
      place(value.getDefiningOp(), mapping);
    return mapping.lookup(value);
  }

  void fillStep(scan::KernelOp kernel) {
    IRMapping mapping;
    openBlock(kernel.getStep(), mapping, ofLaunch(), ofNeuron(), ofStep(), inputs, states);
    SmallVector<mlir::Value> values(states.size());
    llvm::StringMap<int> numbers = kernel.stateNumbers();
    for (Operation &op : model.getBody().front()) {
      if (auto next = llvm::dyn_cast<neuron::NextOp>(op)) {
        values[numbers.lookup(next.getName())] = mapping.lookup(next.getValue());
      } else if (auto output = llvm::dyn_cast<neuron::OutputOp>(op)) {
        if (llvm::is_contained(outputs, output))
          values.push_back(mapping.lookup(output.getValue()));
      } else if (!llvm::isa<neuron::ParamOp, neuron::InputOp, neuron::StateOp>(op)) {
        place(&op, mapping);
      }
    }
    scan::YieldOp::create(builder, model.getLoc(), values);
  }

  /// Clones `op`; in a kernel without gradients without what means something to them alone. In `init`, operands are
  /// brought along.
  void place(Operation *op, IRMapping &mapping) {
    SmallVector<Operation *> pending = {op}; // a list, not recursion: a model may be one long chain
    while (!pending.empty()) {
      Operation *next = pending.back();
      size_t before = pending.size();
      for (mlir::Value operand : next->getOperands())
        if (!mapping.contains(operand))
          pending.push_back(operand.getDefiningOp());
      if (pending.size() != before)
        continue;
      pending.pop_back();
      if (next->getNumResults() == 0 || !mapping.contains(next->getResult(0)))
        placeOne(next, mapping);
    }
  }

  void placeOne(Operation *op, IRMapping &mapping) {
    bool isWithoutGradients = !wish.isBackward();
    if (isWithoutGradients && llvm::isa<neuron::DetachOp, neuron::ScaleGradientOp>(op)) {
      mapping.map(op->getResult(0), mapping.lookup(op->getOperand(0)));
    } else if (auto surrogate = llvm::dyn_cast<neuron::SurrogateOp>(op); surrogate && isWithoutGradients) {
      Block &value = surrogate.getValue().front();
      IRMapping inner; // the region is isolated: it reads its arguments alone
      for (auto [argument, operand] : llvm::zip_equal(value.getArguments(), surrogate.getArguments()))
        inner.map(argument, mapping.lookup(operand));
      for (Operation &each : value.without_terminator())
        placeOne(&each, inner);
      mapping.map(surrogate.getResult(), inner.lookup(value.getTerminator()->getOperand(0)));
    } else {
      builder.clone(*op, mapping);
    }
  }

  neuron::ModelOp model;
  Wish wish;
  OpBuilder builder;
  std::array<SmallVector<neuron::ParamOp>, 3> params; ///< by their variation
  SmallVector<neuron::InputOp> inputs;
  SmallVector<neuron::StateOp> states;
  SmallVector<neuron::OutputOp> outputs;
};

struct NeuronToScan : impl::NeuronToScanPassBase<NeuronToScan> {
  using NeuronToScanPassBase::NeuronToScanPassBase;

  void runOnOperation() override {
    Wish wish;
    wish.initials = initials;
    wish.finals = finals;
    wish.bytes = bytes;
    wish.gradFinals = gradFinals;
    wish.gradInputs = gradInputs;
    wish.gradInitials = gradInitials;
    wish.gradParams = gradParams;
    if (failed(readWish(wish)))
      return signalPassFailure();
    SmallVector<scan::Kind> kinds = {wish.kind};
    if (scan::isTraining(wish.kind)) // what is saved between them is decided for both together
      kinds = {scan::Kind::Forward, scan::Kind::Backward};
    for (neuron::ModelOp model : llvm::make_early_inc_range(getOperation().getOps<neuron::ModelOp>())) {
      for (scan::Kind each : kinds) {
        wish.kind = each;
        if (failed(Outline(model, wish).run()))
          return signalPassFailure();
      }
      model.erase();
    }
  }

  /// The options that are words.
  LogicalResult readWish(Wish &wish) {
    std::optional<scan::Kind> wanted = scan::symbolizeKind(kind);
    if (!wanted)
      return getOperation().emitError() << "'" << kind << "' is no kind of kernel that this pass makes";
    std::optional<scan::Layout> placed = scan::symbolizeLayout(layout);
    if (!placed)
      return getOperation().emitError() << "'" << layout << "' is no layout of operands";
    wish.kind = *wanted;
    wish.layout = *placed;
    wish.data = scan::symbolizeStorage(data);
    if (!data.empty() && wish.data != scan::Storage::F16 && wish.data != scan::Storage::BF16)
      return getOperation().emitError() << "'" << data << "' is no narrower storage of floats";
    return success();
  }
};

} // namespace
} // namespace flexsn
