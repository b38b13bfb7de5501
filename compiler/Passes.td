// The passes that serve all targets: from a neuron.model to a scheduled scan.kernel, and the expansion of what it
// computes. compiler/Pipeline.cpp alone says in which order they run; those of one target are in compiler/emit.
#ifndef FLEXSN_PASSES
#define FLEXSN_PASSES

include "mlir/Pass/PassBase.td"
include "compiler/TrainingPasses.td"

def ExpandPass : Pass<"expand", "::mlir::ModuleOp"> {
  let summary = "leaves only what one evaluation of the step can compute";
  let description = [{
    Constructs that need memory of earlier steps, a solver, a random number, several lanes or a parameter's dims have
    no place behind this pass (neuron-8). They cannot be expanded yet, so each is refused by an error that names it,
    at its place in the text, all of them in one run. A model without them passes unchanged:

    ```mlir
    neuron.model @Integrator {
      %x = neuron.input "x" : f32
      %v = neuron.state "v" : f32 init {
        %zero = arith.constant 0.000000e+00 : f32
        neuron.yield %zero : f32
      }
      %sum = arith.addf %v, %x : f32
      neuron.next "v" = %sum : f32
      neuron.output "v" = %sum : f32
    }
    ```
  }];
}

def SimplifyPass : Pass<"simplify"> {
  let summary = "computes nothing twice and nothing in vain";
  let description = [{
    Replaces a repeated pure op by the first of its kind, and removes pure ops without a use. Both are safe to the
    bit: the first keeps one of two computations that have the same operands (in any order for a commutative op), the
    second touches no value that is seen.

    What decides nothing goes too: a selection by a constant, or between one value and itself, is that value; truths
    of constants are constants; two negations, of a truth or of a number, are none, and `a - (-b)` is `a + b`. With
    that, inputs and states that only a side never taken reads are not read. No other algebra is applied: `x * 0`,
    `x * 1`, `x + 0`, `x - x` and `x / x` are computed.

    ```mlir
    neuron.model @Before {
      %x = neuron.input "x" : f32
      %a = arith.mulf %x, %x : f32
      %b = arith.mulf %x, %x : f32
      %unused = arith.subf %a, %b : f32
      %y = arith.addf %a, %b : f32
      neuron.output "y" = %y : f32
    }
    neuron.model @After {
      %x = neuron.input "x" : f32
      %a = arith.mulf %x, %x : f32
      %y = arith.addf %a, %a : f32
      neuron.output "y" = %y : f32
    }
    ```
  }];
  let statistics = [
    Statistic<"repeated", "repeated-ops", "ops replaced by an earlier one">,
    Statistic<"folded", "folded-ops", "ops that decided nothing">,
    Statistic<"unused", "unused-ops", "ops without a use that were removed">
  ];
}

