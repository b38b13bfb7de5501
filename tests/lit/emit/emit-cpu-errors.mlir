// RUN: flexsn-opt %s --emit-cpu --split-input-file --verify-diagnostics

// expected-error@+1 {{of kind backward has no adjoint yet, and no form on a CPU}}
scan.kernel @Backward backward operands [#scan.operand<"y", grad_output, f32>] states []
    schedule #scan.cpu<tile = 1024, width = 4>
prologue {
  scan.yield
} init {
  scan.yield
} step {
  %y = arith.constant 2.500000e+00 : f32
  scan.yield %y : f32
}

// -----

scan.kernel @NotLowered inference operands [#scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>] states []
    schedule #scan.cpu<tile = 1024, width = 4>
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f32):
  %c = arith.constant true
  %y = scf.if %c -> f32 {
    scf.yield %x : f32
  } else {
    // expected-error@+1 {{has no vector form}}
    %z = arith.constant dense<1.0> : vector<4xf32>
    scf.yield %x : f32
  }
  scan.yield %y : f32
}

// -----

// expected-error@+1 {{with sums has tiles of 96 neurons, which do not fit groups of 1024}}
scan.kernel @OddTile backward
    operands [#scan.operand<"k", param, f32>, #scan.operand<"x", input, f32>,
              #scan.operand<"y", grad_output, f32>, #scan.operand<"k", grad_param, f32>]
    states []  carried [] sums [0] schedule #scan.cpu<tile = 96, width = 8>
prologue {
^bb0(%k: f32):
  scan.yield
} init {
^bb0(%k: f32):
  scan.yield
} step {
^bb0(%k: f32, %x: f32):
  scan.yield %x : f32
} adjoint {
^bb0(%k: f32, %x: f32, %kept: f32, %gy: f32):
  %g = arith.mulf %kept, %gy : f32
  scan.yield %g : f32
} init_adjoint {
^bb0(%k: f32):
  %nothing = arith.constant -0.000000e+00 : f32
  scan.yield %nothing : f32
} epilogue {
^bb0(%k: f32, %sum: f32):
  scan.yield %sum : f32
}
