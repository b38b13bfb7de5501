// The passes from a scheduled scan.kernel to the LLVM dialect.
#ifndef FLEXSN_CPU_PASSES
#define FLEXSN_CPU_PASSES

include "mlir/Pass/PassBase.td"

def OutlineFunctionsPass : Pass<"outline-functions", "::mlir::ModuleOp"> {
  let summary = "a function that a kernel uses very often becomes one body that is called";
  let description = [{
    The code generator's time grows faster than the length of a step, and one power is some 150 operations long. So a
    function with a long expansion that stands in a module's kernels more than `inline-uses` times gets a private
    function of its own, named after it and its type; `emit-cpu` makes the form for vectors. The same op on the same
    operands gives the same bits wherever it runs. With `inline-uses=1`:

    ```mlir
    scan.kernel @Before inference
        operands [#scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>]
        states []
    prologue {
      scan.yield
    } init {
      scan.yield
    } step {
    ^bb0(%x: f32):
      %a = neuron.exp %x : f32
      %b = neuron.exp %a : f32
      scan.yield %b : f32
    }
    func.func private @exp.f32(%x: f32) -> f32 {
      %y = neuron.exp %x : f32
      return %y : f32
    }
    scan.kernel @After inference
        operands [#scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>]
        states []
    prologue {
      scan.yield
    } init {
      scan.yield
    } step {
    ^bb0(%x: f32):
      %a = func.call @exp.f32(%x) : (f32) -> f32
      %b = func.call @exp.f32(%a) : (f32) -> f32
      scan.yield %b : f32
    }
    ```
  }];
  let options = [
    Option<"inlineUses", "inline-uses", "unsigned", "16", "uses up to which a function stands in place">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
  let statistics = [Statistic<"outlined", "outlined-ops", "uses of functions that became calls">];
}

def EmitCpuPass : Pass<"emit-cpu", "::mlir::ModuleOp"> {
  let summary = "a scheduled scan.kernel to its kernel and prologue functions";
  let description = [{
    Replaces each `scan.kernel` that has a schedule for CPUs by functions over memory (docs/skeleton.md,
    runtime/KernelAbi.h): `NAME(call)` walks tiles of neurons through time, `width` neighbouring neurons in the lanes
    of a vector; `NAME_prologue(params, invariants)` computes what does not change in a launch, and of a backward
    kernel `NAME_epilogue(params, sums, grads)` the gradients of params. The regions' scalar
    ops are cloned onto vectors one to one; an op that has no vector form is an error at its place. The last, ragged
    vector of a range runs the same ops with masked loads and stores. In: arith, math, calls of platform functions,
    and `scf.if` without effects (its else side is computed always, its then side if a lane needs it). Out: llvm.func
    over scf loops, the two functions of this one:

    ```mlir
    scan.kernel @Square inference
        operands [#scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>]
        states []
        schedule #scan.cpu<tile = 2048, width = 8>
    prologue {
      scan.yield
    } init {
      scan.yield
    } step {
    ^bb0(%x: f32):
      %y = arith.mulf %x, %x : f32
      scan.yield %y : f32
    }
    ```
  }];
  let options = [Option<"halfInstructions", "half-instructions", "bool", "false",
                        "the target converts float16; without it that is integer arithmetic">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect"];
}

def CpuToLlvmPass : Pass<"cpu-to-llvm", "::mlir::ModuleOp"> {
  let summary = "what emit-cpu made to the LLVM dialect alone";
  let description = [{
    One conversion for scf, cf, arith, math, vector and func. No op with fast-math flags and no `llvm.fmuladd` comes
    out, so that the code generator has nothing to contract:

    ```mlir
    llvm.func @before(%x: vector<4xf32>) -> vector<4xf32> {
      %y = arith.mulf %x, %x : vector<4xf32>
      llvm.return %y : vector<4xf32>
    }
    llvm.func @after(%x: vector<4xf32>) -> vector<4xf32> {
      %y = llvm.fmul %x, %x : vector<4xf32>
      llvm.return %y : vector<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect"];
}

#endif // FLEXSN_CPU_PASSES
