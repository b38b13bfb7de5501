#include "compiler/import/Import.h"

#include "compiler/import/ExprImport.h"
#include "compiler/import/Locations.h"
#include "compiler/import/OdeImport.h"
#include "dialects/Neuron/Neuron.h"

#include "llvm/ADT/SetVector.h"

#include <algorithm>

using namespace mlir;

namespace flexsn {
namespace {

/// Emits one model; each method is a part of the text.
class ModelImport {
public:
  ModelImport(const Model &model, const Request &request, MLIRContext &context, Diagnostics &diagnostics)
      : model(model), request(request), diagnostics(diagnostics), builder(&context),
        expressions(builder, model, compute(), diagnostics), odes(model, expressions, builder) {}

  OwningOpRef<ModuleOp> run() {
    mlir::Location location = expressions.locationAt(model.span);
    OwningOpRef<ModuleOp> module = ModuleOp::create(location);
    builder.setInsertionPointToEnd(module->getBody());
    auto op = neuron::ModelOp::create(builder, location, model.name,
                                      model.truncate ? builder.getI32IntegerAttr(static_cast<int32_t>(*model.truncate))
                                                     : IntegerAttr());
    builder.createBlock(&op.getBody());
    declarations();
    if (!statements())
      return nullptr;
    results();
    if (expressions.hasFailed())
      return nullptr;
    return module;
  }

private:
  FloatType compute() {
    return request.data == Storage::F64 ? FloatType(builder.getF64Type()) : FloatType(builder.getF32Type());
  }

  //===---- Declarations ----===//

  void declarations() {
    for (const Param &param : model.params)
      declare(param);
    for (const Input &input : model.inputs) {
      const Value &value = *input.value;
      expressions.bind(&value, neuron::InputOp::create(builder, expressions.locationAt(value.span),
                                                       expressions.typeOf(value.type, value.lanes), value.name));
    }
    for (const State &state : model.states)
      declare(state);
  }

  void declare(const Param &param) {
    mlir::Location location = expressions.locationAt(param.span);
    mlir::Type type = expressions.typeOf(param.value->type, param.value->lanes);
    llvm::SmallVector<int32_t> dims;
    for (Dim dim : param.dims)
      dims.push_back(static_cast<int32_t>(dim));
    std::sort(dims.begin(), dims.end());
    mlir::Value value = neuron::ParamOp::create(builder, location, type, param.operandName(), dims, param.learnable);
    expressions.bind(param.value, clamped(param, transformed(param, value)));
  }

  /// The constrained value of a parameter that is stored unconstrained.
  mlir::Value transformed(const Param &param, mlir::Value raw) {
    mlir::Location location = expressions.namedLocation(*param.value, param.span);
    switch (param.transform) {
    case Transform::None: return raw;
    case Transform::Sigmoid: return neuron::SigmoidOp::create(builder, location, raw.getType(), raw);
    case Transform::Softplus: return neuron::SoftplusOp::create(builder, location, raw.getType(), raw);
    case Transform::Exp: return neuron::ExpOp::create(builder, location, raw.getType(), raw);
    case Transform::Tanh: return neuron::TanhOp::create(builder, location, raw.getType(), raw);
    }
    llvm_unreachable("all transforms are covered");
  }

  /// Rule 6: bounds clamp at use where the text says so, and always where training moves the value.
  mlir::Value clamped(const Param &param, mlir::Value value) {
    if (!param.bounds || !(param.bounds->clamp || param.learnable))
      return value;
    mlir::Location location = expressions.locationAt(param.bounds->span);
    unsigned lanes = param.value->lanes;
    mlir::Value low = expressions.constant(param.bounds->low, param.value->type, lanes, location);
    mlir::Value high = expressions.constant(param.bounds->high, param.value->type, lanes, location);
    return neuron::ClipOp::create(builder, expressions.namedLocation(*param.value, param.bounds->span), value.getType(),
                                  value, low, high);
  }

