// The passes that make a training step's two kernels of one: gradients, and what is saved for them. Part of Passes.td.
#ifndef FLEXSN_TRAINING_PASSES
#define FLEXSN_TRAINING_PASSES

include "mlir/Pass/PassBase.td"

def DifferentiatePass : Pass<"differentiate", "::flexsn::scan::KernelOp"> {
  let summary = "the regions of a backward kernel that have its gradients";
  let description = [{
    Reverse mode: gives a backward kernel `adjoint`, which maps the gradients of a step's outputs and new states to
    those of its inputs and old states; `init_adjoint`, the same of the declared states; and `epilogue`, of the
    prologue, through which the sums of all neurons and steps go once. Each op flows back by the one rule of its
    neuron::Differentiable. What no wanted gradient reaches is not computed, and no state is carried for it. `adjoint`
    computes the step again from its old states, until `plan-residuals` says what is kept instead.

    ```mlir
    scan.kernel @Before backward
        operands [#scan.operand<"k", param, f32>, #scan.operand<"x", input, f32>,
                  #scan.operand<"y", grad_output, f32>, #scan.operand<"x", grad_input, f32>]
        states []
    prologue {
    ^bb0(%k: f32):
      scan.yield
    } init {
    ^bb0(%k: f32):
      scan.yield
    } step {
    ^bb0(%k: f32, %x: f32):
      %y = arith.mulf %x, %k : f32
      scan.yield %y : f32
    }
    scan.kernel @After backward
        operands [#scan.operand<"k", param, f32>, #scan.operand<"x", input, f32>,
                  #scan.operand<"y", grad_output, f32>, #scan.operand<"x", grad_input, f32>]
        states []
        carried []
        sums []
    prologue {
    ^bb0(%k: f32):
      scan.yield
    } init {
    ^bb0(%k: f32):
      scan.yield
    } step {
    ^bb0(%k: f32, %x: f32):
      scan.yield
    } adjoint {
    ^bb0(%k: f32, %x: f32, %grad_y: f32):
      %grad_x = arith.mulf %grad_y, %k : f32
      scan.yield %grad_x : f32
    } init_adjoint {
    ^bb0(%k: f32):
      scan.yield
    } epilogue {
    ^bb0(%k: f32):
      scan.yield
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def PlanResidualsPass : Pass<"plan-residuals", "::mlir::ModuleOp"> {
  let summary = "what a training step saves, keeps for the way back, and computes again";
  let description = [{
    Decides for the two kernels of a training step together (scan-9). Within a step a minimum cut, between the inputs
    and old states on one side and what the gradients read on the other, chooses the values that are kept from the way
    forward to the way back: to keep a value costs a row of a CPU's cache, or a register of a GPU's thread through a
    whole chunk; to compute it again costs its operations. What lies behind the cut stays in `adjoint`, the rest leaves
    it. States that no kept value follows from are then no states of the backward kernel. Those that are left are saved
    every K steps: as many as `cache-bytes` have room for the kept values and inputs of 1024 neurons (at most 16), or
    as `registers` of a thread of 2 neurons (at most 8). Where to compute the states again takes more than
    `recomputed-operations` for each word of a state, K is 1. The same ops on the same operands give the same bits
    wherever they stand.

    ```mlir
    scan.kernel @Before_backward backward
        operands [#scan.operand<"x", input, f32>, #scan.operand<"y", grad_output, f32>,
                  #scan.operand<"x", grad_input, f32>]
        states ["v"]
        carried ["v"]
        sums []
    prologue {
      scan.yield
    } init {
      %zero = arith.constant 0.000000e+00 : f32
      scan.yield %zero : f32
    } step {
    ^bb0(%x: f32, %v: f32):
      %h = arith.addf %x, %v : f32
      %v1 = arith.mulf %h, %h : f32
      scan.yield %v1, %v : f32, f32
    } adjoint {
    ^bb0(%x: f32, %v: f32, %grad_y: f32, %grad_v: f32):
      %h = arith.addf %x, %v : f32
      %grad = arith.addf %grad_y, %grad_v : f32
      %half = arith.mulf %grad, %h : f32
      %grad_h = arith.addf %half, %half : f32
      scan.yield %grad_h, %grad_h : f32, f32
    } init_adjoint {
    ^bb0(%grad_v: f32):
      scan.yield
    } epilogue {
      scan.yield
    }
    scan.kernel @After_backward backward
        operands [#scan.operand<"x", input, f32>, #scan.operand<"v", checkpoint, f32>,
                  #scan.operand<"y", grad_output, f32>, #scan.operand<"x", grad_input, f32>]
        states ["v"]
        every 16
        carried ["v"]
        sums []
    prologue {
      scan.yield
    } init {
      %zero = arith.constant 0.000000e+00 : f32
      scan.yield %zero : f32
    } step {
    ^bb0(%x: f32, %v: f32):
      %h = arith.addf %x, %v : f32
      %v1 = arith.mulf %h, %h : f32
      scan.yield %v1, %h : f32, f32
    } adjoint {
    ^bb0(%x: f32, %h: f32, %grad_y: f32, %grad_v: f32):
      %grad = arith.addf %grad_y, %grad_v : f32
      %half = arith.mulf %grad, %h : f32
      %grad_h = arith.addf %half, %half : f32
      scan.yield %grad_h, %grad_h : f32, f32
    } init_adjoint {
    ^bb0(%grad_v: f32):
      scan.yield
    } epilogue {
      scan.yield
    }
    ```
  }];
  let options = [
    Option<"cacheBytes", "cache-bytes", "unsigned", "262144", "on a CPU: bytes that a tile's chunk may keep">,
    Option<"registers", "registers", "unsigned", "0", "registers of a GPU's thread for it; 0: it is for a CPU">,
    Option<"recomputedOperations", "recomputed-operations", "unsigned", "1000",
           "operations of a step that are done again rather than a word of a state saved">,
    Option<"effort", "effort", "unsigned", "50000000",
           "visits of edges that the search for a cut may take: a part of a second">
  ];
  // Of the expansions that it makes and counts.
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::func::FuncDialect"];
}

def SelectKernelPass : Pass<"select-kernel", "::mlir::ModuleOp"> {
  let summary = "of the two kernels of a training step, the one that was asked for";
  let description = [{
    Erases the kernels of other kinds than `kind`.

    ```mlir
    scan.kernel @Pass_forward forward
        operands [#scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>]
        states []
    prologue {
      scan.yield
    } init {
      scan.yield
    } step {
    ^bb0(%x: f32):
      scan.yield %x : f32
    }
    ```
  }];
  let options = [Option<"kind", "kind", "std::string", "\"inference\"", "the kind of kernel that stays">];
}

#endif // FLEXSN_TRAINING_PASSES
