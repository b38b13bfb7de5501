// Rules of spikes, of what the user defines, and of what steers a gradient.
#include "compiler/derivatives/Rule.h"

#include "compiler/import/SurrogateImport.h"

#include "mlir/IR/IRMapping.h"

namespace flexsn::derivatives {

/// A surrogate's arguments receive none.
static void spike(Rule &r) {
  auto spike = llvm::cast<neuron::SpikeOp>(r.op);
  if (mlir::Value slope = importSurrogateGradient(r.gradients.builder, r.op->getLoc(), spike))
    r.to(0, r.gradient() * r.value(slope));
  else
    r.failed = true;
}

/// What the region `grad` yields is the factor of each argument in `wrt`.
static void surrogate(Rule &r) {
  auto surrogate = llvm::cast<neuron::SurrogateOp>(r.op);
  mlir::Block &body = surrogate.getGrad().front();
  mlir::IRMapping mapping;
  mapping.map(body.getArguments(), surrogate.getArguments());
  for (mlir::Operation &op : body.without_terminator())
    r.gradients.builder.clone(op, mapping);
  for (auto [argument, factor] : llvm::zip_equal(surrogate.getWrt(), body.getTerminator()->getOperands()))
    if (r.wants(argument))
      r.to(argument, r.gradient() * r.value(mapping.lookupOrDefault(factor)));
}

/// Straight through inside the window, bounds included.
static void quant(Rule &r) { r.to(0, math::select((r.x(0) >= r.x(1)) & (r.x(0) <= r.x(2)), r.gradient(), 0.0)); }

static void scaleGradient(Rule &r) { r.to(0, r.gradient() * r.x(1)); }

void attachSpikes(mlir::MLIRContext *context) {
  attach<neuron::SpikeOp, spike>(context);
  attach<neuron::SurrogateOp, surrogate>(context);
  attach<neuron::QuantOp, quant>(context);
  attach<neuron::ScaleGradientOp, scaleGradient>(context);
}

} // namespace flexsn::derivatives