  void declare(const State &state) {
    mlir::Location location = expressions.locationAt(state.span);
    const Value &value = *state.value;
    mlir::Type type = expressions.typeOf(value.type, value.lanes);
    auto op = neuron::StateOp::create(builder, location, type, value.name);
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&op.getInit());
    mlir::Value initial =
        state.initial ? expressions.emit(*state.initial) : expressions.constant(0, value.type, value.lanes, location);
    neuron::YieldOp::create(builder, location, initial);
    expressions.bind(&value, op);
  }

  //===---- Statements ----===//

  bool statements() {
    for (auto [index, statement] : llvm::enumerate(model.statements)) {
      if (statement.target) {
        assign(statement);
      } else if (!odes.emit(index)) {
        diagnostics.report(Severity::Error, statement.span,
                           "the differential equations of this model are too large; names that many of them share are "
                           "part of each of their right-hand sides");
        return false;
      }
    }
    return true;
  }

  void assign(const Statement &statement) {
    mlir::Value value = expressions.emit(*statement.value);
    if (const Refractory *refractory = silencing(statement.target->name))
      value = neuron::RefractoryOp::create(builder, expressions.locationAt(refractory->span), value.getType(),
                                           statement.target->name, value, expressions.emit(*refractory->steps));
    // The op that computes a name's value prints under that name; a plain copy has no op of its own.
    if (Operation *op = value.getDefiningOp(); op && isNew(op, statement.span))
      op->setLoc(NameLoc::get(builder.getStringAttr(statement.target->name), op->getLoc()));
    expressions.bind(statement.target, value);
  }

  /// Whether `op` was made for the statement at `span`, and has no name yet.
  bool isNew(Operation *op, Span span) {
    if (llvm::isa<NameLoc>(op->getLoc()) || op->getNumResults() != 1)
      return false;
    std::optional<Span> place = spanOf(*model.source, op->getLoc());
    return place && place->begin >= span.begin && place->end <= span.end;
  }

  const Refractory *silencing(const std::string &name) {
    for (const Refractory &entry : model.refractory)
      if (entry.spike == name)
        return &entry;
    return nullptr;
  }

  //===---- Results ----===//

  void results() {
    for (const State &state : model.states)
      neuron::NextOp::create(builder, expressions.locationAt(state.span), state.value->name,
                             expressions.lookup(state.next), holding(state.value->name));
    histories();
    for (const std::string &name : request.outputs) {
      const Value *value = model.lastValue(name);
      auto declared = llvm::find_if(model.outputs, [&](const Output &output) { return output.name == name; });
      Span span = declared != model.outputs.end() ? declared->span : value->span;
      Type type = declared != model.outputs.end() ? declared->type : value->type;
      mlir::Location location = expressions.locationAt(span);
      mlir::Value delivered = expressions.lookup(value);
      if (type != Type::Bool) // an int output is delivered as a float too (neuron-6)
        delivered = expressions.cast(delivered, Type::Float, location);
      neuron::OutputOp::create(builder, location, name, delivered);
    }
  }

  StringAttr holding(const std::string &state) {
    for (const Refractory &entry : model.refractory)
      if (llvm::is_contained(entry.hold, state))
        return builder.getStringAttr(entry.spike);
    return {};
  }

  /// One history for each name that `prev` and `delay` look back on, in order of their first use.
  void histories() {
    llvm::SetVector<StringRef> names;
    auto parent = llvm::cast<neuron::ModelOp>(builder.getInsertionBlock()->getParentOp());
    parent.getBody().walk([&](Operation *op) {
      if (auto prev = llvm::dyn_cast<neuron::PrevOp>(op))
        names.insert(prev.getName());
      if (auto delay = llvm::dyn_cast<neuron::DelayOp>(op))
        names.insert(delay.getName());
    });
    for (StringRef name : names) {
      const Value *last = model.lastValue(name);
      neuron::HistoryOp::create(builder, expressions.locationAt(last->span), name, expressions.lookup(last));
    }
  }

  const Model &model;
  const Request &request;
  Diagnostics &diagnostics;
  OpBuilder builder;
  ExprImport expressions;
  OdeImport odes;
};

} // namespace

OwningOpRef<ModuleOp> importModel(const Model &model, const Request &request, MLIRContext &context,
                                  Diagnostics &diagnostics) {
  return ModelImport(model, request, context, diagnostics).run();
}

} // namespace flexsn