def ContractPass : Pass<"contract", "::mlir::ModuleOp"> {
  let summary = "a sum of a product becomes a fused multiply-add";
  let description = [{
    For a model where `math = fast`. Turns `a*b + c`, `c + a*b`, `a*b - c` and `c - a*b` into one `math.fma`; of two
    products the left one is taken, and `p + p` and `p - p` stay. A product that has other uses is computed beside it:
    what is fused depends on the sum alone and not on what is asked for. It runs once, on the whole step, before
    anything is derived from it, so that every kernel recomputes the same bits. Negations of operands are exact. The
    `grad` and `primitive` regions of a user's surrogate are no forward values and stay.

    In a backward kernel, for every mode but `strict`, the same is done to its gradients: in `adjoint`, `init_adjoint`,
    `site_adjoint` and `epilogue`, where a product follows from a gradient that comes in. What these regions compute of
    the step again stays as it is.

    ```mlir
    neuron.model @Before {
      %x = neuron.input "x" : f32
      %y = neuron.input "y" : f32
      %product = arith.mulf %x, %x : f32
      %sum = arith.addf %product, %y : f32
      neuron.output "sum" = %sum : f32
    }
    neuron.model @After {
      %x = neuron.input "x" : f32
      %y = neuron.input "y" : f32
      %sum = math.fma %x, %x, %y : f32
      neuron.output "sum" = %sum : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::math::MathDialect"];
  let statistics = [Statistic<"fused", "fused-products", "products that became part of an fma">];
}

def NeuronToScanPass : Pass<"neuron-to-scan", "::mlir::ModuleOp"> {
  let summary = "a neuron.model to the kernel that was asked for";
  let description = [{
    Outlines the model into one `scan.kernel`: parameters, inputs, wanted initial states, outputs and wanted final
    states become operands; the init regions of the states become `init`, the statements `step`. Where `forward` or
    `backward` is asked for it makes both, since what one saves the other reads; see `plan-residuals`. What only steers
    gradients has no meaning but in `backward`: elsewhere `detach` and `gscale` become their operand, a user's
    surrogate becomes what its `value` region computes. The prologue is empty; see `hoist-invariants`.

    ```mlir
    neuron.model @Scale {
      %k = neuron.param "k" : f32
      %x = neuron.input "x" : f32
      %y = arith.mulf %k, %x : f32
      neuron.output "y" = %y : f32
    }
    scan.kernel @Scale_inference inference
        operands [#scan.operand<"k", param, f32>, #scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>]
        states []
    prologue {
    ^bb0(%k: f32):
      scan.yield
    } init {
    ^bb0(%k: f32):
      scan.yield
    } step {
    ^bb0(%k: f32, %x: f32):
      %y = arith.mulf %k, %x : f32
      scan.yield %y : f32
    }
    ```
  }];
  let options = [
    Option<"kind", "kind", "std::string", "\"inference\"",
           "what the kernel is for: inference, final_state, forward or backward">,
    ListOption<"initials", "initial", "std::string", "states that the caller gives as tensors">,
    ListOption<"finals", "final", "std::string", "states that are written at the end">,
    Option<"layout", "layout", "std::string", "\"linear\"", "where the operands' neurons lie: linear or strided">,
    Option<"data", "data", "std::string", "\"\"",
           "storage of inputs and outputs that are floats, where it is not their type: f16 or bf16">,
    ListOption<"bytes", "int8", "std::string", "outputs that are stored as int8">,
    ListOption<"gradFinals", "grad-final", "std::string", "backward: final states that a gradient comes for">,
    ListOption<"gradInputs", "grad-input", "std::string", "backward: inputs whose gradient is wanted">,
    ListOption<"gradInitials", "grad-initial", "std::string", "backward: initial states whose gradient is wanted">,
    ListOption<"gradParams", "grad-param", "std::string", "backward: parameters whose gradient is wanted">
  ];
  let dependentDialects = ["::flexsn::scan::ScanDialect"];
}

def DivideByInvariantsPass : Pass<"divide-by-invariants", "::flexsn::scan::KernelOp"> {
  let summary = "divisions by what does not change in a launch become scan.divide";
  let description = [{
    A true division costs as much as a dozen other operations. Where the divisor of an `arith.divf` in `step` or
    `adjoint` follows from parameters and constants alone, and the numerator does not, it becomes a `scan.divide`, which
    also gets the divisor's reciprocal and whether that is exact; `hoist-invariants` moves both into the prologue. A
    constant divisor with an exact reciprocal becomes a multiplication at once. The quotient keeps every bit.

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
      %two = arith.constant 2.000000e+00 : f32
      %y = arith.divf %x, %two : f32
      scan.yield %y : f32
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
      %half = arith.constant 5.000000e-01 : f32
      %y = arith.mulf %x, %half : f32
      scan.yield %y : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::math::MathDialect"];
  let statistics = [Statistic<"replaced", "divisions", "divisions that were replaced">];
}

def HoistInvariantsPass : Pass<"hoist-invariants", "::flexsn::scan::KernelOp"> {
  let summary = "what follows from the parameters alone is computed once a launch";
  let description = [{
    Moves each pure op of `init`, `step`, `adjoint` and `init_adjoint` that reads parameters, invariants, constants and
    other such ops alone into the prologue; what the rest reads of them becomes an invariant (scan-2), behind those
    that there are. The same op on the same operands gives the same bits wherever it runs. Constants stay where they
    are used: they cost nothing there.

    ```mlir
    scan.kernel @Before inference
        operands [#scan.operand<"w", param, f32>, #scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>]
        states []
    prologue {
    ^bb0(%w: f32):
      scan.yield
    } init {
    ^bb0(%w: f32):
      scan.yield
    } step {
    ^bb0(%w: f32, %x: f32):
      %k = neuron.sigmoid %w : f32
      %y = arith.mulf %k, %x : f32
      scan.yield %y : f32
    }
    scan.kernel @After inference
        operands [#scan.operand<"w", param, f32>, #scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>]
        states []
    prologue {
    ^bb0(%w: f32):
      %k = neuron.sigmoid %w : f32
      scan.yield %k : f32
    } init {
    ^bb0(%w: f32, %k: f32):
      scan.yield
    } step {
    ^bb0(%w: f32, %k: f32, %x: f32):
      %y = arith.mulf %k, %x : f32
      scan.yield %y : f32
    }
    ```
  }];
  let statistics = [Statistic<"hoisted", "hoisted-ops", "ops moved into the prologue">];
}

def HoistSiteValuesPass : Pass<"hoist-site-values", "::flexsn::scan::KernelOp"> {
  let summary = "what varies by neuron alone is computed once a neuron";
  let description = [{
    Moves each pure op of `init` and `step` that reads params, invariants, site values, constants and other such ops
    alone into `site`; what the rest reads of them becomes a site value (scan-11), and what it reads no longer is none.
    Comes after `hoist-invariants`, so that what is left depends on a param with dims.

    ```mlir
    scan.kernel @Before inference
        operands [#scan.operand<"w", param, f32, [channel]>, #scan.operand<"x", input, f32>,
                  #scan.operand<"y", output, f32>]
        states []
    prologue {
      scan.yield
    } site {
    ^bb0(%w: f32):
      scan.yield %w : f32
    } init {
    ^bb0(%w: f32):
      scan.yield
    } step {
    ^bb0(%w: f32, %x: f32):
      %k = neuron.sigmoid %w : f32
      %y = arith.mulf %k, %x : f32
      scan.yield %y : f32
    }
    scan.kernel @After inference
        operands [#scan.operand<"w", param, f32, [channel]>, #scan.operand<"x", input, f32>,
                  #scan.operand<"y", output, f32>]
        states []
    prologue {
      scan.yield
    } site {
    ^bb0(%w: f32):
      %k = neuron.sigmoid %w : f32
      scan.yield %k : f32
    } init {
    ^bb0(%k: f32):
      scan.yield
    } step {
    ^bb0(%k: f32, %x: f32):
      %y = arith.mulf %k, %x : f32
      scan.yield %y : f32
    }
    ```
  }];
  let statistics = [Statistic<"hoisted", "hoisted-ops", "ops moved into site">];
}

def LowerOpsPass : Pass<"lower-ops", "::mlir::ModuleOp"> {
  let summary = "neuron functions, spikes and arithmetic to arith, math.fma and calls of platform functions";
  let description = [{
    Replaces every op of the neuron dialect that computes a value, outside of `neuron.model`, by its expansion from
    compiler/math. float32 functions become arithmetic, the same bits on every target; float64 functions become calls
    of the platform's libm, which the pass declares. `detach` and `gscale` are their first operand, a user's surrogate
    is what its `value` region computes. A `scan.divide` becomes a multiplication where the reciprocal is exact; else,
    with `fused-instructions`, a quotient that is refined to the exact one, or a division; with `keep-divisions` it
    stays. Values do not change: what leaves computes what docs/functions.md says, to the bit.

    ```mlir
    func.func @before(%x: f32) -> f32 {
      %one = arith.constant 1.000000e+00 : f32
      %s = neuron.spike %x atan(%one) : f32
      return %s : f32
    }
    func.func @after(%x: f32) -> f32 {
      %zero = arith.constant 0.000000e+00 : f32
      %fires = arith.cmpf oge, %x, %zero : f32
      %one = arith.constant 1.000000e+00 : f32
      %none = arith.constant 0.000000e+00 : f32
      %s = arith.select %fires, %one, %none : f32
      return %s : f32
    }
    ```
  }];
  let options = [
    Option<"keepDivisions", "keep-divisions", "bool", "false", "scan.divide has a form of its own on the target">,
    Option<"fusedInstructions", "fused-instructions", "bool", "false", "the target has fused multiply-adds">,
    Option<"refinedDivisions", "refined-divisions", "unsigned", "32",
           "divisions of a module up to which they are refined: a refinement is a dozen operations to compile">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::func::FuncDialect", "::mlir::vector::VectorDialect"];
  let statistics = [Statistic<"expanded", "ops-expanded", "ops replaced by their expansion">];
}

def ScheduleCpuPass : Pass<"schedule-cpu", "::flexsn::scan::KernelOp"> {
  let summary = "tile and vector width of a kernel on a CPU";
  let description = [{
    Sets the schedule: as many lanes as a vector register of `vector-bits` holds of the compute type, and the largest
    power of two of neurons whose states, inputs and outputs of one step stay in `cache-bytes`, so that the states of
    a tile are still in the cache when the next step comes. With `streaming`, outputs do not stay in the cache and the
    next step's inputs are fetched ahead: states and two steps of inputs share `stream-bytes`, which the
    first-level cache holds. A backward kernel keeps what its chunk of steps needs on the way back: values that are
    kept, and inputs that both ways read, stay in `chunk-bytes`, beside states, gradients and sums; with `streaming`,
    where chunks go through a pipeline, in `stream-bytes`. No bit of a result
    depends on any of it; the attribute says how the numbers were found. A step beyond what the code generator handles
    in seconds is refused.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "128", "bits of the target's widest vector register">,
    Option<"cacheBytes", "cache-bytes", "unsigned", "65536", "bytes that a tile may touch in one step">,
    Option<"streaming", "streaming", "bool", "false", "outputs are written past the caches">,
    Option<"streamBytes", "stream-bytes", "unsigned", "32768", "with streaming: bytes that a tile keeps">,
    Option<"chunkBytes", "chunk-bytes", "unsigned", "131072", "backward: bytes that a tile keeps for a chunk of steps">
  ];
}

def ScheduleCudaPass : Pass<"schedule-cuda", "::flexsn::scan::KernelOp"> {
  let summary = "neurons a thread, steps a chunk and threads of a kernel on a GPU";
  let description = [{
    Sets the schedule by the rule that measured best: 128 threads; as many neurons a thread as one 16-byte access holds
    of the widest sequence; 8 steps a chunk for one state and one input of 4 bytes, else 4; registers for 6 blocks a
    multiprocessor, 5 where states are read or written, or 4.
    Steps that divide by what is not known before the launch are longer: four at once hide the loads as well as eight.
    Where the values that are live at once would not fit into these registers, the number of
    blocks goes down, then the chunk, then the neurons; where a chunk would be a very long program, the chunk, then the
    neurons. With `scalar`, elements are accessed one by one. No bit of a result depends on any of it; the attribute
    says how the numbers were found. A step beyond what GPU compilers handle in seconds is refused.

    A forward kernel's chunk divides the steps between checkpoints; a backward kernel's is as long as these. There
    accesses of 8 bytes measured best, of 16 where a chunk has at most 4 steps; the neurons go down until what is live
    at once on the way there or back fits into the registers of 4 or 3 blocks, or of 2 where one neuron does not.
  }];
  let options = [
    Option<"scalar", "scalar", "bool", "false", "elements are accessed one by one, at any address">
  ];
  // Of the expansions that it makes and counts.
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::func::FuncDialect"];
}

def VerifyStagePass : Pass<"verify-stage", "::mlir::ModuleOp"> {
  let summary = "checks what a stage may leave behind";
  let description = [{
    Each stage of the pipeline ends with it. An op or type that the stage named `stage` may not leave is an error of
    the compiler, at the place of the text that it came from (docs/ir.md, Stages).
  }];
  let options = [Option<"stage", "stage", "std::string", "\"\"", "name of the stage that has just ended">];
}

#endif // FLEXSN_PASSES
