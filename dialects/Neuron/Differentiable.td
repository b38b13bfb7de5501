// The interface of ops that have a derivative.
#ifndef FLEXSN_NEURON_DIFFERENTIABLE
#define FLEXSN_NEURON_DIFFERENTIABLE

include "mlir/IR/Interfaces.td"

def Neuron_Differentiable : OpInterface<"Differentiable"> {
  let cppNamespace = "::flexsn::neuron";
  let description = [{
    One rule of reverse mode: how the gradient of an op's one result flows back to its operands. An op without the
    interface, and an operand that a rule leaves out, receive none. Rules are external models, of `arith` and `math`
    as of this dialect: compiler/derivatives holds them all, and docs/language.md, rule 8, says what they do at the
    seams.
  }];
  let methods = [
    InterfaceMethod<"Adds what flows back from `gradient`, that of the result, to the gradients of the operands. "
                    "Ops are made at `gradients`' builder, behind the op. Fails with an error where no text leads.",
                    "::llvm::LogicalResult", "backpropagate",
                    (ins "::mlir::Value":$gradient, "::flexsn::neuron::Gradients &":$gradients)>
  ];
}

#endif // FLEXSN_NEURON_DIFFERENTIABLE
