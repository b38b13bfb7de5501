// expand: refuses, by name and all at once, what cannot be compiled yet (neuron-8).
#include "compiler/Passes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace flexsn {

#define GEN_PASS_DEF_EXPANDPASS
#include "compiler/Passes.h.inc"

namespace {

/// The construct of the text that `op` stands for and that no pass lowers, in the plural; empty if there is none.
StringRef constructOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](neuron::OdeOp) { return "differential equations"; })
      .Case([](neuron::PrevOp) { return "values of earlier steps (prev)"; })
      .Case([](neuron::DelayOp) { return "delays"; })
      .Case([](neuron::RefractoryOp) { return "refractory periods"; })
      .Case([](neuron::RandomOp) { return "random numbers"; })
      .Default([](Operation *) { return ""; });
}

bool hasLanes(Operation *op) { return llvm::any_of(op->getResultTypes(), llvm::IsaPred<VectorType>); }

struct Expand : impl::ExpandPassBase<Expand> {
  void runOnOperation() override {
    bool refused = false;
    auto refuse = [&](Operation *op, StringRef construct) {
      op->emitError() << construct << " are parsed and checked, but not compiled yet";
      refused = true;
    };
    bool lanesNamed = false;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (StringRef construct = constructOf(op); !construct.empty())
        refuse(op, construct);
      // Vectors begin at a declaration; what is computed from one would say the same again.
      if (hasLanes(op) && (!lanesNamed || llvm::isa<neuron::InputOp, neuron::ParamOp, neuron::StateOp>(op))) {
        refuse(op, "vectors");
        lanesNamed = true;
      }
    });
    if (refused)
      signalPassFailure();
  }
};

} // namespace
} // namespace flexsn
