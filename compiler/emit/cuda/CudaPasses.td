// The passes from a scheduled scan.kernel to what the CUDA printer prints.
#ifndef FLEXSN_CUDA_PASSES
#define FLEXSN_CUDA_PASSES

include "mlir/Pass/PassBase.td"

def OutlineHelpersPass : Pass<"outline-helpers", "::mlir::ModuleOp"> {
  let summary = "what takes several operations becomes a function that the printed step calls by name";
  let description = [{
    A step in CUDA C++ says `exp(x)` and `spike(h - v_th)`, not what they are made of. Each op of the neuron dialect in
    a kernel whose expansion is longer than one operation becomes a call of a private function, which holds the op and
    is expanded by `lower-ops`: the same builder that the CPU uses, so the same bits. Functions stand in the order of
    their first use. A spike's surrogate is of no use here and goes.

    ```mlir
    scan.kernel @Before inference
        operands [#scan.operand<"x", input, f32>, #scan.operand<"s", output, f32>]
        states []
    prologue {
      scan.yield
    } init {
      scan.yield
    } step {
    ^bb0(%x: f32):
      %alpha = arith.constant 2.0 : f32
      %r = neuron.sqrt %x : f32
      %s = neuron.spike %r atan(%alpha) : f32
      scan.yield %s : f32
    }
    func.func private @spike.f32(%x: f32) -> f32 {
      %s = neuron.spike %x atan() : f32
      return %s : f32
    }
    scan.kernel @After inference
        operands [#scan.operand<"x", input, f32>, #scan.operand<"s", output, f32>]
        states []
    prologue {
      scan.yield
    } init {
      scan.yield
    } step {
    ^bb0(%x: f32):
      %r = neuron.sqrt %x : f32
      %s = func.call @spike.f32(%r) : (f32) -> f32
      scan.yield %s : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"outlined", "outlined-ops", "ops that became calls">];
}

#endif // FLEXSN_CUDA_PASSES
