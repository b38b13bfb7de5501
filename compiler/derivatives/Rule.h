// What a derivative rule is written in: the op's values as numbers of compiler/math, so that a rule reads like its
// formula.
#pragma once

#include "compiler/math/Value.h"
#include "dialects/Neuron/Gradients.h"
#include "dialects/Neuron/Neuron.h"

namespace flexsn::derivatives {

using math::B;
using math::F;

/// The op at hand and the gradient of its result.
class Rule {
public:
  Rule(mlir::Operation *op, mlir::Value gradient, neuron::Gradients &gradients)
      : op(op), gradients(gradients),
        context(gradients.builder, op->getLoc(), gradient.getType(), neuron::floatIn(gradient.getType())),
        g(context, gradient) {}

  F x(unsigned operand = 0) { return {context, op->getOperand(operand)}; }
  F y() { return {context, op->getResult(0)}; }
  F gradient() const { return g; }
  F value(mlir::Value made) { return {context, made}; }
  bool isDouble() const { return context.isDouble(); }
  /// Whether anything need be made for an operand. That of a unary op is wanted wherever its result's is.
  bool wants(unsigned operand) const { return gradients.wants(op->getOperand(operand)); }

  /// `contribution` flows back to an operand.
  void to(unsigned operand, F contribution) { gradients.add(op->getOperand(operand), contribution.in(context)); }
  /// The same where a condition of the step holds, or does not; exactly zero elsewhere.
  void toWhere(mlir::Value condition, bool holds, unsigned operand, F contribution) {
    gradients.add(op->getOperand(operand), contribution.in(context), condition, holds);
  }

  /// A function of the language.
  template <class Op, class... More> F call(More... arguments) {
    return {context, context.make<Op>(context.floatType(), arguments.in(context)...)};
  }

  bool failed = false; ///< after an error at the op
  mlir::Operation *const op;
  neuron::Gradients &gradients;

private:
  math::Context context;
  F g;
};

/// The external model that calls `rule` for ops of type Op.
template <class Op, void (*rule)(Rule &)> struct Model : neuron::Differentiable::ExternalModel<Model<Op, rule>, Op> {
  mlir::LogicalResult backpropagate(mlir::Operation *op, mlir::Value gradient, neuron::Gradients &gradients) const {
    Rule at(op, gradient, gradients);
    rule(at);
    return mlir::success(!at.failed);
  }
};

template <class Op, void (*rule)(Rule &)> void attach(mlir::MLIRContext *context) {
  Op::template attachInterface<Model<Op, rule>>(*context);
}

/// The rules by what they are of; each function is a file.
void attachArithmetic(mlir::MLIRContext *context);
void attachFunctions(mlir::MLIRContext *context);
void attachSpikes(mlir::MLIRContext *context);

} // namespace flexsn::derivatives
